//===- toscac/Basic/Signature.h - Who made a file ---------------*- C++ -*-===//
///
/// \file
/// Signatures of files: Ed25519 by libcrypto, with keys as 'openssl genpkey
/// -algorithm ed25519' and 'openssl pkey -pubout' write them. A signature lies
/// beside its file, 64 bytes in `FILE.sig`, which openssl can check as well.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_SIGNATURE_H
#define TOSCAC_BASIC_SIGNATURE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace toscac {

/// Where the signature of \p file is.
std::string signatureFile(llvm::StringRef file);

/// The signature of \p text by the private key in \p keyFile, which nobody else
/// may be able to read.
llvm::Expected<std::string> sign(llvm::StringRef text, llvm::StringRef keyFile);

/// Why \p signature is not that of \p text by the owner of the public key in
/// \p keyFile.
llvm::Error verify(llvm::StringRef text, llvm::StringRef signature,
                   llvm::StringRef keyFile);

} // namespace toscac

#endif
