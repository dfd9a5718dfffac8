//===- CheckEncoding.cpp - Bytes that YAML allows -------------------------===//
///
/// \file
/// Looks at every byte once, before anything else reads the file.
///
//===----------------------------------------------------------------------===//

#include "CheckEncoding.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace toscac;
using llvm::StringRef;

size_t syntax::findForbiddenByte(StringRef source) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(source.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(source.end());
  for (const llvm::UTF8 *at = begin; at != end;) {
    if (*at >= 0x20 && *at < 0x7F) {
      ++at;
      continue;
    }
    bool isLineEnd = *at == '\r' && at + 1 != end && at[1] == '\n';
    if (*at == '\n' || *at == '\t' || isLineEnd) {
      ++at;
      continue;
    }
    unsigned length = llvm::getNumBytesForUTF8(*at);
    bool isControl = *at < 0x20 || *at == 0x7F;
    if (isControl || size_t(end - at) < length ||
        !llvm::isLegalUTF8Sequence(at, at + length))
      return at - begin;
    at += length;
  }
  return StringRef::npos;
}

bool syntax::checkEncoding(StringRef source, SourceLoc base,
                           DiagnosticEngine &diags) {
  if (source.starts_with("\xFF\xFE") || source.starts_with("\xFE\xFF")) {
    diags.report(base, diag::WrongEncoding, "UTF-16");
    return false;
  }
  size_t bad = findForbiddenByte(source);
  if (bad == StringRef::npos)
    return true;
  auto byte = static_cast<uint8_t>(source[bad]);
  std::string hex = llvm::toHex(source.substr(bad, 1));
  SourceRange place(base.advanced(bad), base.advanced(bad + 1));
  if (byte == '\r')
    diags.report(place, diag::LoneCarriageReturn);
  else if (byte < 0x80)
    diags.report(place, diag::ControlCharacter, hex);
  else
    diags.report(place, diag::InvalidUTF8, hex);
  return false;
}
