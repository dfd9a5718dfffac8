//===- toscac/Basic/Seal.h - Encryption of small texts ----------*- C++ -*-===//
///
/// \file
/// Texts sealed with a key: whoever lacks it can neither read them nor change
/// them unnoticed. AES-256 in Galois/counter mode, by libcrypto.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_SEAL_H
#define TOSCAC_BASIC_SEAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>

namespace toscac {

class SealingKey {
public:
  /// Reads the key in the file \p path, which only its owner, who runs this
  /// program, may be able to read.
  static llvm::Expected<SealingKey> read(llvm::StringRef path);
  /// The same; where there is no such file it is made, with a new key.
  static llvm::Expected<SealingKey> readOrMake(llvm::StringRef path);
  /// A key from \p text: what is shorter than 16 characters is refused.
  static llvm::Expected<SealingKey> fromText(llvm::StringRef text);

  /// \p text, which only open() can read. Two calls never give the same.
  std::string seal(llvm::StringRef text) const;
  /// What seal() was given, with this key; else an error.
  llvm::Expected<std::string> open(llvm::StringRef sealed) const;

private:
  std::array<unsigned char, 32> key;
};

} // namespace toscac

#endif
