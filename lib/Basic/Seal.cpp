//===- Seal.cpp - Encryption of small texts -------------------------------===//
///
/// \file
/// A sealed text is, in base64: a byte with the version of this form, twelve
/// random bytes, what was encrypted, and sixteen bytes by which a change is
/// seen.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Seal.h"

#include "toscac/Basic/Digest.h"
#include "toscac/Basic/PrivateFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/ErrorHandling.h"
#include <fcntl.h>
#include <memory>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <unistd.h>
#include <vector>

using namespace toscac;
using llvm::StringRef;

static constexpr char form = 1;
static constexpr int nonceSize = 12;
static constexpr int tagSize = 16;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

static const unsigned char *bytes(StringRef text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

llvm::Expected<SealingKey> SealingKey::fromText(StringRef text) {
  text = text.trim();
  if (text.size() < 16)
    return llvm::createStringError("a key has at least 16 characters; "
                                   "'openssl rand -hex 32' makes a good one");
  std::optional<std::string> digest =
      hexDigest("sha256", ("toscac sealing key\n" + text).str());
  SealingKey result;
  std::string key = llvm::fromHex(*digest);
  std::copy(key.begin(), key.end(), result.key.begin());
  return result;
}

llvm::Expected<SealingKey> SealingKey::read(StringRef path) {
  llvm::Expected<std::string> text = readPrivateFile(path);
  llvm::Expected<SealingKey> key = text ? fromText(*text) : text.takeError();
  if (!key)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(key.takeError()));
  return key;
}

llvm::Expected<SealingKey> SealingKey::readOrMake(StringRef path) {
  std::array<uint8_t, 32> random;
  if (access(path.str().c_str(), F_OK) == 0)
    return read(path);
  if (RAND_bytes(random.data(), random.size()) != 1)
    return llvm::createStringError("the system gives no random numbers");
  std::string text = llvm::toHex(random, /*LowerCase=*/true) + "\n";
  // Somebody may make one at the same time: the first counts for both.
  if (llvm::Error error = makePrivateFile(path, text))
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(std::move(error)));
  return read(path);
}

std::string SealingKey::seal(StringRef text) const {
  std::string result(1 + nonceSize + text.size() + tagSize, '\0');
  result[0] = form;
  auto *out = reinterpret_cast<unsigned char *>(result.data());
  Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int size = 0;
  bool isGood =
      RAND_bytes(out + 1, nonceSize) == 1 &&
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(),
                         out + 1) == 1 &&
      // What was sealed in one form is not read in another.
      EVP_EncryptUpdate(cipher.get(), nullptr, &size, out, 1) == 1 &&
      EVP_EncryptUpdate(cipher.get(), out + 1 + nonceSize, &size, bytes(text),
                        static_cast<int>(text.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), out + 1 + nonceSize + size, &size) ==
          1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, tagSize,
                          out + result.size() - tagSize) == 1;
  // Nothing may be stored instead.
  if (!isGood)
    llvm::report_fatal_error("libcrypto cannot encrypt");
  return llvm::encodeBase64(result);
}

llvm::Expected<std::string> SealingKey::open(StringRef sealed) const {
  std::vector<char> data;
  if (llvm::Error error = llvm::decodeBase64(sealed, data))
    return error;
  if (data.size() < 1 + nonceSize + tagSize || data[0] != form)
    return llvm::createStringError("it is in an unknown form");
  size_t length = data.size() - 1 - nonceSize - tagSize;
  std::string text(length, '\0');
  auto *in = reinterpret_cast<unsigned char *>(data.data());
  auto *out = reinterpret_cast<unsigned char *>(text.data());
  Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int size = 0;
  bool isGood = EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr,
                                   key.data(), in + 1) == 1 &&
                EVP_DecryptUpdate(cipher.get(), nullptr, &size, in, 1) == 1 &&
                EVP_DecryptUpdate(cipher.get(), out, &size, in + 1 + nonceSize,
                                  static_cast<int>(length)) == 1 &&
                EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, tagSize,
                                    in + data.size() - tagSize) == 1 &&
                EVP_DecryptFinal_ex(cipher.get(), out + size, &size) == 1;
  if (!isGood)
    return llvm::createStringError("it was sealed with another key");
  return text;
}
