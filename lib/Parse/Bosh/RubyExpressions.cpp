//===- RubyExpressions.cpp - Expressions of templates ---------------------===//

#include "RubyParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

/// `not`, `and` and `or` bind least.
RubyNodePtr RubyParser::parseCondition() {
  size_t begin = in.at;
  RubyNodePtr left = parseNot();
  while (left) {
    bool isAnd = in.eatWord("and");
    if (!isAnd && !in.eatWord("or"))
      return left;
    in.skipLines(false);
    RubyNodePtr right = parseNot();
    if (!right)
      return nullptr;
    left = make(isAnd ? Kind::And : Kind::Or, begin, "", std::move(left),
                std::move(right));
  }
  return nullptr;
}

RubyNodePtr RubyParser::parseNot() {
  size_t begin = in.at;
  if (!in.eatWord("not"))
    return parseExpression();
  in.skipBlanks();
  RubyNodePtr inner = parseNot();
  return inner ? make(Kind::Not, begin, "", std::move(inner)) : nullptr;
}

static bool isTarget(const RubyNode &node) {
  using Kind = RubyNode::Kind;
  bool isCall = node.kind == Kind::Call && node.parts.front() && !node.block;
  return node.kind == Kind::Name || node.kind == Kind::Variable ||
         node.kind == Kind::Constant ||
         (isCall && (node.text == "[]" || node.parts.size() == 1));
}

/// Assignments, from right to left.
RubyNodePtr RubyParser::parseExpression() {
  in.skipBlanks();
  size_t begin = in.at;
  if (++in.depth > RubyReader::maxDepth)
    return in.fail("an expression as deep as this", begin);
  RubyNodePtr left = parseTernary();
  --in.depth;
  if (!left || !isTarget(*left))
    return left;
  in.skipBlanks();
  static constexpr StringRef signs[] = {
      "||=", "&&=", "<<=", "**=", "+=", "-=", "*=", "/=", "|=", "="};
  for (StringRef sign : signs) {
    if (!in.startsWith(sign))
      continue;
    char after = in.peek(sign.size());
    if (sign == "=" && (after == '=' || after == '~' || after == '>'))
      return left;
    in.at += sign.size();
    in.skipLines(false);
    // Known before its value is read: Ruby does so, too.
    if (left->kind == Kind::Name)
      variables.insert(left->text);
    RubyNodePtr right = parseExpression();
    if (!right)
      return nullptr;
    in.skipBlanks();
    if (in.eatWord("rescue")) {
      RubyNodePtr other = parseExpression();
      if (!other)
        return nullptr;
      right = make(Kind::Begin, begin, "", std::move(right),
                   make(Kind::Rescue, begin, "", std::move(other)));
    }
    return make(Kind::Assign, begin, sign.drop_back(), std::move(left),
                std::move(right));
  }
  return left;
}

RubyNodePtr RubyParser::parseTernary() {
  size_t begin = in.at;
  RubyNodePtr condition = parseBinary(0);
  if (!condition)
    return nullptr;
  in.skipBlanks();
  if (in.peek() != '?')
    return condition;
  ++in.at;
  in.skipLines(false);
  RubyNodePtr then;
  {
    llvm::SaveAndRestore keep(lacksCommands, true);
    then = parseExpression();
  }
  in.skipLines(false);
  if (!then || !in.eat(":"))
    return in.fail("this code", begin);
  in.skipLines(false);
  RubyNodePtr otherwise = parseExpression();
  if (!otherwise)
    return nullptr;
  return make(Kind::If, begin, "", std::move(condition), std::move(then),
              std::move(otherwise));
}

namespace {
/// Operators that bind alike, from the loosest; longer ones first.
struct OperatorLevel {
  std::array<StringRef, 6> signs;
};
} // namespace

static constexpr OperatorLevel levels[] = {
    {{"...", ".."}},
    {{"||"}},
    {{"&&"}},
    {{"<=>", "===", "==", "=~", "!=", "!~"}},
    {{"<=", ">=", "<", ">"}},
    {{"|", "^"}},
    {{"&"}},
    {{"<<", ">>"}},
    {{"+", "-"}},
    {{"*", "/", "%"}},
};

/// The operator of \p level at \p in, or none: not one that begins something
/// longer.
static StringRef operatorAt(const RubyReader &in, const OperatorLevel &level) {
  if (in.isAtTagEnd())
    return "";
  for (StringRef sign : level.signs) {
    if (sign.empty() || !in.startsWith(sign))
      continue;
    char after = in.peek(sign.size());
    bool isComparison = sign == "==" || sign == "===" || sign == "<=" ||
                        sign == ">=" || sign == "!=";
    bool isLonger =
        (after == '=' && !isComparison) || (sign == "|" && after == '|') ||
        (sign == "&" && (after == '&' || after == '.')) ||
        (sign == "*" && after == '*') || (sign == "<" && after == '<') ||
        (sign == ">" && after == '>') || (sign == ".." && after == '.') ||
        (sign == "<=" && after == '>');
    if (!isLonger)
      return sign;
  }
  return "";
}

RubyNodePtr RubyParser::parseBinary(unsigned level) {
  if (level == std::size(levels))
    return parseUnary();
  size_t begin = in.at;
  RubyNodePtr left = parseBinary(level + 1);
  while (left) {
    in.skipBlanks();
    StringRef sign = operatorAt(in, levels[level]);
    if (sign.empty() || (sign == "|" && lacksPipes))
      return left;
    in.at += sign.size();
    in.skipLines(false);
    bool isRange = level == 0;
    bool isOpen = isRange && (in.peek() == ']' || in.peek() == ')');
    RubyNodePtr right = isOpen ? nullptr : parseBinary(level + 1);
    if (!right && !isOpen)
      return nullptr;
    if (isRange) {
      RubyNodePtr range =
          make(Kind::Range, begin, "", std::move(left), std::move(right));
      range->isFlag = sign == "...";
      return range;
    }
    if (sign == "||" || sign == "&&") {
      left = make(sign == "||" ? Kind::Or : Kind::And, begin, "",
                  std::move(left), std::move(right));
      continue;
    }
    bool isNegated = sign == "!=" || sign == "!~";
    StringRef name = sign == "!=" ? "==" : sign == "!~" ? "=~" : sign;
    left = make(Kind::Call, begin, name, std::move(left), std::move(right));
    if (isNegated)
      left = make(Kind::Not, begin, "", std::move(left));
  }
  return nullptr;
}

RubyNodePtr RubyParser::parseUnary() {
  in.skipBlanks();
  size_t begin = in.at;
  if (in.eatWord("defined?")) {
    bool isList = in.eat("(");
    RubyNodePtr inner = parseUnary();
    if (!inner || (isList && !in.eat(")")))
      return in.fail("this code", begin);
    return make(Kind::Defined, begin, "", std::move(inner));
  }
  if (in.peek() == '!' && in.peek(1) != '=' && in.peek(1) != '~') {
    ++in.at;
    RubyNodePtr inner = parseUnary();
    return inner ? make(Kind::Not, begin, "", std::move(inner)) : nullptr;
  }
  bool isMinus = in.peek() == '-' && !llvm::isDigit(in.peek(1)) &&
                 in.peek(1) != '>' && !in.isAtTagEnd();
  if (isMinus) {
    ++in.at;
    RubyNodePtr inner = parseUnary();
    return inner ? make(Kind::Call, begin, "-@", std::move(inner)) : nullptr;
  }
  return parsePower();
}

RubyNodePtr RubyParser::parsePower() {
  size_t begin = in.at;
  RubyNodePtr left = parsePostfix();
  if (!left)
    return nullptr;
  in.skipBlanks();
  if (!in.startsWith("**") || in.peek(2) == '=')
    return left;
  in.at += 2;
  in.skipLines(false);
  RubyNodePtr right = parseUnary();
  return right
             ? make(Kind::Call, begin, "**", std::move(left), std::move(right))
             : nullptr;
}

/// Calls, indices and constants behind a value.
RubyNodePtr RubyParser::parsePostfix() {
  in.skipBlanks();
  size_t begin = in.at;
  RubyNodePtr node = parsePrimary();
  for (unsigned length = 0; node; ++length) {
    if (length > 1000)
      return in.fail("a chain of calls as long as this", begin);
    if (in.startsWith("::") && llvm::isUpper(in.peek(2))) {
      in.at += 2;
      StringRef name = in.readName();
      node = make(Kind::Constant, begin, name, std::move(node));
      continue;
    }
    if (in.peek() == '[') {
      ++in.at;
      RubyNodePtr call = make(Kind::Call, begin, "[]", std::move(node));
      if (!parseArguments(']', *call))
        return nullptr;
      call->range = in.rangeFrom(begin);
      node = std::move(call);
      continue;
    }
    size_t before = in.at;
    in.skipBlanks();
    if (in.peek() == '\n' || in.peek() == '#')
      in.skipLines(false);
    bool isSafe = in.startsWith("&.");
    bool isCall = isSafe || (in.peek() == '.' && in.peek(1) != '.');
    if (!isCall) {
      in.at = before;
      return node;
    }
    in.at += isSafe ? 2 : 1;
    in.skipLines(false);
    RubyNodePtr call = make(Kind::Call, begin, "", std::move(node));
    call->isFlag = isSafe;
    call->text = in.peek() == '(' ? "call" : in.readName().str();
    if (call->text.empty() || !parseCallRest(*call, true))
      return in.fail("this code", before);
    call->range = in.rangeFrom(begin);
    node = std::move(call);
  }
  return nullptr;
}

/// Arguments and a block behind the name of a call.
bool RubyParser::parseCallRest(RubyNode &call, bool hasReceiver) {
  if (in.peek() == '(') {
    ++in.at;
    if (!parseArguments(')', call))
      return false;
  } else if (startsArgument(hasReceiver)) {
    if (!parseCommandArguments(call))
      return false;
  }
  return call.block || parseBlock(call);
}

/// Whether what follows a name without parentheses is its first argument.
bool RubyParser::startsArgument(bool hasReceiver) const {
  if (lacksCommands || (in.peek() != ' ' && in.peek() != '\t'))
    return false;
  size_t at = in.at;
  while (at < in.text.size() && (in.text[at] == ' ' || in.text[at] == '\t'))
    ++at;
  auto peek = [&](size_t offset) {
    return at + offset < in.text.size() ? in.text[at + offset] : '\0';
  };
  char c = peek(0), next = peek(1);
  if (llvm::isAlpha(c) || c == '_') {
    size_t end = at;
    while (end < in.text.size() && (llvm::isAlnum(in.text[end]) ||
                                    in.text[end] == '_' || in.text[end] == '?'))
      ++end;
    StringRef word = in.text.slice(at, end);
    static constexpr StringRef values[] = {
        "true", "false", "nil", "self", "not", "lambda", "case", "defined?"};
    return !isKeyword(word) || llvm::is_contained(values, word);
  }
  if (llvm::isDigit(c) || c == '"' || c == '\'' || c == '@' || c == '$')
    return true;
  if (c == ':')
    return llvm::isAlpha(next) || next == '"' || next == '_';
  if (c == '/')
    return next != ' ' && next != '=' && hasReceiver;
  if (c == '-')
    return next == '>' || llvm::isDigit(next);
  if (c == '[')
    return !hasReceiver;
  if (c == '<')
    return next == '<' &&
           (peek(2) == '~' || peek(2) == '-' || llvm::isUpper(peek(2)));
  if (c == '&' || c == '*')
    return next != ' ' && next != '&' && next != '.' && next != '=' &&
           next != '*';
  if (c == '%')
    return (next == 'w' || next == 'q' || next == 'Q' || next == '(') &&
           peek(1) != '>';
  return c == '!' && next != '=' && next != '~';
}

bool RubyParser::parseCommandArguments(RubyNode &call) {
  llvm::SaveAndRestore keep(lacksDo, true);
  do {
    in.skipLines(false);
    if (!parseArgument(call))
      return false;
  } while (in.eat(","));
  return true;
}

/// Arguments up to \p last, which is consumed.
bool RubyParser::parseArguments(char last, RubyNode &call) {
  llvm::SaveAndRestore keepDo(lacksDo, false), keep(lacksCommands, false);
  while (true) {
    in.skipLines(false);
    if (in.peek() == last) {
      ++in.at;
      return true;
    }
    if (!parseArgument(call))
      return false;
    in.skipLines(false);
    if (in.peek() != ',' && in.peek() != last)
      return in.fail("this code", in.at);
    in.eat(",");
  }
}

/// At `name:` or `"text":`, which is a key.
bool RubyParser::isHashKey() const {
  size_t at = in.at;
  char quote = in.peek();
  if (quote == '"' || quote == '\'') {
    at = in.text.find(quote, at + 1);
    return at != StringRef::npos && in.text.substr(at + 1).starts_with(":") &&
           !in.text.substr(at + 1).starts_with("::");
  }
  if (!llvm::isAlpha(quote) && quote != '_')
    return false;
  while (at < in.text.size() &&
         (llvm::isAlnum(in.text[at]) || in.text[at] == '_'))
    ++at;
  if (at < in.text.size() && (in.text[at] == '?' || in.text[at] == '!'))
    ++at;
  StringRef rest = in.text.substr(at);
  return rest.starts_with(":") && !rest.starts_with("::");
}

/// One argument; pairs are one map, the last argument.
bool RubyParser::parseArgument(RubyNode &call) {
  size_t begin = in.at;
  auto addPair = [&](RubyNodePtr pair) {
    bool isMap = !call.parts.empty() && call.parts.back() &&
                 call.parts.back()->kind == Kind::Hash &&
                 call.parts.back()->isFlag;
    if (!isMap) {
      call.parts.push_back(make(Kind::Hash, begin));
      // Made of pairs without braces.
      call.parts.back()->isFlag = true;
    }
    call.parts.back()->parts.push_back(std::move(pair));
    return true;
  };
  if (in.startsWith("**")) {
    in.at += 2;
    RubyNodePtr value = parseTernary();
    return value &&
           addPair(make(Kind::DoubleSplat, begin, "", std::move(value)));
  }
  if (in.peek() == '*') {
    ++in.at;
    RubyNodePtr value = parseTernary();
    if (!value)
      return false;
    call.parts.push_back(make(Kind::Splat, begin, "", std::move(value)));
    return true;
  }
  if (in.peek() == '&' && in.peek(1) != '&') {
    ++in.at;
    call.block = parseTernary();
    return call.block != nullptr;
  }
  RubyNodePtr key;
  if (isHashKey()) {
    char quote = in.peek();
    if (quote == '"' || quote == '\'') {
      ++in.at;
      key = parseText(quote, quote == '"', Kind::Symbol, begin);
    } else {
      key = make(Kind::Symbol, begin, in.readName());
    }
    if (!key || !in.eat(":"))
      return in.fail("this code", begin);
  } else {
    RubyNodePtr value = parseNot();
    if (!value)
      return false;
    if (!in.eat("=>")) {
      call.parts.push_back(std::move(value));
      return true;
    }
    key = std::move(value);
  }
  in.skipLines(false);
  RubyNodePtr value = parseNot();
  return value &&
         addPair(make(Kind::Pair, begin, "", std::move(key), std::move(value)));
}

/// `{ |a| … }` or `do |a| … end`, where there is one.
bool RubyParser::parseBlock(RubyNode &call) {
  size_t before = in.at;
  in.skipBlanks();
  size_t begin = in.at;
  bool isBrace = in.peek() == '{';
  bool isDo = !isBrace && !lacksDo && in.isWord("do");
  if (!isBrace && !isDo) {
    in.at = before;
    return true;
  }
  in.at += isBrace ? 1 : 2;
  RubyNodePtr block = make(Kind::Lambda, begin);
  size_t opening = in.at;
  in.skipLines(false);
  if (in.peek() == '|') {
    ++in.at;
    if (!parseParameters("|", block->parameters))
      return false;
  } else {
    in.at = opening;
  }
  RubyNodePtr body;
  if (isBrace) {
    body = parseBodyUntilEnd({"}"});
    if (!body || !in.eat("}"))
      return in.fail("this code", begin);
  } else {
    body = parseGuarded(begin, "end");
    if (!body)
      return false;
  }
  block->parts.push_back(std::move(body));
  call.block = std::move(block);
  return true;
}

RubyNodePtr RubyParser::parseLambda(size_t begin) {
  RubyNodePtr node = make(Kind::Lambda, begin, "lambda");
  in.skipBlanks();
  if (in.eat("(") && !parseParameters(")", node->parameters))
    return nullptr;
  RubyNode holder;
  if (!parseBlock(holder) || !holder.block)
    return in.fail("this code", begin);
  node->parts = std::move(holder.block->parts);
  for (RubyParameter &parameter : holder.block->parameters)
    node->parameters.push_back(std::move(parameter));
  return node;
}

RubyNodePtr RubyParser::parseArray(size_t begin) {
  RubyNodePtr node = make(Kind::Array, begin);
  if (!parseArguments(']', *node))
    return nullptr;
  node->range = in.rangeFrom(begin);
  return node;
}

RubyNodePtr RubyParser::parseHash(size_t begin) {
  RubyNode holder;
  if (!parseArguments('}', holder))
    return nullptr;
  if (holder.parts.empty())
    return make(Kind::Hash, begin);
  if (holder.parts.size() != 1 || holder.parts[0]->kind != Kind::Hash)
    return in.fail("this code", begin);
  holder.parts[0]->isFlag = false;
  holder.parts[0]->range = in.rangeFrom(begin);
  return std::move(holder.parts[0]);
}

/// A name: keyword, variable, constant, or call.
RubyNodePtr RubyParser::parseIdentifier(size_t begin) {
  StringRef name = in.readName();
  static constexpr std::pair<StringRef, Kind> words[] = {{"nil", Kind::Nil},
                                                         {"true", Kind::True},
                                                         {"false", Kind::False},
                                                         {"self", Kind::Self}};
  for (auto [word, kind] : words)
    if (name == word)
      return make(kind, begin);
  if (name == "lambda" || name == "proc")
    return parseLambda(begin);
  if (isKeyword(name))
    return parseKeyword(name, begin);
  bool isConstant = llvm::isUpper(name.front());
  if (isConstant && in.peek() != '(')
    return make(Kind::Constant, begin, name);
  if (variables.count(name.str()) && in.peek() != '(')
    return make(Kind::Name, begin, name);
  RubyNodePtr call = make(Kind::Call, begin, name);
  call->parts.push_back(nullptr);
  bool isList = in.peek() == '(';
  if (!parseCallRest(*call, false))
    return nullptr;
  call->range = in.rangeFrom(begin);
  if (call->parts.size() == 1 && !call->block && !isList)
    return make(Kind::Name, begin, name);
  return call;
}

RubyNodePtr RubyParser::parsePrimary() {
  in.skipBlanks();
  size_t begin = in.at;
  char c = in.peek(), next = in.peek(1);
  if (in.isAtEnd() || in.isAtTagEnd())
    return in.fail("code that does not end here", begin);
  if (llvm::isDigit(c) || (c == '-' && llvm::isDigit(next)))
    return parseNumber(begin);
  if (llvm::isAlpha(c) || c == '_')
    return parseIdentifier(begin);
  ++in.at;
  switch (c) {
  case '"':
  case '\'': {
    RubyNodePtr text = parseText(c, c == '"', Kind::String, begin);
    in.skipBlanks();
    bool isMore = text && (in.peek() == '"' || in.peek() == '\'') &&
                  in.text[in.at - 1] != '\n';
    if (!isMore)
      return text;
    RubyNodePtr more = parsePrimary();
    return more ? make(Kind::Call, begin, "+", std::move(text), std::move(more))
                : nullptr;
  }
  case ':':
    return parseSymbol(begin);
  case '[':
    return parseArray(begin);
  case '{':
    return parseHash(begin);
  case '/':
    return parseText('/', true, Kind::Regexp, begin);
  case '%':
    return parsePercent(begin);
  case '@':
  case '$': {
    if (in.peek() == '@')
      return in.fail("a variable of a class", begin);
    while (llvm::isAlnum(in.peek()) || in.peek() == '_' ||
           (c == '$' && in.peek() == '~'))
      ++in.at;
    return make(Kind::Variable, begin, in.text.slice(begin, in.at));
  }
  case '-':
    if (next == '>') {
      ++in.at;
      return parseLambda(begin);
    }
    break;
  case '<':
    if (next == '<')
      return parseHeredoc(begin);
    break;
  case '(': {
    RubyNodePtr body = make(Kind::Body, begin);
    llvm::SaveAndRestore keepDo(lacksDo, false), keep(lacksCommands, false);
    while (true) {
      in.skipLines();
      if (in.eat(")"))
        return body;
      RubyNodePtr statement = parseStatement();
      if (!statement)
        return nullptr;
      body->parts.push_back(std::move(statement));
      in.skipBlanks();
      if (in.peek() != ')' && in.peek() != '\n' && in.peek() != ';')
        return in.fail("this code", in.at);
    }
  }
  default:
    break;
  }
  in.at = begin;
  return in.fail("this code", begin);
}
