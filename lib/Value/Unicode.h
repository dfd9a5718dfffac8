//===- Unicode.h - Code points of UTF-8 text --------------------*- C++ -*-===//
///
/// \file
/// Strings may come from outside at run time, so every text is decoded: bytes
/// that are no UTF-8 count as one character each.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_VALUE_UNICODE_H
#define TOSCAC_LIB_VALUE_UNICODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace toscac {

/// Takes the first code point off \p text, which is not empty. A byte that
/// starts none gives 0xDC00 plus itself, which no text can contain.
uint32_t takeCodePoint(llvm::StringRef &text);
llvm::SmallVector<uint32_t> decode(llvm::StringRef text);
size_t countCodePoints(llvm::StringRef text);

} // namespace toscac

#endif
