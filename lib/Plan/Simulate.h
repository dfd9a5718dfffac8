//===- Simulate.h - Running the event system symbolically -------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_SIMULATE_H
#define TOSCAC_LIB_PLAN_SIMULATE_H

#include "Run.h"

namespace toscac::plan {

/// A cell that the workflow sets, and the one that is to follow it.
struct CellGoal {
  CellId desired;
  CellId reached;
  ValueId value;
};

/// What the workflow does at first: writes to cells, then events.
struct Start {
  std::vector<CellGoal> goals;
  std::vector<EventId> events;
};

/// Runs the event system once (DESIGN 6.2). Steps end in the order in which
/// they started. False, after a report, if it does not come to an end.
bool simulate(const Start &start, unsigned maxRepeats, Run &run);

} // namespace toscac::plan

#endif
