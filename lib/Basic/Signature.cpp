//===- Signature.cpp - Who made a file ------------------------------------===//
///
/// \file
/// A key of Ed25519 in PEM is a constant and 32 bytes (RFC 8410), so that no
/// reader of other keys has to be linked.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Signature.h"

#include "toscac/Basic/PrivateFile.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cctype>
#include <memory>
#include <openssl/evp.h>
#include <vector>

using namespace toscac;
using llvm::StringRef;

static constexpr size_t keySize = 32;
static constexpr size_t signatureSize = 64;

/// What stands before the bytes of a key.
static constexpr StringRef privateForm(
    "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20", 16);
static constexpr StringRef
    publicForm("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

static const unsigned char *bytes(StringRef text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

/// The 32 bytes of the key in \p pem, whose label is \p label.
static llvm::Expected<std::string> keyBytes(StringRef pem, StringRef label,
                                            StringRef form) {
  std::string begin = ("-----BEGIN " + label + "-----").str();
  std::string end = ("-----END " + label + "-----").str();
  auto [before, rest] = pem.split(begin);
  auto [body, after] = rest.split(end);
  if (rest.empty() || body.size() == rest.size())
    return llvm::createStringError("it has no line '" + begin + "'");
  std::string digits;
  for (char c : body)
    if (!isspace(static_cast<unsigned char>(c)))
      digits += c;
  std::vector<char> data;
  if (llvm::Error error = llvm::decodeBase64(digits, data))
    return error;
  StringRef key(data.data(), data.size());
  if (!key.consume_front(form) || key.size() != keySize)
    return llvm::createStringError("it is no key of Ed25519");
  return key.str();
}

static llvm::Error inFile(StringRef file, llvm::Error error) {
  return llvm::createStringError("'" + file +
                                 "': " + llvm::toString(std::move(error)));
}

std::string toscac::signatureFile(StringRef file) {
  return (file + ".sig").str();
}

llvm::Expected<std::string> toscac::sign(StringRef text, StringRef keyFile) {
  llvm::Expected<std::string> pem = readPrivateFile(keyFile);
  if (!pem)
    return inFile(keyFile, pem.takeError());
  llvm::Expected<std::string> raw = keyBytes(*pem, "PRIVATE KEY", privateForm);
  if (!raw)
    return inFile(keyFile, raw.takeError());
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes(*raw),
                                       raw->size()),
          EVP_PKEY_free);
  Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string result(signatureSize, '\0');
  size_t size = result.size();
  if (key &&
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) ==
          1 &&
      EVP_DigestSign(context.get(),
                     reinterpret_cast<unsigned char *>(result.data()), &size,
                     bytes(text), text.size()) == 1 &&
      size == signatureSize)
    return result;
  return llvm::createStringError("libcrypto cannot sign with '" + keyFile +
                                 "'");
}

llvm::Error toscac::verify(StringRef text, StringRef signature,
                           StringRef keyFile) {
  auto pem = llvm::MemoryBuffer::getFile(keyFile);
  if (!pem)
    return llvm::createStringError("'" + keyFile +
                                   "': " + pem.getError().message());
  llvm::Expected<std::string> raw =
      keyBytes((*pem)->getBuffer(), "PUBLIC KEY", publicForm);
  if (!raw)
    return inFile(keyFile, raw.takeError());
  Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes(*raw),
                                      raw->size()),
          EVP_PKEY_free);
  Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (key && signature.size() == signatureSize &&
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr,
                           key.get()) == 1 &&
      EVP_DigestVerify(context.get(), bytes(signature), signature.size(),
                       bytes(text), text.size()) == 1)
    return llvm::Error::success();
  return llvm::createStringError(
      "it was changed, or signed with another key than that of '" + keyFile +
      "'");
}
