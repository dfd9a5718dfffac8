//===- RunFolderName.h - What marks the steps of a folder -------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_RUNFOLDERNAME_H
#define TOSCAC_LIB_RUN_RUNFOLDERNAME_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace toscac::run {

/// Marks the processes of steps that another engine runs in \p folder, a real
/// path.
inline std::string runNameOf(llvm::StringRef folder) {
  return llvm::utohexstr(llvm::xxh3_64bits(folder));
}

} // namespace toscac::run

#endif
