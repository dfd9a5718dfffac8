//===- FailureTasks.cpp - What a workflow does after a failure ------------===//

#include "FailureLowering.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

void FailureTasks::begin(const TaskGraph &begun, const Events &events) {
  graph = &begun;
  states.assign(begun.tasks.size(), {});
  ready.clear();
  waiting.clear();
  taskOfStep.clear();
  for (uint32_t i = 0; i != begun.tasks.size(); ++i)
    if (begun.tasks[i].waitsFor == 0)
      ready.push_back({i});
  work(events);
}

void FailureTasks::work(const Events &events) {
  while (!ready.empty()) {
    TaskId next = ready.front();
    ready.pop_front();
    start(next, events);
  }
}

void FailureTasks::start(TaskId id, const Events &events) {
  const Task &task = graph->tasks[id.index];
  if (task.events.empty() || !events.holds(task.condition))
    return finish(id);
  State &state = states[id.index];
  state.after = std::exchange(state.steps, {});
  state.open = task.events.size();
  for (EventId event : task.events)
    events.send(id, event, state.after);
}

void FailureTasks::finish(TaskId id) {
  State &state = states[id.index];
  state.isDone = true;
  for (TaskId follower : graph->tasks[id.index].followers) {
    State &next = states[follower.index];
    llvm::append_range(next.steps, state.steps);
    if (++next.done == graph->tasks[follower.index].waitsFor)
      ready.push_back(follower);
  }
}

void FailureTasks::checkDone(TaskId id, const Events &events) {
  const State &state = states[id.index];
  if (state.isDone || state.open != 0)
    return;
  if (llvm::all_of(graph->tasks[id.index].goals, events.isReached))
    finish(id);
  else if (!llvm::is_contained(waiting, id))
    waiting.push_back(id);
}

void FailureTasks::ended(uint32_t step, const Events &events) {
  auto found = taskOfStep.find(step);
  if (found != taskOfStep.end()) {
    State &state = states[found->second.index];
    --state.open;
    state.steps.push_back(step);
    checkDone(found->second, events);
  }
  for (TaskId task : llvm::SmallVector<TaskId, 2>(waiting)) {
    // Whatever made it so is waited for.
    if (!states[task.index].isDone)
      states[task.index].steps.push_back(step);
    checkDone(task, events);
  }
  work(events);
}

void FailureTasks::skip(TaskId task, const Events &events) {
  State &state = states[task.index];
  --state.open;
  llvm::append_range(state.steps, state.after);
  checkDone(task, events);
  work(events);
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
