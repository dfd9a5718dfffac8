//===- TemplateExprParser.cpp - Expressions in templates ------------------===//
///
/// \file
/// expression := primary ( '.' call | '[' expression ']' )*
/// primary    := text | integer | call
/// call       := name [ '(' argument, … ')' ] [ '{' '|' name '|' expression '}'
/// ] argument   := expression | '&' ':' name
///
//===----------------------------------------------------------------------===//

#include "TemplateExprParser.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

namespace {

class ExprReader {
public:
  ExprReader(StringRef code, SourceLoc start, DiagnosticEngine &diags)
      : code(code), rest(code), start(start), diags(diags) {}

  bool readAll(TemplateExpr &result);

private:
  /// Longer chains and deeper nests are no templates.
  static constexpr unsigned maxDepth = 100;

  bool read(TemplateExpr &result, unsigned depth);
  bool readPrimary(TemplateExpr &result, unsigned depth);
  bool readCall(TemplateExpr &result, unsigned depth);
  bool readArguments(TemplateExpr &result, unsigned depth);
  bool readArgument(TemplateExpr &result, unsigned depth);
  bool readBody(TemplateExpr &result, unsigned depth);
  bool readString(TemplateExpr &result);
  StringRef readName();
  bool fail();

  bool eat(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  SourceLoc here() const { return start.advanced(code.size() - rest.size()); }

  StringRef code;
  StringRef rest;
  SourceLoc start;
  DiagnosticEngine &diags;
};

} // namespace

bool ExprReader::fail() {
  diags.report({here(), start.advanced(code.size())},
               diag::TemplateNotSupported,
               rest.empty() ? "an expression that ends here" : "this code");
  return false;
}

StringRef ExprReader::readName() {
  rest = rest.ltrim();
  if (rest.empty() || llvm::isDigit(rest.front()))
    return {};
  StringRef name =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  rest = rest.drop_front(name.size());
  return name;
}

/// Texts with escapes or insertions are more than links need.
bool ExprReader::readString(TemplateExpr &result) {
  char quote = rest.front();
  size_t end = rest.find(quote, 1);
  StringRef content = rest.slice(1, end);
  if (end == StringRef::npos || content.contains('\\') ||
      (quote == '"' && content.contains("#{")))
    return fail();
  result.kind = TemplateExpr::Kind::String;
  result.text = content.str();
  rest = rest.drop_front(end + 1);
  return true;
}

bool ExprReader::readArgument(TemplateExpr &result, unsigned depth) {
  if (!eat("&:"))
    return read(result, depth + 1);
  result.kind = TemplateExpr::Kind::Symbol;
  result.text = readName().str();
  return !result.text.empty() || fail();
}

bool ExprReader::readArguments(TemplateExpr &result, unsigned depth) {
  if (!eat("("))
    return true;
  result.kind = TemplateExpr::Kind::Call;
  if (eat(")"))
    return true;
  do {
    if (!readArgument(result.arguments.emplace_back(), depth))
      return false;
  } while (eat(","));
  return eat(")") || fail();
}

bool ExprReader::readBody(TemplateExpr &result, unsigned depth) {
  if (!eat("{"))
    return true;
  result.kind = TemplateExpr::Kind::Call;
  if (!eat("|"))
    return fail();
  result.parameter = readName().str();
  if (result.parameter.empty() || !eat("|"))
    return fail();
  result.body = std::make_unique<TemplateExpr>();
  return read(*result.body, depth + 1) && (eat("}") || fail());
}

bool ExprReader::readCall(TemplateExpr &result, unsigned depth) {
  result.text = readName().str();
  if (result.text.empty())
    return fail();
  return readArguments(result, depth) && readBody(result, depth);
}

bool ExprReader::readPrimary(TemplateExpr &result, unsigned depth) {
  rest = rest.ltrim();
  if (depth > maxDepth || rest.empty())
    return fail();
  if (rest.front() == '"' || rest.front() == '\'')
    return readString(result);
  if (llvm::isDigit(rest.front())) {
    result.kind = TemplateExpr::Kind::Integer;
    return !rest.consumeInteger(10, result.number) || fail();
  }
  return readCall(result, depth);
}

bool ExprReader::read(TemplateExpr &result, unsigned depth) {
  rest = rest.ltrim();
  SourceLoc first = here();
  if (!readPrimary(result, depth))
    return false;
  result.range = {first, here()};
  for (unsigned length = 0;; ++length) {
    bool isCall = eat(".");
    bool isIndex = !isCall && rest.starts_with("[") && eat("[");
    if (!isCall && !isIndex)
      return true;
    if (length > maxDepth)
      return fail();
    TemplateExpr next;
    next.kind = isCall ? TemplateExpr::Kind::Call : TemplateExpr::Kind::Index;
    next.receiver = std::make_unique<TemplateExpr>(std::move(result));
    bool good = isCall ? readCall(next, depth)
                       : read(next.arguments.emplace_back(), depth + 1) &&
                             (eat("]") || fail());
    if (!good)
      return false;
    next.range = {first, here()};
    result = std::move(next);
  }
}

bool ExprReader::readAll(TemplateExpr &result) {
  if (!read(result, 0))
    return false;
  rest = rest.ltrim();
  return rest.empty() || fail();
}

bool bosh::parseTemplateExpr(StringRef code, SourceLoc start,
                             DiagnosticEngine &diags, TemplateExpr &result) {
  return ExprReader(code, start, diags).readAll(result);
}
