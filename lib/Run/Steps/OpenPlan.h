//===- OpenPlan.h - The plan that is to be run ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_OPENPLAN_H
#define TOSCAC_LIB_RUN_OPENPLAN_H

#include "toscac/Plan/ReadPlan.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// Opens the plan that \p options name; null after a report. Where it has to
/// be signed, what is run is what was signed, whatever becomes of the file.
std::unique_ptr<planfile::PlanFile> openPlan(const RunOptions &options,
                                             DiagnosticEngine &diags);

/// The exit code after openPlan() gave none.
int codeForNoPlan(const DiagnosticEngine &diags);

} // namespace toscac::run

#endif
