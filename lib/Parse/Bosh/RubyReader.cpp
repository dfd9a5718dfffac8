//===- RubyReader.cpp - The characters of a template ----------------------===//

#include "RubyReader.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

bool bosh::isKeyword(StringRef word) {
  static constexpr StringRef words[] = {
      "if",     "unless", "while",  "until",   "and",    "or",   "not",
      "then",   "do",     "end",    "else",    "elsif",  "case", "when",
      "begin",  "rescue", "ensure", "def",     "return", "next", "break",
      "true",   "false",  "nil",    "self",    "yield",  "for",  "in",
      "lambda", "class",  "module", "defined?"};
  return llvm::is_contained(words, word);
}

static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

void RubyReader::skipBlanks() {
  while (true) {
    char c = peek();
    if (c == '\\' && peek(1) == '\n')
      at += 2;
    else if (c == ' ' || c == '\t' || c == '\r')
      ++at;
    else
      return;
  }
}

void RubyReader::skipLines(bool semicolons) {
  while (true) {
    skipBlanks();
    if (peek() == '\n') {
      auto jump = jumps.find(at);
      at = jump == jumps.end() ? at + 1 : jump->second;
    } else if (semicolons && peek() == ';') {
      ++at;
    } else if (peek() == '#') {
      while (!isAtEnd() && peek() != '\n' && !isAtTagEnd())
        ++at;
    } else {
      return;
    }
  }
}

bool RubyReader::eat(StringRef sign) {
  skipBlanks();
  if (!startsWith(sign))
    return false;
  at += sign.size();
  return true;
}

bool RubyReader::isWord(StringRef word) const {
  char after = peek(word.size());
  return startsWith(word) && !isNamePart(after) &&
         !((after == '?' || after == '!') && peek(word.size() + 1) != '=') &&
         !(after == ':' && peek(word.size() + 1) != ':');
}

bool RubyReader::eatWord(StringRef word) {
  skipBlanks();
  if (!isWord(word))
    return false;
  at += word.size();
  return true;
}

StringRef RubyReader::readName() {
  if (!llvm::isAlpha(peek()) && peek() != '_')
    return "";
  size_t first = at;
  while (isNamePart(peek()))
    ++at;
  bool isMarked = (peek() == '?' || peek() == '!') && peek(1) != '=';
  // `a ?b :c` is rare, `a?:b` is `a ? :b`.
  if (isMarked && !(peek() == '?' && peek(1) == ':'))
    ++at;
  return text.slice(first, at);
}

RubyFailure RubyReader::fail(StringRef what, size_t first) {
  if (!hasFailed) {
    size_t end = first;
    while (end < text.size() && text[end] != '\n' && end - first < 60 &&
           !text.substr(end).starts_with("%>"))
      ++end;
    SourceRange range{start.advanced(first),
                      start.advanced(std::max(end, first + 1))};
    diags.report(range, diag::TemplateNotSupported, what);
  }
  hasFailed = true;
  return {};
}
