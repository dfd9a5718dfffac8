//===- FailureExclusions.h - What a failure keeps from starting -*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILUREEXCLUSIONS_H
#define TOSCAC_LIB_PLAN_FAILUREEXCLUSIONS_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// After a failure, steps that do not wait for the failed one may go on
/// (`--on-failure=continue`). This adds an exclusion between a step that can
/// fail and each step whose condition may be made false by what that failure,
/// or a failure step, writes: so the latter does not start any more. Needs the
/// failure steps of \p plan.
void excludeFailures(PlanData &plan);

} // namespace toscac::plan

#endif
