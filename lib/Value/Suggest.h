//===- Suggest.h - The name that was meant ----------------------*- C++ -*-===//
///
/// \file
/// The end of a message about a name that does not exist.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_VALUE_SUGGEST_H
#define TOSCAC_LIB_VALUE_SUGGEST_H

#include "toscac/Basic/Suggest.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac {

inline std::string didYouMean(llvm::StringRef word,
                              llvm::ArrayRef<Unit> units) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const Unit &unit : units)
    names.push_back(unit.name);
  return didYouMean(word, names);
}

inline std::string didYouMean(llvm::StringRef word, const Type &record) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &[name, property] : record.properties)
    names.push_back(name);
  return didYouMean(word, names);
}

} // namespace toscac

#endif
