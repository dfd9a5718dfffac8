//===- StepScripts.h - Steps as shell scripts -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_STEPSCRIPTS_H
#define TOSCAC_LIB_RUN_STEPSCRIPTS_H

#include "Steps/StepFiles.h"

namespace toscac::run {

/// Writes `steps/ID` into \p folder for each call: a shell script that gives
/// the artifacts what docs/Running.md promises them, and runs them. All that
/// they need must be known before the first step runs. False after a report.
bool writeStepScripts(planfile::PlanFile &plan, llvm::StringRef folder,
                      llvm::StringRef deployment,
                      llvm::ArrayRef<Runnable> artifacts, LiveState &state,
                      DiagnosticEngine &diags);

} // namespace toscac::run

#endif
