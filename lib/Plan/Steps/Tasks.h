//===- Tasks.h - What a workflow does, piece by piece -----------*- C++ -*-===//
///
/// \file
/// Imperative workflows and actions of policies as a graph of tasks, and so
/// what operations are mapped to in the service inside their node. A task sends
/// events when all before it are done, and is done when what it sent has ended
/// and the cells it waits for have the values it wants.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_TASKS_H
#define TOSCAC_LIB_PLAN_TASKS_H

#include "SymbolicRun.h"

namespace toscac::plan {

/// Index into TaskGraph::tasks.
struct TaskId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(TaskId, TaskId) = default;
};

/// Index into TaskGraph::conditions.
struct TaskConditionId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
};

/// Decides about tasks when the first of them is about to begin.
struct TaskCondition {
  enum class Kind : uint8_t {
    /// Without it, the targets of a step are passed over.
    Filter,
    /// Without it, the workflow that was asked for cannot be.
    Precondition,
    /// Without it, the policy does nothing.
    Policy
  };
  Kind kind;
  /// What has to hold, too.
  TaskConditionId outer;
  const Expr *expr;
  ir::EntityId self;
  /// Of the workflow or trigger.
  Name name;
};

struct Task {
  TaskConditionId condition;
  /// What is sent: to operations of graphs, or to those that stand for
  /// activities. Without any, the task only waits.
  llvm::SmallVector<EventId, 1> events;
  /// Has the inputs of the events.
  const ir::Trigger *trigger = nullptr;
  llvm::SmallVector<CellGoal, 1> goals;
  llvm::SmallVector<TaskId, 2> followers;
  /// Of how many tasks it is a follower.
  uint32_t waitsFor = 0;
  /// An index into TaskGraph::onFailure.
  std::optional<uint32_t> onFailure;
};

/// Tasks that begin whenever an operation has: they do what it is mapped to.
/// The last of them ends it.
struct TaskGroup {
  EventId begins;
  EventId ends;
  /// Of the graph.
  ir::IdRange<TaskId> tasks;
  ir::IdRange<TaskConditionId> conditions;
};

struct TaskGraph {
  /// Those of groups come last.
  std::vector<Task> tasks;
  std::vector<TaskCondition> conditions;
  std::vector<TaskGroup> groups;
  /// What begins when a task fails.
  std::vector<TaskGraph> onFailure;

  bool empty() const { return tasks.empty(); }
};

} // namespace toscac::plan

#endif
