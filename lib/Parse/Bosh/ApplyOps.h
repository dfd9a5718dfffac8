//===- ApplyOps.h - Operations on manifests ---------------------*- C++ -*-===//
///
/// \file
/// Files of operations change a manifest before anything else is read from it,
/// as `bosh interpolate --ops-file` does. A node that an operation brings keeps
/// its place in the file of operations.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_BOSH_APPLYOPS_H
#define TOSCAC_LIB_PARSE_BOSH_APPLYOPS_H

#include "toscac/Parse/SyntaxTree.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::bosh {

/// Applies the list of operations \p ops to \p document, one after another. An
/// operation that cannot be applied is reported and changes nothing. What is
/// new lies in \p arena.
void applyOps(const syntax::Node &ops, syntax::Node &document,
              llvm::BumpPtrAllocator &arena, DiagnosticEngine &diags);

} // namespace toscac::bosh

#endif
