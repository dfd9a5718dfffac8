//===- toscac/Parse/TopLevelKey.h - What a file is about --------*- C++ -*-===//
///
/// \file
/// Tells by a key what a file is written in, before it is parsed.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOPLEVELKEY_H
#define TOSCAC_PARSE_TOPLEVELKEY_H

#include "llvm/ADT/StringRef.h"

namespace toscac {

/// Whether a line of \p text, which is YAML, starts with the key \p key.
bool hasTopLevelKey(llvm::StringRef text, llvm::StringRef key);

} // namespace toscac

#endif
