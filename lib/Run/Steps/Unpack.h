//===- Unpack.h - Artifacts in a CSAR ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_UNPACK_H
#define TOSCAC_LIB_RUN_UNPACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac::run {

/// Unpacks the zip file or tarball \p archive into the folder \p target: files
/// and folders of ours, and nothing else. \p digestOf gives the digest, in
/// hexadecimal, that the file of a name must have; empty: any. Returns what
/// went wrong, or nothing.
std::string
unpackArchive(llvm::StringRef archive, llvm::StringRef target,
              llvm::function_ref<llvm::StringRef(llvm::StringRef)> digestOf);

} // namespace toscac::run

#endif
