//===- FollowTasks.h - Tasks one after another ------------------*- C++ -*-===//
///
/// \file
/// The rules by which tasks of a workflow follow each other, in the symbolic
/// run and after a failure: a task begins when all before it are done, sends
/// its events if its condition holds, and is done when what it sent has ended
/// and its goals are reached. One whose condition does not hold, or which sends
/// nothing, is done at once.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FOLLOWTASKS_H
#define TOSCAC_LIB_PLAN_FOLLOWTASKS_H

#include "Tasks.h"
#include <deque>

namespace toscac::plan {

/// A \p World says what is different:
///   holds(condition)   whether tasks that have it do anything
///   send(task)         sends the events; their number is noted as open
///   passes(task)       it is done without having sent anything
///   isReached(goal)
///   reached(task)      all its goals are; it may add steps that it ends with
///   waits(task)        what it sent has ended, its goals are not reached
template <typename World, typename Step>
class FollowTasks {
protected:
  struct State {
    /// Tasks before this one that are done.
    uint32_t done = 0;
    /// What was sent and has not ended.
    uint32_t open = 0;
    bool hasBegun = false;
    bool isDone = false;
    /// Steps that this task begins after; when it has begun, those that it
    /// ends with.
    llvm::SmallVector<Step, 2> steps;
  };

  void follow(const TaskGraph &tasks) {
    graph = &tasks;
    states.assign(tasks.tasks.size(), {});
    ready.clear();
  }
  const Task &at(TaskId task) const { return graph->tasks[task.index]; }
  State &stateOf(TaskId task) { return states[task.index]; }

  /// Begins tasks as long as some can.
  void work() {
    while (!ready.empty()) {
      TaskId next = ready.front();
      ready.pop_front();
      start(next);
    }
  }

  void eventEnded(TaskId task, Step step) {
    --stateOf(task).open;
    stateOf(task).steps.push_back(step);
    checkDone(task);
  }

  void checkDone(TaskId task) {
    const State &state = stateOf(task);
    if (state.isDone || state.open != 0)
      return;
    for (const CellGoal &goal : at(task).goals)
      if (!world().isReached(goal))
        return world().waits(task);
    world().reached(task);
    finish(task);
  }

  const TaskGraph *graph = nullptr;
  std::vector<State> states;
  /// Tasks that can begin.
  std::deque<TaskId> ready;

private:
  World &world() { return static_cast<World &>(*this); }

  void start(TaskId id) {
    const Task &task = at(id);
    stateOf(id).hasBegun = true;
    if (!world().holds(task.condition) || task.events.empty()) {
      world().passes(id);
      return finish(id);
    }
    stateOf(id).open = task.events.size();
    world().send(id);
  }

  /// Notes that the task is done; those that follow it, and wait for no other,
  /// can begin.
  void finish(TaskId id) {
    State &state = stateOf(id);
    state.isDone = true;
    for (TaskId follower : at(id).followers) {
      State &next = stateOf(follower);
      llvm::append_range(next.steps, state.steps);
      if (++next.done == at(follower).waitsFor)
        ready.push_back(follower);
    }
  }
};

} // namespace toscac::plan

#endif
