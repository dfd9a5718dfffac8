//===- toscac/Sema/Heat/Analyze.h - Check a Heat stack ----------*- C++ -*-===//
///
/// \file
/// Semantic analysis of a stack: composed, with every parameter bound and every
/// function evaluated as far as it can be, as a checked service. Each resource,
/// nested ones and members of groups included, is a node named by its path;
/// what it refers to, or names in depends_on, is a dependency.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_HEAT_ANALYZE_H
#define TOSCAC_SEMA_HEAT_ANALYZE_H

#include "toscac/Sema/Heat/Compose.h"
#include "toscac/Sema/Service.h"
#include "toscac/State/State.h"

namespace toscac::heat {

/// Checks the stack that \p input describes and makes it the service of
/// \p pattern, whose first service has a model for each kind of node:
/// `plugin` for resources of Heat's own types, `stack` for what consists of
/// others, each with an assignment of the requirement `dependency`. What
/// \p recorded, which may be null, has besides is in it with a count of 0.
/// Reports every problem it finds; after an error there are no services.
sema::CheckedProgram analyze(const ComposeInput &input, Library &library,
                             sema::CheckedProgram pattern,
                             const state::Deployment *recorded,
                             NameTable &names, DiagnosticEngine &diags);

} // namespace toscac::heat

#endif
