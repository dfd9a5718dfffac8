//===- TargetedGoals.h - Goals of a part ------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_TARGETEDGOALS_H
#define TOSCAC_LIB_PLAN_TARGETEDGOALS_H

#include "Steps/Start.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// Whether each step of \p workflow does nothing but delegate to an intent, for
/// example "deploy these two nodes". Its goals are known before the symbolic
/// run begins; it needs no tasks, which would run one after another.
bool isTargetedIntent(const ir::Workflow &workflow);

/// What such a workflow of the first service wants; nothing after a report.
std::optional<Start> startOfTargets(const ir::Workflow &workflow,
                                    const Goal &goal, EventSystem &system);

} // namespace toscac::plan

#endif
