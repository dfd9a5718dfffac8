//===- CheckGoals.h - Goals that are not reached, and why -------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_CHECKGOALS_H
#define TOSCAC_LIB_PLAN_CHECKGOALS_H

#include "Steps/Start.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// The rule "Goal": reports every class of machines that does not reach what
/// the workflow wants, and every event of the workflow that is not accepted.
void checkGoals(llvm::ArrayRef<CellGoal> goals, SymbolicRun &run);
/// What the workflow's own event of the service sends and \p run never accepts.
std::vector<SendId> findUnheard(const SymbolicRun &run);
/// Reports \p send, which no order accepts.
void reportIgnored(SendId send, SymbolicRun &run);
/// The first thing that \p run misses, in words: one of \p goals, an event of
/// the workflow, or a promise of a machine about \p goal. Empty if it misses
/// nothing. All orders are known to do what \p run does.
std::string firstMissed(llvm::ArrayRef<CellGoal> goals, const Goal &goal,
                        SymbolicRun &run);
/// Reports all of it, and why.
void reportMissed(llvm::ArrayRef<CellGoal> goals, const Goal &goal,
                  SymbolicRun &run);

/// Reports promises of machines that do not hold when what \p goal wants of
/// them has been done.
void checkGoalPromises(const Goal &goal, SymbolicRun &run);

/// Reports machines that are left as if they had failed, although nothing does.
void checkFailureMarks(const SymbolicRun &run, bool isRefused);

} // namespace toscac::plan

#endif
