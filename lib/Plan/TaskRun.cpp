//===- TaskRun.cpp - The tasks of a workflow in the symbolic run ----------===//

#include "TaskRun.h"

#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

void TaskRun::begin(Sender send) {
  size_t ownTasks = graph.groups.empty() ? graph.tasks.size()
                                         : graph.groups.front().tasks.first;
  for (uint32_t i = 0; i != ownTasks; ++i)
    if (graph.tasks[i].waitsFor == 0)
      ready.push_back({i});
  work(send);
}

/// An operation may begin again when it has ended.
void TaskRun::beginGroup(const TaskGroup &group, StepId step) {
  for (TaskConditionId id : group.conditions.ids())
    decisions[id.index] = {};
  for (TaskId id : group.tasks.ids()) {
    stateOf(id) = {};
    if (at(id).waitsFor != 0)
      continue;
    stateOf(id).steps.push_back(step);
    ready.push_back(id);
  }
}

std::optional<EventId> TaskRun::begunBy(EventId event) const {
  auto found = groupsByEnd.find(event.index);
  if (found == groupsByEnd.end())
    return std::nullopt;
  return graph.groups[found->second].begins;
}

void TaskRun::work(Sender send) {
  while (!ready.empty()) {
    TaskId next = ready.front();
    ready.pop_front();
    start(next, send);
  }
}

void TaskRun::reportFalse(const TaskCondition &condition) {
  using Kind = TaskCondition::Kind;
  DiagnosticEngine &diags = run.system.conditions.diags;
  if (condition.kind == Kind::Precondition)
    diags.report(condition.expr->range(), diag::FalsePrecondition,
                 condition.name.str());
  else if (condition.kind == Kind::Policy)
    diags.report(condition.expr->range(), diag::FalsePolicyCondition,
                 condition.name.str());
}

/// A condition is looked at once, when the first task that has it begins.
bool TaskRun::holds(TaskConditionId id) {
  if (!id)
    return true;
  Decision &decision = decisions[id.index];
  if (decision.isMade)
    return decision.holds;
  const TaskCondition &condition = graph.conditions[id.index];
  bool outer = holds(condition.outer);
  decision.isMade = true;
  if (!outer)
    return false;
  if (condition.outer)
    decision.support = decisions[condition.outer.index].support;
  TermId term = run.system.conditions.compile(
      condition.expr, run.system.layout.graph.kindOf(condition.self));
  decision.holds = truth(term, condition.self).stable == Truth::True;
  if (decision.holds)
    support(term, condition.self, never, decision.support);
  else
    reportFalse(condition);
  return decision.holds;
}

StepId TaskRun::senderOf(State &state) {
  llvm::sort(state.steps);
  state.steps.erase(llvm::unique(state.steps), state.steps.end());
  if (state.steps.empty())
    return {};
  if (state.steps.size() > 1) {
    llvm::SmallVector<Dep, 8> deps(state.steps.begin(), state.steps.end());
    state.steps.assign(1, run.steps.add(StepGraph::noEvent, deps));
    run.causes.push_back(Cause::none());
    run.accepted.push_back(run.history.now());
  }
  return state.steps.front();
}

void TaskRun::sendEvents(TaskId id, Sender send) {
  const Task &task = at(id);
  StepId sender = senderOf(stateOf(id));
  stateOf(id).open = task.events.size();
  stateOf(id).steps.clear();
  for (EventId event : task.events) {
    taskOfSend[run.sends.size()] = id;
    Send sent{event, sender, task.trigger, run.history.now()};
    sent.isTask = true;
    send(sent);
  }
}

void TaskRun::start(TaskId id, Sender send) {
  const Task &task = at(id);
  State &state = stateOf(id);
  state.hasBegun = true;
  if (holds(task.condition) && !task.events.empty()) {
    for (const CellGoal &goal : task.goals)
      taskOfCell[goal.reached.index].push_back(id);
    sendEvents(id, send);
    return;
  }
  // Many that wait for many wait through one.
  if (task.followers.size() > 1)
    senderOf(state);
  checkDone(id);
}

bool TaskRun::reachesGoals(TaskId id) {
  if (at(id).events.empty())
    return true;
  const History &history = run.history;
  return llvm::all_of(at(id).goals, [&](const CellGoal &goal) {
    WriteId last = history.lastWrite(goal.reached);
    return history.value(goal.reached) == goal.value &&
           !(last && history.writes[last.index].isOnEntry());
  });
}

/// What follows a task can begin when all before it are done.
void TaskRun::checkDone(TaskId id) {
  State &state = stateOf(id);
  bool isSkipped = !holds(at(id).condition);
  if (state.isDone || state.open != 0 || (!isSkipped && !reachesGoals(id)))
    return;
  state.isDone = true;
  if (!isSkipped && !at(id).events.empty())
    for (const CellGoal &goal : at(id).goals)
      if (WriteId last = run.history.lastWrite(goal.reached))
        if (StepId writer = run.history.writes[last.index].step)
          state.steps.push_back(writer);
  for (TaskId follower : at(id).followers) {
    State &next = stateOf(follower);
    llvm::append_range(next.steps, state.steps);
    if (++next.done == at(follower).waitsFor)
      ready.push_back(follower);
  }
}

void TaskRun::addNeeds(SendId send, Support &needs) const {
  TaskConditionId condition = at(taskOfSend.at(send.index)).condition;
  if (!condition)
    return;
  const Support &more = decisions[condition.index].support;
  needs.deps.append(more.deps.begin(), more.deps.end());
  needs.guards.append(more.guards.begin(), more.guards.end());
  needs.late.append(more.late.begin(), more.late.end());
}

void TaskRun::accepted(SendId send, StepId step) {
  TaskId task = taskOfSend.at(send.index);
  auto group = groupsByBegin.find(run.sends[send.index].event.index);
  if (group == groupsByBegin.end())
    taskOfStep[step.index] = task;
  else
    taskOfGroup[group->second] = task;
  if (at(task).onFailure)
    run.failureTasks[step.index] = *at(task).onFailure;
}

void TaskRun::eventEnded(TaskId task, StepId step) {
  State &state = stateOf(task);
  --state.open;
  state.steps.push_back(step);
  checkDone(task);
}

void TaskRun::ended(StepId step, Sender send) {
  if (graph.empty())
    return;
  if (auto found = taskOfStep.find(step.index); found != taskOfStep.end())
    eventEnded(found->second, step);
  uint32_t event = run.event(step).index;
  if (auto group = groupsByEnd.find(event); group != groupsByEnd.end())
    if (TaskId task = std::exchange(taskOfGroup[group->second], {}))
      eventEnded(task, step);
  if (auto group = groupsByBegin.find(event); group != groupsByBegin.end())
    beginGroup(graph.groups[group->second], step);
  EventPlace place = run.system.layout.place(run.event(step));
  const ir::Operation &operation =
      run.system.layout.machine(place.slot).operations[place.operation];
  for (llvm::ArrayRef<ir::Set> sets :
       {operation.entry.sets, operation.success.sets})
    for (const ir::Set &set : sets) {
      CellId cell = run.system.layout.cell(place.slot, place.row, set.cell);
      auto waiting = taskOfCell.find(cell.index);
      if (waiting != taskOfCell.end())
        llvm::for_each(waiting->second, [&](TaskId id) { checkDone(id); });
    }
  work(send);
}

void TaskRun::finish() {
  for (auto [i, state] : llvm::enumerate(states))
    if (state.hasBegun && !state.isDone && state.open == 0)
      llvm::append_range(run.unmetGoals, graph.tasks[i].goals);
}
