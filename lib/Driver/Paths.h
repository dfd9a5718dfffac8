//===- Paths.h - Where files are --------------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_PATHS_H
#define TOSCAC_LIB_DRIVER_PATHS_H

#include "toscac/Driver/Driver.h"

namespace toscac {

/// \p name, or the working folder if it is empty, as an absolute path.
std::string absolutePath(llvm::StringRef name);

/// \p file as seen from \p folder; both are absolute.
std::string relativePath(llvm::StringRef file, llvm::StringRef folder);

/// The file that the plan goes to; empty: standard output.
std::string planFile(const DriverOptions &options);

} // namespace toscac

#endif
