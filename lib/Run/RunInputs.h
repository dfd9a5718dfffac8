//===- RunInputs.h - Inputs that a plan leaves open -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_RUNINPUTS_H
#define TOSCAC_LIB_RUN_RUNINPUTS_H

#include "LiveState.h"
#include "Secrets.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// Gives \p state the inputs of the command line; they are secrets. False,
/// after a report, where one is missing, unknown or cannot be read.
bool takeInputs(const RunOptions &options, LiveState &state, Secrets &secrets,
                DiagnosticEngine &diags);

} // namespace toscac::run

#endif
