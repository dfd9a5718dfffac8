//===- Goal.h - Whether a workflow gets where it wants ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_GOAL_H
#define TOSCAC_LIB_PLAN_GOAL_H

#include "Simulate.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// The rule "Goal": reports every class of machines that does not reach what
/// the workflow wants, and every event of the workflow that is not accepted.
void checkGoals(llvm::ArrayRef<CellGoal> goals, Run &run);
/// Reports \p send, which no order accepts.
void reportIgnored(SendId send, Run &run);

/// Reports promises of machines that do not hold when what \p goal wants of
/// them has been done.
void checkGoalPromises(const Goal &goal, Run &run);

/// Reports machines that are left as if they had failed, although nothing does.
void checkFailureMarks(const Run &run, bool isRefused);

} // namespace toscac::plan

#endif
