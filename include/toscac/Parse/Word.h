//===- toscac/Parse/Word.h - A word with its place --------------*- C++ -*-===//

#ifndef TOSCAC_PARSE_WORD_H
#define TOSCAC_PARSE_WORD_H

#include "toscac/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"

namespace toscac::syntax {

/// A name as it stands somewhere.
struct Word {
  llvm::StringRef text;
  SourceRange range;
  bool isEmpty() const { return text.empty(); }
};

} // namespace toscac::syntax

#endif
