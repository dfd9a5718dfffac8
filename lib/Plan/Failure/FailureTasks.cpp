//===- FailureTasks.cpp - What a workflow does after a failure ------------===//

#include "FailureLowering.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

void FailureTasks::begin(const TaskGraph &begun, const Events &given) {
  events = &given;
  follow(begun);
  after.assign(begun.tasks.size(), {});
  waiting.clear();
  taskOfStep.clear();
  for (uint32_t i = 0; i != begun.tasks.size(); ++i)
    if (begun.tasks[i].waitsFor == 0)
      ready.push_back({i});
  work();
}

void FailureTasks::send(TaskId id) {
  after[id.index] = std::exchange(stateOf(id).steps, {});
  for (EventId event : at(id).events)
    events->send(id, event, after[id.index]);
}

void FailureTasks::ended(uint32_t step, const Events &given) {
  events = &given;
  if (auto found = taskOfStep.find(step); found != taskOfStep.end())
    eventEnded(found->second, step);
  for (TaskId task : llvm::SmallVector<TaskId, 2>(waiting)) {
    // Whatever made it so is waited for.
    if (!stateOf(task).isDone)
      stateOf(task).steps.push_back(step);
    checkDone(task);
  }
  work();
}

void FailureTasks::skip(TaskId task, const Events &given) {
  events = &given;
  --stateOf(task).open;
  llvm::append_range(stateOf(task).steps, after[task.index]);
  checkDone(task);
  work();
}

//===----------------------------------------------------------------------===//
// Between tasks and events
//===----------------------------------------------------------------------===//

const Answer &FailureLowering::answerOf(TaskConditionId id) {
  std::optional<Answer> &answer = taskAnswers[id.index];
  if (!answer) {
    const TaskCondition &condition = tasks.tasks().conditions[id.index];
    answer = evaluate(condition.expr, condition.self);
    if (condition.outer) {
      const Answer &outer = answerOf(condition.outer);
      answer->add(outer);
      answer->truth = std::min(answer->truth, outer.truth);
    }
  }
  return *answer;
}

void FailureLowering::withTasks(
    llvm::function_ref<void(const FailureTasks::Events &)> act) {
  auto holds = [&](TaskConditionId id) {
    return !id || answerOf(id).isPossible();
  };
  auto isReached = [&](const CellGoal &goal) {
    return cells[goal.reached].value == goal.value &&
           !cells[goal.reached].isInFlight;
  };
  auto send = [&](TaskId id, EventId event, ArrayRef<uint32_t> after) {
    const Task &task = tasks.tasks().tasks[id.index];
    PendingEvent sent{
        {event, task.trigger, layout.entityOf(event)}, {}, {}, id};
    if (task.condition)
      sent.condition = answerOf(task.condition);
    sent.condition.writers.append(after.begin(), after.end());
    pending.push_back(std::move(sent));
  };
  act({holds, isReached, send});
  tryPending();
}

void FailureLowering::beginTasks() {
  tasks.end();
  auto found = plan.run.failureTasks.find(plan.origins[failed.index].index);
  if (found == plan.run.failureTasks.end())
    return;
  const TaskGraph &graph = plan.start.tasks.onFailure[found->second];
  taskAnswers.assign(graph.conditions.size(), std::nullopt);
  withTasks(
      [&](const FailureTasks::Events &events) { tasks.begin(graph, events); });
}

/// What no step makes possible is passed over. False if there is nothing.
bool FailureLowering::skipTasks() {
  auto *next =
      llvm::find_if(llvm::MutableArrayRef(pending),
                    [](const PendingEvent &event) { return bool(event.task); });
  if (next == llvm::MutableArrayRef(pending).end())
    return false;
  TaskId task = next->task;
  pending.erase(pending.begin() + (next - pending.data()));
  withTasks(
      [&](const FailureTasks::Events &events) { tasks.skip(task, events); });
  return true;
}
