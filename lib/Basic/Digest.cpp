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
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
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

llvm::Expected<std::string> toscac::fileDigest(llvm::StringRef path) {
  auto fail = [] {
    return llvm::createStringError(std::generic_category().message(errno));
  };
  int file =
      open(path.str().c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0)
    return fail();
  auto closer = llvm::make_scope_exit([&] { close(file); });
  struct stat status;
  if (fstat(file, &status) != 0)
    return fail();
  if (!S_ISREG(status.st_mode))
    return llvm::createStringError("it is no regular file");
  SHA256Digest digest;
  std::vector<char> chunk(1 << 16);
  ssize_t size;
  while ((size = read(file, chunk.data(), chunk.size())) > 0)
    digest.update({chunk.data(), static_cast<size_t>(size)});
  if (size < 0)
    return fail();
  return digest.hex();
}
