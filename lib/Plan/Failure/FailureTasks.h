//===- FailureTasks.h - What a workflow does after a failure ----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILURETASKS_H
#define TOSCAC_LIB_PLAN_FAILURETASKS_H

#include "Steps/FollowTasks.h"

namespace toscac::plan {

/// Follows tasks while what follows a failure is lowered. Failure steps are
/// counted from the first after that failure.
class FailureTasks : private FollowTasks<FailureTasks, uint32_t> {
public:
  /// What the lowering answers and does.
  struct Events {
    llvm::function_ref<bool(TaskConditionId)> holds;
    llvm::function_ref<bool(const CellGoal &)> isReached;
    /// Sends what the task does, after the failure steps given.
    llvm::function_ref<void(TaskId, EventId, llvm::ArrayRef<uint32_t>)> send;
  };

  void begin(const TaskGraph &graph, const Events &events);
  void end() { graph = nullptr; }
  bool isActive() const { return graph; }
  const TaskGraph &tasks() const { return *graph; }

  void accepted(TaskId task, uint32_t step) { taskOfStep[step] = task; }
  void ended(uint32_t step, const Events &events);
  /// What was sent cannot be accepted: the workflow goes on without it.
  void skip(TaskId task, const Events &events);

private:
  friend FollowTasks;
  bool holds(TaskConditionId condition) const {
    return events->holds(condition);
  }
  void send(TaskId task);
  void passes(TaskId) {}
  bool isReached(const CellGoal &goal) const { return events->isReached(goal); }
  void reached(TaskId) {}
  void waits(TaskId task) {
    if (!llvm::is_contained(waiting, task))
      waiting.push_back(task);
  }

  const Events *events = nullptr;
  /// By task: failure steps that it began after.
  std::vector<llvm::SmallVector<uint32_t, 2>> after;
  /// Tasks that have sent what they send and wait for cells.
  llvm::SmallVector<TaskId, 2> waiting;
  llvm::DenseMap<uint32_t, TaskId> taskOfStep;
};

} // namespace toscac::plan

#endif
