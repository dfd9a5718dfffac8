//===- CheckNodes.h - Rules on single nodes ---------------------*- C++ -*-===//
///
/// \file
/// Checks that the reader makes on each node while it builds the tree.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_CHECKNODES_H
#define TOSCAC_LIB_PARSE_CHECKNODES_H

#include "toscac/Parse/SyntaxTree.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::syntax {

/// Reports a scalar that is not of the type that its tag names.
void checkTaggedScalar(const Node &node, DiagnosticEngine &diags);

/// Warns of plain values that mean something else since YAML 1.2.
void checkOldSpelling(const Node &node, DiagnosticEngine &diags);

/// Reports keys of one map that are equal. Keys that are no scalars are
/// compared by their text in \p source, a file that begins at \p base.
void checkDuplicateKeys(llvm::ArrayRef<Entry> entries, llvm::StringRef source,
                        SourceLoc base, DiagnosticEngine &diags);

} // namespace toscac::syntax

#endif
