//===- LateLiterals.h - What outputs have to turn out to be -----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_LATELITERALS_H
#define TOSCAC_LIB_PLAN_LATELITERALS_H

#include "SymbolicRun.h"

namespace toscac::plan {

/// What outputs have to turn out to be for \p needs to hold, and for the steps
/// in it to happen.
LateLiterals lateOf(const SymbolicRun &run, const Justification &needs);
/// Whether no outcome satisfies both.
bool exclude(const SymbolicRun &run, const LateLiterals &a,
             const LateLiterals &b);
/// Whether no outcome satisfies all of \p late.
bool isImpossible(const SymbolicRun &run, const LateLiterals &late);
/// Whether no outcome leads to both steps.
bool areExclusive(const SymbolicRun &run, StepId a, StepId b);

} // namespace toscac::plan

#endif
