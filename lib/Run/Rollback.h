//===- Rollback.h - The way back --------------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_ROLLBACK_H
#define TOSCAC_LIB_RUN_ROLLBACK_H

#include "LiveState.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// After \p plan has failed: has the compiler plan how to get rid of the
/// instances that the plan added, from the recorded state, and runs that.
/// Instances that existed before and were changed are reported, not undone.
void rollBack(planfile::PlanFile &plan, const RunOptions &options,
              llvm::StringRef deployment, state::Store &store, LiveState &state,
              const state::State &before, llvm::raw_fd_ostream &out,
              llvm::raw_fd_ostream &err, DiagnosticEngine &diags);

} // namespace toscac::run

#endif
