//===- toscac/Basic/PrivateFile.h - Files of one user -----------*- C++ -*-===//
///
/// \file
/// Files and folders that nobody else is to look into: made with mode 0600 or
/// 0700, and refused where a link stands in their place or another user owns
/// them, who could read or exchange what is in them. Errors do not name the
/// file.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_PRIVATEFILE_H
#define TOSCAC_BASIC_PRIVATEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace toscac {

/// Whether \p path may be used: it is no link and ours, or does not exist.
llvm::Error checkOwnFile(llvm::StringRef path);
/// Reads the file \p path, which nobody else may be able to read.
llvm::Expected<std::string> readPrivateFile(llvm::StringRef path);
/// Makes the file \p path with \p text, all at once. One that exists is left as
/// it is.
llvm::Error makePrivateFile(llvm::StringRef path, llvm::StringRef text);
/// Makes the folder \p path, and those above it that are missing; one that
/// exists must be ours.
llvm::Error makePrivateFolder(llvm::StringRef path);

} // namespace toscac

#endif
