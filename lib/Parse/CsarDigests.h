//===- CsarDigests.h - Digests stated in TOSCA.meta -------------*- C++ -*-===//
///
/// \file
/// Blocks of TOSCA.meta that describe a file state its digest, as manifests of
/// JAR files do (`Name`, `SHA-256-Digest` in base64), or as ETSI SOL004 does
/// (`Source`, `Algorithm`, `Hash` in hexadecimal).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_CSARDIGESTS_H
#define TOSCAC_LIB_PARSE_CSARDIGESTS_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>

namespace toscac {
class DiagnosticEngine;
struct MetaBlock;
struct MetaPair;

/// The pair of \p block that names the file whose digest the block states; null
/// for blocks without digests.
const MetaPair *findDigestedFile(const MetaBlock &block);

/// Verifies stated digests. Each file is read once per algorithm, however
/// often TOSCA.meta names it.
class DigestCheck {
public:
  explicit DigestCheck(DiagnosticEngine &diags) : diags(diags) {}

  /// Verifies the digests of \p block against the \p bytes of the file that
  /// \p file names.
  void run(const MetaBlock &block, const MetaPair &file, llvm::StringRef bytes);

private:
  void check(llvm::StringRef file, llvm::StringRef bytes,
             llvm::StringRef algorithm, const MetaPair &stated, bool isBase64);

  DiagnosticEngine &diags;
  /// By the address of the file's bytes and the algorithm in lower case.
  std::map<std::pair<const char *, std::string>, std::optional<std::string>>
      known;
};

} // namespace toscac

#endif
