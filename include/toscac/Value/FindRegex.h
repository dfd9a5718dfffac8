//===- toscac/Value/FindRegex.h - Matches with their groups -----*- C++ -*-===//

#ifndef TOSCAC_VALUE_FINDREGEX_H
#define TOSCAC_VALUE_FINDREGEX_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace toscac {

/// Parts of the text that was searched.
struct RegexMatch {
  /// The whole, then each group; nothing where a group took no part.
  std::vector<std::optional<llvm::StringRef>> groups;
  std::map<std::string, size_t> names;
};

/// The first match of \p pattern, in the syntax of RE2, from \p from on;
/// nothing inside where there is none, and nothing at all where the pattern has
/// no meaning.
std::optional<std::optional<RegexMatch>>
findRegex(llvm::StringRef text, llvm::StringRef pattern, size_t from);

} // namespace toscac

#endif
