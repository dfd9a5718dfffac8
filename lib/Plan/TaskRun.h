//===- TaskRun.h - The tasks of a workflow in the symbolic run --*- C++ -*-===//
///
/// \file
/// Follows the tasks while the event system runs. What a task sends comes from
/// the step after which it begins; where there are several, from a step that
/// only waits for them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_TASKRUN_H
#define TOSCAC_LIB_PLAN_TASKRUN_H

#include "Tasks.h"
#include <deque>

namespace toscac::plan {

class TaskRun {
public:
  using Sender = llvm::function_ref<void(const Send &)>;

  TaskRun(const TaskGraph &graph, Run &run, TruthOf &truth, SupportOf &support)
      : graph(graph), run(run), truth(truth), support(support),
        states(graph.tasks.size()), decisions(graph.conditions.size()),
        taskOfGroup(graph.groups.size()) {
    for (auto [i, group] : llvm::enumerate(graph.groups)) {
      groupsByBegin[group.begins.index] = i;
      groupsByEnd[group.ends.index] = i;
    }
  }

  /// Begins the tasks that wait for none.
  void begin(Sender send);
  /// Adds what the task that sent \p send asks for to \p needs.
  void addNeeds(SendId send, Support &needs) const;
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
  struct State {
    /// Tasks before this one that are done.
    uint32_t done = 0;
    /// What was sent and has not ended.
    uint32_t open = 0;
    bool hasBegun = false;
    bool isDone = false;
    /// Steps that this task begins after; when it has begun, those that it
    /// ends with.
    llvm::SmallVector<StepId, 2> steps;
  };
  struct Decision {
    bool isMade = false;
    bool holds = false;
    Support support;
  };

  void work(Sender send);
  void beginGroup(const TaskGroup &group, StepId step);
  void eventEnded(TaskId task, StepId step);
  void start(TaskId task, Sender send);
  void sendEvents(TaskId task, Sender send);
  /// The one step that comes after all those of \p state.
  StepId senderOf(State &state);
  bool holds(TaskConditionId condition);
  void reportFalse(const TaskCondition &condition);
  bool reachesGoals(TaskId task);
  void checkDone(TaskId task);
  const Task &at(TaskId task) const { return graph.tasks[task.index]; }
  State &stateOf(TaskId task) { return states[task.index]; }

  const TaskGraph &graph;
  Run &run;
  TruthOf &truth;
  SupportOf &support;
  std::vector<State> states;
  std::vector<Decision> decisions;
  /// Tasks that can begin.
  std::deque<TaskId> ready;
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
