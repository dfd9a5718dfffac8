//===- toscac/Sema/TOSCA/Analyze.h - Check a TOSCA program ------*- C++ -*-===//
///
/// \file
/// Semantic analysis of a file with all it imports.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_TOSCA_ANALYZE_H
#define TOSCAC_SEMA_TOSCA_ANALYZE_H

#include "toscac/Sema/Service.h"

namespace toscac {
class DiagnosticEngine;
class NameTable;
namespace state {
struct Deployment;
}
namespace tosca {
struct Package;
}

/// Checks \p package: names, derivation and refinement of types. Reports every
/// problem it finds; an error does not cascade. After an error there are no
/// services. What it gives refers to \p package and \p names. What \p recorded,
/// a deployment of the first service, has and its template does not have any
/// more is added, to be there not once.
sema::CheckedProgram analyze(const tosca::Package &package, NameTable &names,
                             DiagnosticEngine &diags,
                             const state::Deployment *recorded = nullptr);

} // namespace toscac

#endif
