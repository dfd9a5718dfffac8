//===- Cursor.cpp - The cursor in the tree --------------------------------===//

#include "Cursor.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-' ||
         c == '@' || c == '/';
}

WordAt edit::wordAt(StringRef text, size_t offset) {
  size_t begin = offset;
  while (begin > 0) {
    char c = text[begin - 1];
    // `ns:Type` is a word, `type:` is not part of one.
    bool isPrefix = c == ':' && begin < offset && isWordChar(text[begin]) &&
                    begin > 1 && isWordChar(text[begin - 2]);
    if (!isWordChar(c) && !isPrefix)
      break;
    --begin;
  }
  size_t end = offset;
  while (end < text.size() && isWordChar(text[end]))
    ++end;
  return {begin, end, text.slice(begin, end), offset};
}

/// The brackets that are open at the end of \p line.
static std::string openBrackets(StringRef line) {
  std::string open;
  char quote = 0;
  for (char c : line) {
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      open += c;
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    } else if (c == '#') {
      break;
    }
  }
  return open;
}

static std::string closing(StringRef open) {
  std::string result;
  for (char c : llvm::reverse(open))
    result += c == '[' ? ']' : '}';
  return result;
}

static std::optional<Marked> read(std::string text, size_t at, bool isNewKey) {
  Marked marked;
  marked.outline = std::make_unique<Outline>(std::move(text));
  marked.place = findPlace(*marked.outline, at + 1);
  if (marked.place.nodes.empty())
    return std::nullopt;
  marked.node = marked.place.nodes.back();
  marked.isNewKey = isNewKey;
  bool isMark = marked.node->isScalar() && marked.node->text().contains(mark);
  return isMark ? std::optional(std::move(marked)) : std::nullopt;
}

std::vector<Marked> edit::placeMark(StringRef text, const WordAt &word) {
  size_t lineBegin = text.rfind('\n', word.begin) + 1;
  size_t lineEnd = std::min(text.find('\n', word.end), text.size());
  StringRef before = text.slice(lineBegin, word.begin);
  StringRef after = text.slice(word.end, lineEnd);
  StringRef rest = after.trim(" \t\r");
  bool isKey = rest.starts_with(":");
  StringRef lead = before.ltrim(" ");
  while (lead.consume_front("- "))
    lead = lead.ltrim(" ");
  bool isBlock =
      lead.empty() && !isKey && (rest.empty() || rest.starts_with("#"));
  std::string open = openBrackets((before + after).str());
  auto with = [&](StringRef added, StringRef tail) {
    return (text.take_front(word.begin) + mark + added + after + tail +
            text.drop_front(lineEnd))
        .str();
  };
  std::vector<Marked> result;
  auto attempt = [&](StringRef added, StringRef tail, bool isNewKey) {
    if (auto marked = read(with(added, tail), word.begin, isNewKey)) {
      marked->hasColon = isKey;
      result.push_back(std::move(*marked));
    }
  };
  if (isBlock)
    attempt(":", "", /*isNewKey=*/true);
  if (!open.empty())
    attempt("", closing(open), /*isNewKey=*/false);
  if (result.empty() || isBlock)
    attempt("", "", /*isNewKey=*/false);
  return result;
}
