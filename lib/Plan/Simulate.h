//===- Simulate.h - Running the event system symbolically -------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_SIMULATE_H
#define TOSCAC_LIB_PLAN_SIMULATE_H

#include "Run.h"
#include "Tasks.h"

namespace toscac::plan {

/// What the workflow does: at first writes to cells, then events; then tasks,
/// one after another.
struct Start {
  std::vector<CellGoal> goals;
  std::vector<EventId> events;
  /// Has the inputs of the events; null: they have none.
  const ir::Trigger *trigger = nullptr;
  TaskGraph tasks;
};

/// Runs the event system once (DESIGN 6.2). Steps end in the order in which
/// they started. False, after a report, if it does not come to an end.
bool simulate(const Start &start, unsigned maxRepeats, Run &run);

} // namespace toscac::plan

#endif
