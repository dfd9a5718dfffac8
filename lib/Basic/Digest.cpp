//===- Digest.cpp - Checksums of files ------------------------------------===//
///
/// \file
/// SHA-256 is libcrypto's, which uses the processor's instructions for it where
/// there are any: a state of a million instances is hashed for each plan. The
/// functions that suit one algorithm only are deprecated there, and the only
/// ones that can be linked without all the rest.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Digest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"
#include <array>
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

using namespace toscac;

struct SHA256Digest::Context {
  SHA256_CTX content;
};

SHA256Digest::SHA256Digest() : context(std::make_unique<Context>()) {
  SHA256_Init(&context->content);
}

SHA256Digest::~SHA256Digest() = default;

void SHA256Digest::update(llvm::StringRef bytes) {
  SHA256_Update(&context->content, bytes.data(), bytes.size());
}

std::string SHA256Digest::hex() {
  std::array<uint8_t, SHA256_DIGEST_LENGTH> digest;
  SHA256_Final(digest.data(), &context->content);
  return llvm::toHex(digest, /*LowerCase=*/true);
}

std::optional<std::string> toscac::hexDigest(llvm::StringRef algorithm,
                                             llvm::StringRef bytes) {
  llvm::ArrayRef<uint8_t> data = llvm::arrayRefFromStringRef(bytes);
  auto is = [&](llvm::StringRef name) {
    return algorithm.equals_insensitive(name);
  };
  if (is("SHA-256") || is("SHA256") || is("SHA_256")) {
    SHA256Digest digest;
    digest.update(bytes);
    return digest.hex();
  }
  if (is("SHA-1") || is("SHA1") || is("SHA_1") || is("SHA"))
    return llvm::toHex(llvm::SHA1::hash(data), /*LowerCase=*/true);
  if (is("MD5") || is("MD-5"))
    return llvm::toHex(llvm::MD5::hash(data), /*LowerCase=*/true);
  return std::nullopt;
}
