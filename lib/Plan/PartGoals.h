//===- PartGoals.h - Goals of a part --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PARTGOALS_H
#define TOSCAC_LIB_PLAN_PARTGOALS_H

#include "Simulate.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// Whether \p workflow does nothing but tell some what others have been told:
/// that is known at once, and needs no tasks.
bool isIntentOfPart(const ir::Workflow &workflow);

/// What such a workflow of the first service wants; nothing after a report.
std::optional<Start> startOfPart(const ir::Workflow &workflow, const Goal &goal,
                                 EventSystem &system);

} // namespace toscac::plan

#endif
