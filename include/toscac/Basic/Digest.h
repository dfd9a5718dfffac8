//===- toscac/Basic/Digest.h - Checksums of files ---------------*- C++ -*-===//
///
/// \file
/// Digests as files state them: by the name of an algorithm, in hexadecimal.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_DIGEST_H
#define TOSCAC_BASIC_DIGEST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace toscac {

/// The digest of \p bytes in lower-case hexadecimal, or nothing where
/// \p algorithm is none of SHA-256, SHA-1 and MD5. `sha256`, `SHA_256` and the
/// like are understood; `SHA` is SHA-1.
std::optional<std::string> hexDigest(llvm::StringRef algorithm,
                                     llvm::StringRef bytes);

/// SHA-256 of bytes that come piece by piece.
class SHA256Digest {
public:
  SHA256Digest();
  ~SHA256Digest();

  void update(llvm::StringRef bytes);
  /// In lower-case hexadecimal; to be asked once.
  std::string hex();

private:
  struct Context;
  std::unique_ptr<Context> context;
};

/// SHA-256 of the regular file \p path, in lower-case hexadecimal. Pipes and
/// devices are refused, which may have no end.
llvm::Expected<std::string> fileDigest(llvm::StringRef path);

} // namespace toscac

#endif
