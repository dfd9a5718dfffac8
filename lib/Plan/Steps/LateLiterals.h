//===- LateLiterals.h - What outputs have to turn out to be -----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_LATELITERALS_H
#define TOSCAC_LIB_PLAN_LATELITERALS_H

#include "SymbolicRun.h"

namespace toscac::plan {

/// What has to be found for \p needs, and for what leads to it.
LateLiterals lateOf(const SymbolicRun &run, const Justification &needs);
/// Whether nothing that can be found is both.
bool exclude(const SymbolicRun &run, const LateLiterals &a,
             const LateLiterals &b);
/// Whether nothing that can be found is all of \p late.
bool isImpossible(const SymbolicRun &run, const LateLiterals &late);
/// Whether no outcome leads to both steps.
bool areExclusive(const SymbolicRun &run, StepId a, StepId b);

} // namespace toscac::plan

#endif
