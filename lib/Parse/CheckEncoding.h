//===- CheckEncoding.h - Bytes that YAML allows -----------------*- C++ -*-===//
///
/// \file
/// YAML's own rules on bytes: UTF-8, and no control characters.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_CHECKENCODING_H
#define TOSCAC_LIB_PARSE_CHECKENCODING_H

#include "toscac/Basic/SourceManager.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::syntax {

/// The first byte in \p source that no YAML file should have, or npos: a
/// control character, a carriage return without line feed, or a byte that is no
/// UTF-8.
size_t findForbiddenByte(llvm::StringRef source);

/// Reports the first byte of \p source, a file that begins at \p base, that can
/// be in no YAML file. Returns false if there is one.
bool checkEncoding(llvm::StringRef source, SourceLoc base,
                   DiagnosticEngine &diags);

} // namespace toscac::syntax

#endif
