//===- CsarDigests.cpp - Digests stated in TOSCA.meta ---------------------===//

#include "CsarDigests.h"

#include "ToscaMeta.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Digest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace toscac;
using llvm::StringRef;

static bool isDigestKeyname(StringRef keyname) {
  return keyname.ends_with_insensitive("-Digest");
}

const MetaPair *toscac::findDigestedFile(const MetaBlock &block) {
  const MetaPair *file = block.find("Name");
  if (!file)
    file = block.find("Source");
  bool stated = block.find("Hash") || block.find("Algorithm") ||
                llvm::any_of(block.pairs, [](const MetaPair &pair) {
                  return isDigestKeyname(pair.keyname);
                });
  return stated ? file : nullptr;
}

/// Base64 to lower-case hexadecimal; nothing where \p text is not base64.
static std::optional<std::string> hexFromBase64(StringRef text) {
  std::vector<char> bytes;
  if (llvm::Error error = llvm::decodeBase64(text, bytes)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return llvm::toHex(StringRef(bytes.data(), bytes.size()),
                     /*LowerCase=*/true);
}

void DigestCheck::check(StringRef file, StringRef bytes, StringRef algorithm,
                        const MetaPair &stated, bool isBase64) {
  auto [entry, isNew] = known.try_emplace({bytes.data(), algorithm.lower()});
  std::optional<std::string> &actual = entry->second;
  if (isNew)
    actual = hexDigest(algorithm, bytes);
  if (!actual) {
    diags.report(stated.keynameRange, diag::DigestNotChecked, file, algorithm);
    return;
  }
  // A long value may be spread over lines.
  std::string text = stated.value;
  llvm::erase(text, ' ');
  std::optional<std::string> expected =
      isBase64 ? hexFromBase64(text) : StringRef(text).lower();
  if (!expected || expected->size() != actual->size() ||
      !llvm::all_of(*expected, llvm::isHexDigit))
    diags.report(stated.valueRange, diag::MalformedDigest, stated.value,
                 algorithm, isBase64 ? "base64" : "hexadecimal");
  else if (*expected != *actual)
    diags.report(stated.valueRange, diag::DigestMismatch, file, algorithm,
                 *actual, *expected);
}

void DigestCheck::run(const MetaBlock &block, const MetaPair &file,
                      StringRef bytes) {
  for (const MetaPair &pair : block.pairs)
    if (isDigestKeyname(pair.keyname))
      check(file.value, bytes, pair.keyname.drop_back(strlen("-Digest")), pair,
            /*isBase64=*/true);
  const MetaPair *algorithm = block.find("Algorithm");
  const MetaPair *hash = block.find("Hash");
  if (algorithm && hash)
    check(file.value, bytes, algorithm->value, *hash, /*isBase64=*/false);
  else if (algorithm)
    diags.report(file.keynameRange, diag::IncompleteDigest, file.value,
                 "Algorithm", "Hash");
  else if (hash)
    diags.report(file.keynameRange, diag::IncompleteDigest, file.value, "Hash",
                 "Algorithm");
}
