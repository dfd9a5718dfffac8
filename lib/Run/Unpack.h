//===- Unpack.h - Artifacts in a CSAR ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_UNPACK_H
#define TOSCAC_LIB_RUN_UNPACK_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac::run {

/// Unpacks the zip file or tarball \p archive into the new folder \p target.
/// Entries that would land outside of it are refused. Returns what went wrong,
/// or nothing.
std::string unpackArchive(llvm::StringRef archive, llvm::StringRef target);

} // namespace toscac::run

#endif
