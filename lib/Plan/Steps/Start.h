//===- Start.h - What a workflow does ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_START_H
#define TOSCAC_LIB_PLAN_START_H

#include "Tasks.h"

namespace toscac::plan {

/// What the workflow does: at first writes to cells, then events; then tasks,
/// one after another. When nothing is left to happen, it goes on with what is
/// later.
struct Start {
  std::vector<CellGoal> goals;
  std::vector<EventId> events;
  /// Has the inputs of the events; null: they have none.
  const ir::Trigger *trigger = nullptr;
  TaskGraph tasks;
  std::vector<CellGoal> laterGoals;
  std::vector<EventId> laterEvents;
  /// The tasks belong to what is later.
  bool tasksAreLater = false;

  bool hasLater() const {
    return !laterGoals.empty() || !laterEvents.empty() || tasksAreLater;
  }
};

} // namespace toscac::plan

#endif
