//===- Suggest.h - The name that was meant ----------------------*- C++ -*-===//
///
/// \file
/// The end of a message about a name that does not exist.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_VALUE_SUGGEST_H
#define TOSCAC_LIB_VALUE_SUGGEST_H

#include "toscac/Basic/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac {

/// "; did you mean 'x'?", or nothing, for things that have a `name`.
template <typename Range>
std::string didYouMean(llvm::StringRef word, const Range &candidates) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &candidate : candidates)
    names.push_back(candidate.name);
  if (std::optional<llvm::StringRef> near = nearestName(word, names))
    return ("; did you mean '" + *near + "'?").str();
  return "";
}

} // namespace toscac

#endif
