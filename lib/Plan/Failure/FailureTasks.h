//===- FailureTasks.h - What a workflow does after a failure ----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILURETASKS_H
#define TOSCAC_LIB_PLAN_FAILURETASKS_H

#include "FailureConditions.h"
#include "Steps/FollowTasks.h"

namespace toscac::plan {

/// Follows tasks while what follows a failure is lowered. Failure steps are
/// counted from the first after that failure.
class FailureTasks : private FollowTasks<FailureTasks, uint32_t> {
public:
  /// Takes what a task sends, and what that waits for: its conditions, and the
  /// failure steps before it.
  using Send = llvm::function_ref<void(TaskId, EventId, Answer)>;

  FailureTasks(FailureConditions &conditions, FailureCells &cells)
      : conditions(conditions), cells(cells) {}

  void begin(const TaskGraph &graph, Send send);
  void end() { graph = nullptr; }
  bool isActive() const { return graph; }
  const TaskGraph &tasks() const { return *graph; }

  void accepted(TaskId task, uint32_t step) { taskOfStep[step] = task; }
  void ended(uint32_t step, Send send);
  /// What was sent cannot be accepted: the workflow goes on without it.
  void skip(TaskId task, Send send);

private:
  friend FollowTasks;
  bool holds(TaskConditionId condition) {
    return !condition || answerOf(condition).isPossible();
  }
  const Answer &answerOf(TaskConditionId condition);
  void send(TaskId task);
  void passes(TaskId) {}
  bool isReached(const CellGoal &goal) const;
  void reached(TaskId) {}
  void waits(TaskId task) {
    if (!llvm::is_contained(waiting, task))
      waiting.push_back(task);
  }

  FailureConditions &conditions;
  FailureCells &cells;
  /// Where events go while tasks begin.
  const Send *sendTo = nullptr;
  /// By condition, as far as it was asked for.
  std::vector<std::optional<Answer>> answers;
  /// By task: failure steps that it began after.
  std::vector<llvm::SmallVector<uint32_t, 2>> after;
  /// Tasks that have sent what they send and wait for cells.
  llvm::SmallVector<TaskId, 2> waiting;
  llvm::DenseMap<uint32_t, TaskId> taskOfStep;
};

} // namespace toscac::plan

#endif
