//===- CheckNodes.h - Rules on single nodes ---------------------*- C++ -*-===//
///
/// \file
/// Checks that the reader makes on each node while it builds the tree.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_CHECKNODES_H
#define TOSCAC_LIB_PARSE_CHECKNODES_H

#include "toscac/Parse/SyntaxTree.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::syntax {

/// Reports a scalar that is not of the type that its tag names.
void checkTaggedScalar(const Node &node, DiagnosticEngine &diags);

/// Warns of plain values that mean something else since YAML 1.2.
void checkOldSpelling(const Node &node, DiagnosticEngine &diags);

/// What is written as \p key in \p source, a file that begins at \p base.
llvm::StringRef keyText(const Node &key, llvm::StringRef source,
                        SourceLoc base);

/// Visits the keys of one map that equal an earlier one, as indices of both.
/// Keys that are no scalars are compared by their text.
void forEachRepeatedKey(
    llvm::ArrayRef<Entry> entries, llvm::StringRef source, SourceLoc base,
    llvm::function_ref<void(size_t later, size_t first)> visit);

} // namespace toscac::syntax

#endif
