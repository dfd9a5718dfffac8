//===- FoldReasons.cpp - Many reasons as one ------------------------------===//

#include "FoldReasons.h"

#include "FoldNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::StringRef;

/// Where the part of a reason that \p text begins with ends: at a comma that is
/// in no string, list or map.
static size_t endOfPart(StringRef text) {
  int depth = 0;
  bool isQuoted = false;
  for (size_t i = 0; i != text.size(); ++i) {
    char c = text[i];
    if (isQuoted) {
      i += c == '\\' && i + 1 != text.size();
      isQuoted = c != '"';
    } else if (c == '"') {
      isQuoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (depth == 0 && text.drop_front(i).starts_with(", ")) {
      return i;
    }
  }
  return text.size();
}

std::string planfile::changedNames(StringRef reason) {
  std::vector<std::string> names;
  while (!reason.empty()) {
    StringRef part = reason.take_front(endOfPart(reason));
    reason = reason.drop_front(part.size());
    reason.consume_front(", ");
    auto [name, values] = part.split(": ");
    bool isRest = name.starts_with("and ") && values.empty();
    if (!isRest && !values.contains(" -> "))
      return "";
    std::string own = isRest ? "more" : withoutIndices(name);
    if (!llvm::is_contained(names, own))
      names.push_back(own);
  }
  return llvm::join(names, ", ");
}

std::string planfile::foldReason(StringRef reason) {
  std::string names = changedNames(reason);
  if (StringRef(names).contains(", "))
    return names + " change";
  StringRef first = reason.take_front(endOfPart(reason));
  return names + " changes, such as " + first.split(": ").second.str();
}
