//===- ReconcileGoals.h - Goals by what becomes of entities -----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_RECONCILEGOALS_H
#define TOSCAC_LIB_PLAN_RECONCILEGOALS_H

#include "Steps/Start.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// What is to be reached where \p goal asks for a change of the deployment.
/// Nothing after a report that no machine has the intents.
std::optional<Start> startOfReconcile(const Goal &goal, EventSystem &system);

} // namespace toscac::plan

#endif
