//===- TaskProgress.h - Tasks in the symbolic run ---------------*- C++ -*-===//
///
/// \file
/// Follows the tasks while the event system runs. What a task sends comes from
/// the step after which it begins; where there are several, from a step that
/// only waits for them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_TASKPROGRESS_H
#define TOSCAC_LIB_PLAN_TASKPROGRESS_H

#include "Steps/FollowTasks.h"

namespace toscac::plan {

class TaskProgress : private FollowTasks<TaskProgress, StepId> {
public:
  using Sender = llvm::function_ref<void(const Send &)>;

  TaskProgress(const TaskGraph &graph, SymbolicRun &run, TruthOf &truth,
               JustificationOf &justification)
      : run(run), truth(truth), justification(justification),
        decisions(graph.conditions.size()), taskOfGroup(graph.groups.size()) {
    follow(graph);
    for (auto [i, group] : llvm::enumerate(graph.groups)) {
      groupsByBegin[group.begins.index] = i;
      groupsByEnd[group.ends.index] = i;
    }
  }

  /// Begins the tasks that wait for none.
  void begin(Sender send);
  /// Adds what the task that sent \p send asks for to \p needs.
  void addNeeds(SendId send, Justification &needs) const;
  void accepted(SendId send, StepId step);
  /// To be called when \p step has written what it writes.
  void ended(StepId step, Sender send);
  /// Notes what is left undone.
  void finish();
  /// Whether tasks have to end what \p event begins.
  bool isBegin(EventId event) const {
    return groupsByBegin.contains(event.index);
  }
  /// What \p event ends, if it ends what another began.
  std::optional<EventId> begunBy(EventId event) const;

private:
  friend FollowTasks;
  struct Decision {
    bool isMade = false;
    bool holds = false;
    Justification justification;
  };

  // What follows from tasks.
  bool holds(TaskConditionId condition);
  void send(TaskId task);
  void passes(TaskId task);
  bool isReached(const CellGoal &goal) const;
  void reached(TaskId task);
  void waits(TaskId) {}

  void work(Sender send);
  void beginGroup(const TaskGroup &group, StepId step);
  /// The one step that comes after all those of \p state.
  StepId senderOf(State &state);
  void reportFalse(const TaskCondition &condition);

  SymbolicRun &run;
  TruthOf &truth;
  JustificationOf &justification;
  std::vector<Decision> decisions;
  /// Where events go while tasks begin.
  const Sender *sender = nullptr;
  llvm::DenseMap<uint32_t, TaskId> taskOfSend;
  llvm::DenseMap<uint32_t, TaskId> taskOfStep;
  llvm::DenseMap<uint32_t, uint32_t> groupsByBegin, groupsByEnd;
  /// By group: the task that waits for its end.
  std::vector<TaskId> taskOfGroup;
  /// Tasks that wait for a cell.
  llvm::DenseMap<uint32_t, llvm::SmallVector<TaskId, 1>> taskOfCell;
};

} // namespace toscac::plan

#endif
