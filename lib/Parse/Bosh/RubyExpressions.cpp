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
