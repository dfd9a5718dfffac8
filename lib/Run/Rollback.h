//===- Rollback.h - Undoing a failed run ------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_ROLLBACK_H
#define TOSCAC_LIB_RUN_ROLLBACK_H

#include "toscac/Plan/ReadPlan.h"
#include "toscac/Run/Run.h"
#include "toscac/State/Store.h"

namespace toscac::run {

/// A run that has failed, and what it began with.
struct FailedRun {
  planfile::PlanFile &plan;
  const RunOptions &options;
  llvm::StringRef deployment;
  int64_t id;
  state::Store &store;
  const state::State &before;
};

/// Records the inputs again that were so before \p run, has the compiler plan
/// how to get rid of the instances that it added, and runs that. Instances that
/// existed before and were changed are reported, not undone. Returns the exit
/// code.
int rollBack(const FailedRun &run, llvm::raw_fd_ostream &out,
             llvm::raw_fd_ostream &err, DiagnosticEngine &diags);

/// The compiler that \p options name, or else the one beside this program.
std::string findCompiler(const RunOptions &options);

} // namespace toscac::run

#endif
