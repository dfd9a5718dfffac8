//===- TopLevelKey.cpp - What a file is about -----------------------------===//

#include "toscac/Parse/TopLevelKey.h"

using namespace toscac;
using llvm::StringRef;

/// The same in JSON, where a key may stand anywhere in a line.
static bool hasKeyInJSON(StringRef text, StringRef key) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '{' || c == '[')
      ++depth;
    if ((c == '}' || c == ']') && depth > 0)
      --depth;
    if (c != '"')
      continue;
    size_t end = at + 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    bool isKey = text.substr(end).drop_front().ltrim().starts_with(":");
    if (depth == 1 && isKey && text.slice(at + 1, end) == key)
      return true;
    at = end;
  }
  return false;
}

bool toscac::hasTopLevelKey(StringRef text, StringRef key) {
  if (text.ltrim().starts_with("{"))
    return hasKeyInJSON(text, key);
  for (size_t at = text.find(key); at != StringRef::npos;
       at = text.find(key, at + 1)) {
    StringRef before = text.take_front(at).rtrim("\"'");
    bool startsLine =
        before.empty() || before.back() == '\n' || before == "\xEF\xBB\xBF";
    StringRef after = text.drop_front(at + key.size()).ltrim("\"'");
    bool endsWord = after.ltrim(' ').starts_with(":");
    if (startsLine && endsWord)
      return true;
  }
  return false;
}
