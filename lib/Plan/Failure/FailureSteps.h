//===- FailureSteps.h - What follows a failure ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILURESTEPS_H
#define TOSCAC_LIB_PLAN_FAILURESTEPS_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Finds the failure steps of \p plan, which is otherwise complete.
void lowerFailures(PlanData &plan);

} // namespace toscac::plan

#endif
