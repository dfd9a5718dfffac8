//===- DryRun.h - What would run --------------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_DRYRUN_H
#define TOSCAC_LIB_RUN_DRYRUN_H

#include "toscac/Plan/ReadPlan.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// Prints the steps of \p plan in an order that it allows, with the artifacts
/// they run. Touches nothing. Returns the exit code.
int dryRun(planfile::PlanFile &plan, const RunOptions &options,
           llvm::raw_ostream &out, DiagnosticEngine &diags);

} // namespace toscac::run

#endif
