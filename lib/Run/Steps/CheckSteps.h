//===- CheckSteps.h - All steps, before the first -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_CHECKSTEPS_H
#define TOSCAC_LIB_RUN_CHECKSTEPS_H

#include "Values/LiveState.h"

namespace toscac::run {

/// Reads every step that does anything; one that cannot be carried out is found
/// before the first has run. False after a report. \p path is the plan's.
bool checkSteps(planfile::PlanFile &plan, LiveState &state,
                llvm::StringRef path, DiagnosticEngine &diags);

} // namespace toscac::run

#endif
