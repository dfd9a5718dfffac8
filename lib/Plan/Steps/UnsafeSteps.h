//===- UnsafeSteps.h - Steps whose condition may be false -------*- C++ -*-===//
///
/// \file
/// What keeps a plan from being a refinement (docs/Refinement.md), by the
/// values that steps can find in cells, over all replays.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_UNSAFESTEPS_H
#define TOSCAC_LIB_PLAN_UNSAFESTEPS_H

#include "LateLiterals.h"
#include "StartValues.h"
#include "StepConditions.h"

namespace toscac::plan {

/// Calls \p visit with each two steps that leave different values in a cell and
/// that nothing orders, as the run has them.
template <typename Visit>
void forEachUnorderedWrite(const SymbolicRun &run, StartValues &values,
                           Visit visit) {
  llvm::BitVector seen(run.system.layout.numCells());
  for (const Write &write : run.history.writes) {
    if (values.isSequential(write.cell) || seen.test(write.cell.index))
      continue;
    seen.set(write.cell.index);
    llvm::SmallVector<CellWriter, 8> writers =
        values.writersOf(write.cell, StepId());
    for (auto later = writers.begin(); later != writers.end(); ++later)
      for (auto earlier = later + 1; earlier != writers.end(); ++earlier)
        if ((earlier->atEnd != later->atEnd || later->atEnd == atRunTime) &&
            !areExclusive(run, earlier->step, later->step) &&
            values.areUnordered(earlier->step, later->step))
          visit(earlier->step, later->step);
  }
}

/// Calls \p visit with each step and condition that may not hold when the step
/// starts.
template <typename Visit>
void forEachUnsafeRead(const SymbolicRun &run, StartValues &values,
                       Visit visit) {
  for (uint32_t i = 0; i != run.steps.size(); ++i)
    if (!run.steps.isJoin({i}))
      forEachCondition(run, {i}, [&](const StepCondition &condition) {
        if (!values.surelyHolds({i}, condition.term, condition.self))
          visit(StepId{i}, condition);
      });
}

/// A step of \p run that may start where its condition does not hold, or leave
/// a value that another one overwrites in some replays; \p order is that of
/// the plan. None: the plan refines the event system.
StepId findUnsafeStep(const SymbolicRun &run, PlanOrder &order);

} // namespace toscac::plan

#endif
