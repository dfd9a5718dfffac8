//===- ParseYaql.cpp - From the text of a query to its tree ---------------===//

#include "Yaql.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using Kind = Yaql::Kind;

namespace {

/// Recursive descent. After something that it does not know, `isWrong` is set
/// and what is returned means nothing.
class YaqlParser {
public:
  YaqlParser(StringRef text, ValueArena &arena) : rest(text), arena(arena) {}

  std::optional<Yaql> parse();

private:
  Yaql parseLet();
  Yaql parseBinary(unsigned level);
  Yaql parseUnary();
  Yaql parsePostfix();
  Yaql parsePrimary();
  Yaql parseText(char quote);
  Yaql parseNumber();
  /// Arguments or items up to \p close, pairs among them.
  std::vector<Yaql> parseParts(char close);

  Yaql fail() {
    isWrong = true;
    return {Kind::Literal};
  }
  void skipSpace() { rest = rest.ltrim(); }
  bool takeSign(StringRef sign);
  bool takeWord(StringRef word);
  StringRef takeName();

  StringRef rest;
  ValueArena &arena;
  unsigned depth = 0;
  bool isWrong = false;

  static constexpr unsigned maxDepth = 100;
};

} // namespace

static bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

bool YaqlParser::takeSign(StringRef sign) {
  skipSpace();
  // `=` begins `=>` and `=~`, `-` begins `->`, and so on.
  StringRef next = rest.substr(sign.size(), 1);
  bool isLonger = (sign == "=" && (next == ">" || next == "~")) ||
                  (sign == "-" && next == ">") ||
                  ((sign == "<" || sign == ">") && next == "=");
  return !isLonger && rest.consume_front(sign);
}

bool YaqlParser::takeWord(StringRef word) {
  skipSpace();
  if (!rest.starts_with(word) ||
      (rest.size() > word.size() && isNameCharacter(rest[word.size()])))
    return false;
  rest = rest.drop_front(word.size());
  return true;
}

StringRef YaqlParser::takeName() {
  StringRef name = rest.take_while(isNameCharacter);
  rest = rest.drop_front(name.size());
  return name;
}

Yaql YaqlParser::parseText(char quote) {
  std::string text;
  while (!rest.empty() && rest.front() != quote) {
    bool isEscaped = rest.front() == '\\' && rest.size() > 1;
    char c = rest[isEscaped];
    text += isEscaped && c == 'n' ? '\n' : isEscaped && c == 't' ? '\t' : c;
    rest = rest.drop_front(isEscaped ? 2 : 1);
  }
  if (rest.empty())
    return fail();
  rest = rest.drop_front();
  return {Kind::Literal, "", arena.string(text)};
}

Yaql YaqlParser::parseNumber() {
  size_t length =
      rest.find_if_not([](char c) { return llvm::isDigit(c) || c == '.'; });
  auto number = toscac::parseNumber(rest.take_front(length));
  rest = rest.drop_front(std::min(length, rest.size()));
  return number ? Yaql{Kind::Literal, "", *number} : fail();
}

std::vector<Yaql> YaqlParser::parseParts(char close) {
  std::vector<Yaql> parts;
  StringRef end(&close, 1);
  while (!takeSign(end)) {
    if (!parts.empty() && !takeSign(",")) {
      fail();
      return {};
    }
    Yaql part = parseLet();
    if (takeSign("=>")) {
      Yaql pair{Kind::Pair};
      pair.parts.push_back(std::move(part));
      pair.parts.push_back(parseLet());
      part = std::move(pair);
    }
    if (isWrong)
      return {};
    parts.push_back(std::move(part));
  }
  return parts;
}

Yaql YaqlParser::parsePrimary() {
  skipSpace();
  if (rest.empty())
    return fail();
  char c = rest.front();
  if (llvm::isDigit(c))
    return parseNumber();
  if (isNameCharacter(c)) {
    StringRef name = takeName();
    if (name == "true" || name == "false")
      return {Kind::Literal, "", Value::boolean(name == "true")};
    if (name == "null")
      return {Kind::Literal};
    if (!rest.consume_front("("))
      return {Kind::Word, name.str()};
    return {Kind::Call, name.str(), {}, parseParts(')')};
  }
  rest = rest.drop_front();
  switch (c) {
  case '$':
    return {Kind::Variable, takeName().str()};
  case '\'':
  case '"':
    return parseText(c);
  case '[':
    return {Kind::List, "", {}, parseParts(']')};
  case '{':
    return {Kind::Map, "", {}, parseParts('}')};
  case '(': {
    Yaql inner = parseLet();
    return takeSign(")") ? inner : fail();
  }
  default:
    return fail();
  }
}

Yaql YaqlParser::parsePostfix() {
  Yaql left = parsePrimary();
  while (!isWrong) {
    skipSpace();
    if (rest.consume_front("[")) {
      Yaql call{Kind::Call, "[]"};
      call.parts = parseParts(']');
      call.parts.insert(call.parts.begin(), std::move(left));
      left = std::move(call);
      continue;
    }
    bool isOptional = rest.consume_front("?.");
    if (!isOptional && !rest.consume_front("."))
      return left;
    skipSpace();
    std::string name = takeName().str();
    if (name.empty())
      return fail();
    Yaql next{isOptional ? Kind::PartOrNull : Kind::Part, name};
    if (!isOptional && rest.consume_front("(")) {
      next.kind = Kind::Call;
      next.parts = parseParts(')');
    }
    next.parts.insert(next.parts.begin(), std::move(left));
    left = std::move(next);
  }
  return left;
}

Yaql YaqlParser::parseUnary() {
  if (!takeSign("-"))
    return parsePostfix();
  Yaql zero{Kind::Literal, "", Value::integer(0)};
  Yaql call{Kind::Call, "-"};
  call.parts.push_back(std::move(zero));
  call.parts.push_back(parsePostfix());
  return call;
}

/// Operators from the loosest to the tightest, after `not` and before it.
static llvm::ArrayRef<StringRef> operatorsAt(unsigned level) {
  static constexpr StringRef either[] = {"or"}, both[] = {"and"};
  static constexpr StringRef compare[] = {"!=", "<=", ">=", "=",
                                          "<",  ">",  "in"};
  static constexpr StringRef add[] = {"+", "-"};
  static constexpr StringRef multiply[] = {"*", "/", "mod"};
  static const llvm::ArrayRef<StringRef> levels[] = {either, both, compare, add,
                                                     multiply};
  return levels[level];
}
static constexpr unsigned comparison = 2, tightest = 4;

Yaql YaqlParser::parseBinary(unsigned level) {
  if (level == comparison && takeWord("not")) {
    Yaql call{Kind::Call, "not"};
    call.parts.push_back(parseBinary(level));
    return call;
  }
  auto next = [&] {
    return level == tightest ? parseUnary() : parseBinary(level + 1);
  };
  Yaql left = next();
  while (!isWrong) {
    auto found = llvm::find_if(operatorsAt(level), [&](StringRef sign) {
      return llvm::isAlpha(sign.front()) ? takeWord(sign) : takeSign(sign);
    });
    if (found == operatorsAt(level).end())
      return left;
    Yaql call{Kind::Call, found->str()};
    call.parts.push_back(std::move(left));
    call.parts.push_back(next());
    left = std::move(call);
  }
  return left;
}

Yaql YaqlParser::parseLet() {
  if (++depth > maxDepth)
    return fail();
  Yaql left = parseBinary(0);
  if (!isWrong && takeSign("->")) {
    Yaql let{Kind::Let};
    let.parts.push_back(std::move(left));
    let.parts.push_back(parseLet());
    left = std::move(let);
  }
  --depth;
  return left;
}

std::optional<Yaql> YaqlParser::parse() {
  Yaql query = parseLet();
  skipSpace();
  if (isWrong || !rest.empty())
    return std::nullopt;
  return query;
}

std::optional<Yaql> heat::parseYaql(StringRef text, ValueArena &arena) {
  // Chains of operators make trees as deep as the text is long.
  constexpr size_t longest = 1 << 14;
  if (text.size() > longest)
    return std::nullopt;
  return YaqlParser(text, arena).parse();
}
