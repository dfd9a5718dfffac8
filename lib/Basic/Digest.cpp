//===- Digest.cpp - Checksums of files ------------------------------------===//

#include "toscac/Basic/Digest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/SHA256.h"

using namespace toscac;

std::optional<std::string> toscac::hexDigest(llvm::StringRef algorithm,
                                             llvm::StringRef bytes) {
  llvm::ArrayRef<uint8_t> data = llvm::arrayRefFromStringRef(bytes);
  auto is = [&](llvm::StringRef name) {
    return algorithm.equals_insensitive(name);
  };
  if (is("SHA-256") || is("SHA256") || is("SHA_256"))
    return llvm::toHex(llvm::SHA256::hash(data), /*LowerCase=*/true);
  if (is("SHA-1") || is("SHA1") || is("SHA_1") || is("SHA"))
    return llvm::toHex(llvm::SHA1::hash(data), /*LowerCase=*/true);
  if (is("MD5") || is("MD-5"))
    return llvm::toHex(llvm::MD5::hash(data), /*LowerCase=*/true);
  return std::nullopt;
}
