//===- SourceText.h - Where YAML tokens begin and end -----------*- C++ -*-===//
///
/// \file
/// yaml-cpp tells where a node starts (at its anchor or tag, if it has one) and
/// what its value is, but not where its text ends. These functions find that
/// out from the source, which is known to be well-formed up to there.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_SOURCETEXT_H
#define TOSCAC_LIB_PARSE_SOURCETEXT_H

#include "toscac/Parse/SyntaxTree.h"

namespace toscac::syntax {

/// Skips blanks, line breaks and comments from \p at on.
size_t skipSpace(llvm::StringRef source, size_t at);

/// One past the anchor or tag at \p at. A flow collection, and after a tag a
/// quote, may follow it without a blank.
size_t propertyEnd(llvm::StringRef source, size_t at);

/// Skips anchors and tags (and the space after them) from \p at on.
size_t skipProperties(llvm::StringRef source, size_t at);

/// The style of the scalar that starts at \p at.
ScalarStyle styleAt(llvm::StringRef source, size_t at);

/// One past the last byte of the scalar of \p style that starts at \p at and
/// has the value \p value; npos where a closing quote is missing.
size_t scalarEnd(llvm::StringRef source, size_t at, ScalarStyle style,
                 llvm::StringRef value);

/// One past the `}` or `]` that closes a flow collection whose last child ends
/// at \p at.
size_t flowEnd(llvm::StringRef source, size_t at, char bracket);

/// Length of the word for null (`~`, `null` …) that stands at \p at, or 0.
size_t nullWordAt(llvm::StringRef source, size_t at);

/// Column of \p at in bytes, counted from 0.
size_t columnOf(llvm::StringRef source, size_t at);

/// The blanks that \p at's line starts with.
llvm::StringRef indentationOf(llvm::StringRef source, size_t at);

/// Whether only blanks stand before \p at on its line.
bool startsLine(llvm::StringRef source, size_t at);

} // namespace toscac::syntax

#endif
