//===- TopLevelKey.cpp - What a file is about -----------------------------===//

#include "toscac/Parse/TopLevelKey.h"

using namespace toscac;
using llvm::StringRef;

bool toscac::hasTopLevelKey(StringRef text, StringRef key) {
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
