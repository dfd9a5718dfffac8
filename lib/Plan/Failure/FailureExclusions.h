//===- FailureExclusions.h - What a failure keeps from starting -*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILUREEXCLUSIONS_H
#define TOSCAC_LIB_PLAN_FAILUREEXCLUSIONS_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Excludes what a failure might make wrong. After a failure steps go on that
/// do not wait for the failed one (`--on-failure=continue`): not those whose
/// condition is made false by what is written then. To be called when failure
/// steps are there.
void excludeFailures(PlanData &plan);

} // namespace toscac::plan

#endif
