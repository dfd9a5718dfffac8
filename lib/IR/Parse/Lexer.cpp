//===- Lexer.cpp - Tokens of the graph's text form ------------------------===//

#include "Lexer.h"

#include "toscac/Basic/DiagnosticsIR.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

static bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Size of the bare name that \p text starts with. Dots, colons and hyphens
/// stand inside a name, never at its end.
static size_t bareNameSize(StringRef text) {
  if (text.empty() || !isNameStart(text.front()))
    return 0;
  size_t size = 1;
  while (size < text.size()) {
    size_t next = text.find_first_not_of(".:-", size);
    if (next == StringRef::npos || !isNamePart(text[next]))
      break;
    // One separator at a time, except that hyphens may be repeated.
    if (next - size > 1 && text.slice(size, next).count('-') != next - size)
      break;
    size = next + 1;
  }
  return size;
}

bool ir::isBareName(StringRef text) {
  return !text.empty() && bareNameSize(text) == text.size();
}

static size_t numberSize(StringRef text) {
  size_t size = text.starts_with("-");
  if (size == text.size() || !llvm::isDigit(text[size]))
    return 0;
  while (size < text.size()) {
    char c = text[size];
    bool isSign =
        (c == '-' || c == '+') && llvm::toLower(text[size - 1]) == 'e';
    // The dot behind an index belongs to a name: `site[0].vpn`.
    if (!llvm::isAlnum(c) && c != '.' && !isSign)
      break;
    ++size;
  }
  return size;
}

Lexer::Lexer(const SourceManager &sources, FileId file, DiagnosticEngine &diags)
    : rest(sources.text(file)), begin(rest.data()), base(sources.begin(file)),
      diags(diags) {
  rest.consume_front("\xEF\xBB\xBF");
  advance();
}

SourceRange Lexer::range(StringRef part) const {
  SourceLoc start = base.advanced(part.data() - begin);
  return {start, start.advanced(part.size())};
}

void Lexer::skipBlanks() {
  while (true) {
    rest = rest.ltrim(" \t\r\n");
    if (!rest.starts_with("#"))
      return;
    rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
  }
}

Token Lexer::take(TokenKind kind, size_t size) {
  Token token{kind, rest.take_front(size)};
  rest = rest.drop_front(size);
  return token;
}

Token Lexer::lexString() {
  size_t end = 1;
  while (true) {
    end = rest.find_first_of("\"\\\n", end);
    if (end == StringRef::npos || rest[end] == '\n')
      break;
    if (rest[end] == '"')
      return take(TokenKind::String, end + 1);
    end += 2;
  }
  size_t line = std::min(rest.find('\n'), rest.size());
  diags.report(range(rest.take_front(line)), diag::IrUnclosedString);
  return take(TokenKind::Unknown, line);
}

Token Lexer::lex() {
  // An ordinal follows its name without a blank.
  if (rest.starts_with("#") && !current.text.empty()) {
    size_t size = 1;
    while (size < rest.size() && llvm::isDigit(rest[size]))
      ++size;
    if (size > 1)
      return take(TokenKind::Ordinal, size);
  }
  skipBlanks();
  if (rest.empty())
    return take(TokenKind::End, 0);
  if (rest.starts_with("\""))
    return lexString();
  if (size_t size = bareNameSize(rest))
    return take(TokenKind::Word, size);
  if (size_t size = numberSize(rest))
    return take(TokenKind::Number, size);
  if (rest.starts_with("->"))
    return take(TokenKind::Punctuation, 2);
  if (StringRef("{}[]:,=./").contains(rest.front()))
    return take(TokenKind::Punctuation, 1);
  Token unknown = take(TokenKind::Unknown, 1);
  diags.report(range(unknown), diag::IrUnknownCharacter,
               llvm::isPrint(unknown.text[0])
                   ? unknown.text.str()
                   : "\\x" + llvm::toHex(unknown.text));
  return unknown;
}

void Lexer::advance() { current = lex(); }
