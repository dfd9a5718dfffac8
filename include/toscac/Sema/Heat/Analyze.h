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
#include "toscac/Sema/Models.h"

namespace toscac::heat {

/// Checks the stack that \p input describes and makes it the service of
/// \p program, which has the types of \p profile: `Plugin` for resources of
/// Heat's own types, `Stack` for what consists of others. Reports every problem
/// it finds; after an error there are no services. What it gives refers to
/// \p profile and \p program.
std::unique_ptr<sema::ObsoleteModels>
analyze(const ComposeInput &input, Library &library, sema::Profile &profile,
        NameTable &names, DiagnosticEngine &diags,
        sema::CheckedProgram &program);

} // namespace toscac::heat

#endif
