//===- RunInputs.h - Inputs that a plan leaves open -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_RUNINPUTS_H
#define TOSCAC_LIB_RUN_RUNINPUTS_H

#include "StepFiles.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// Gives \p state the inputs that \p plan leaves open, which are secrets: those
/// of the command line or, where that lacks one, of \p kept, the inputs that an
/// earlier run has kept. False, after a report, where one is missing, unknown
/// or cannot be read.
bool takeInputs(const RunOptions &options, const planfile::PlanFile &plan,
                LiveState &state, const Value &kept, DiagnosticEngine &diags);

} // namespace toscac::run

#endif
