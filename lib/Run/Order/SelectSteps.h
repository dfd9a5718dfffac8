//===- SelectSteps.h - Steps for repair -------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_SELECTSTEPS_H
#define TOSCAC_LIB_RUN_SELECTSTEPS_H

#include "Schedule.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// The step that \p name, or a number, means; nothing after a report.
std::optional<uint32_t> findStep(planfile::PlanFile &plan, llvm::StringRef name,
                                 DiagnosticEngine &diags);

/// Leaves in \p schedule what --only or --from asks for. False, after a report,
/// where there is no such step.
bool selectSteps(planfile::PlanFile &plan, const RunOptions &options,
                 Schedule &schedule, DiagnosticEngine &diags);

} // namespace toscac::run

#endif
