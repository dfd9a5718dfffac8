//===- SourceText.cpp - Where YAML tokens begin and end -------------------===//

#include "SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

static bool isBlank(char c) { return c == ' ' || c == '\t'; }
static bool isSpace(char c) { return isBlank(c) || c == '\n' || c == '\r'; }

size_t syntax::skipSpace(StringRef source, size_t at) {
  while (at < source.size()) {
    if (source[at] == '#')
      at = std::min(source.find('\n', at), source.size());
    else if (isSpace(source[at]))
      ++at;
    else
      break;
  }
  return at;
}

/// The characters that a tag goes on with in yaml-cpp.
static bool isTagCharacter(char c) {
  return llvm::isAlnum(c) || StringRef("-!%#;/?:@&=+$_.~*'()").contains(c);
}

size_t syntax::propertyEnd(StringRef source, size_t at) {
  StringRef text = source.substr(at);
  if (text.starts_with("!<"))
    return at + std::min(text.find('>'), text.size() - 1) + 1;
  if (text.starts_with("!"))
    return at + text.take_while(isTagCharacter).size();
  auto isAnchorCharacter = [](char c) {
    return !isSpace(c) && !StringRef("[]{},").contains(c);
  };
  return at + text.take_while(isAnchorCharacter).size();
}

size_t syntax::skipProperties(StringRef source, size_t at) {
  while (at < source.size() && (source[at] == '&' || source[at] == '!'))
    at = skipSpace(source, propertyEnd(source, at));
  return at;
}

ScalarStyle syntax::styleAt(StringRef source, size_t at) {
  if (at >= source.size())
    return ScalarStyle::Plain;
  switch (source[at]) {
  case '"':
    return ScalarStyle::DoubleQuoted;
  case '\'':
    return ScalarStyle::SingleQuoted;
  case '|':
    return ScalarStyle::Literal;
  case '>':
    return ScalarStyle::Folded;
  default:
    return ScalarStyle::Plain;
  }
}

static size_t doubleQuotedEnd(StringRef source, size_t at) {
  for (++at; at < source.size(); ++at) {
    if (source[at] == '"')
      return at + 1;
    if (source[at] == '\\')
      ++at;
  }
  return StringRef::npos;
}

static size_t singleQuotedEnd(StringRef source, size_t at) {
  for (++at; at < source.size(); ++at) {
    if (source[at] != '\'')
      continue;
    if (source.substr(at + 1, 1) != "'")
      return at + 1;
    ++at;
  }
  return StringRef::npos;
}

/// Plain and block scalars only fold or strip white space: the value has the
/// same other bytes as the source, in the same order.
static size_t endAfter(StringRef source, size_t at, StringRef value) {
  auto isInk = [](char c) { return !isSpace(c); };
  auto ink = static_cast<size_t>(llvm::count_if(value, isInk));
  for (; ink > 0 && at < source.size(); ++at)
    ink -= isInk(source[at]);
  return at;
}

size_t syntax::scalarEnd(StringRef source, size_t at, ScalarStyle style,
                         StringRef value) {
  switch (style) {
  case ScalarStyle::Plain:
    if (source.substr(at, value.size()) == value)
      return at + value.size();
    return endAfter(source, at, value);
  case ScalarStyle::DoubleQuoted:
    return doubleQuotedEnd(source, at);
  case ScalarStyle::SingleQuoted:
    return singleQuotedEnd(source, at);
  case ScalarStyle::Literal:
  case ScalarStyle::Folded: {
    size_t header = std::min(source.find('\n', at), source.size());
    size_t end = endAfter(source, header, value);
    return end == header ? at + 1 : end;
  }
  }
  llvm_unreachable("all styles are handled");
}

size_t syntax::flowEnd(StringRef source, size_t at, char bracket) {
  while (at < source.size()) {
    at = skipSpace(source, at);
    if (at < source.size() && source[at++] == bracket)
      return at;
  }
  return source.size();
}

size_t syntax::nullWordAt(StringRef source, size_t at) {
  for (StringRef word : {"~", "null", "Null", "NULL"})
    if (source.substr(at).starts_with(word)) {
      size_t end = at + word.size();
      if (end == source.size() || isSpace(source[end]) ||
          StringRef(",]}:").contains(source[end]))
        return word.size();
    }
  return 0;
}

static size_t lineStartOf(StringRef source, size_t at) {
  size_t newline = source.rfind('\n', at);
  // rfind looks below `at`, so a line break at `at` itself does not count.
  return newline == StringRef::npos ? 0 : newline + 1;
}

size_t syntax::columnOf(StringRef source, size_t at) {
  return at - lineStartOf(source, at);
}

StringRef syntax::indentationOf(StringRef source, size_t at) {
  return source.substr(lineStartOf(source, at)).take_while(isBlank);
}

bool syntax::startsLine(StringRef source, size_t at) {
  size_t start = lineStartOf(source, at);
  return llvm::all_of(source.slice(start, at), isBlank);
}
