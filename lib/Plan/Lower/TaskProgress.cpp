//===- TaskProgress.cpp - The tasks of a workflow in the symbolic run -----===//

#include "TaskProgress.h"

#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

void TaskProgress::begin(Sender send) {
  size_t ownTasks = graph->groups.empty() ? graph->tasks.size()
                                          : graph->groups.front().tasks.first;
  for (uint32_t i = 0; i != ownTasks; ++i)
    if (graph->tasks[i].waitsFor == 0)
      ready.push_back({i});
  work(send);
}

/// An operation may begin again when it has ended.
void TaskProgress::beginGroup(const TaskGroup &group, StepId step) {
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

std::optional<EventId> TaskProgress::begunBy(EventId event) const {
  auto found = groupsByEnd.find(event.index);
  if (found == groupsByEnd.end())
    return std::nullopt;
  return graph->groups[found->second].begins;
}

void TaskProgress::work(Sender send) {
  sender = &send;
  FollowTasks::work();
}

void TaskProgress::reportFalse(const TaskCondition &condition) {
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
bool TaskProgress::holds(TaskConditionId id) {
  if (!id)
    return true;
  Decision &decision = decisions[id.index];
  if (decision.isMade)
    return decision.holds;
  const TaskCondition &condition = graph->conditions[id.index];
  bool outer = holds(condition.outer);
  decision.isMade = true;
  if (!outer)
    return false;
  if (condition.outer)
    decision.justification = decisions[condition.outer.index].justification;
  TermId term = run.system.conditions.compile(
      condition.expr, run.system.layout.graph.kindOf(condition.self));
  decision.holds = truth(term, condition.self).stable == Truth::True;
  if (decision.holds)
    justification(term, condition.self, never, decision.justification);
  else
    reportFalse(condition);
  return decision.holds;
}

StepId TaskProgress::senderOf(State &state) {
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

void TaskProgress::send(TaskId id) {
  const Task &task = at(id);
  for (const CellGoal &goal : task.goals)
    taskOfCell[goal.reached.index].push_back(id);
  StepId after = senderOf(stateOf(id));
  stateOf(id).steps.clear();
  for (EventId event : task.events) {
    taskOfSend[run.sends.size()] = id;
    Send sent{event, after, task.trigger, run.history.now()};
    sent.isTask = true;
    (*sender)(sent);
  }
}

/// Adds a step that only waits (a join) where many tasks wait for many: n + m
/// edges instead of n × m.
void TaskProgress::passes(TaskId id) {
  if (at(id).followers.size() > 1)
    senderOf(stateOf(id));
}

bool TaskProgress::isReached(const CellGoal &goal) const {
  const History &history = run.history;
  WriteId last = history.lastWrite(goal.reached);
  return history.value(goal.reached) == goal.value &&
         !(last && history.writes[last.index].isOnEntry());
}

void TaskProgress::reached(TaskId id) {
  for (const CellGoal &goal : at(id).goals)
    if (WriteId last = run.history.lastWrite(goal.reached))
      if (StepId writer = run.history.writes[last.index].step)
        stateOf(id).steps.push_back(writer);
}

void TaskProgress::addNeeds(SendId send, Justification &needs) const {
  TaskConditionId condition = at(taskOfSend.at(send.index)).condition;
  if (!condition)
    return;
  const Justification &more = decisions[condition.index].justification;
  needs.deps.append(more.deps.begin(), more.deps.end());
  needs.guards.append(more.guards.begin(), more.guards.end());
  needs.late.append(more.late.begin(), more.late.end());
}

void TaskProgress::accepted(SendId send, StepId step) {
  TaskId task = taskOfSend.at(send.index);
  auto group = groupsByBegin.find(run.sends[send.index].event.index);
  if (group == groupsByBegin.end())
    taskOfStep[step.index] = task;
  else
    taskOfGroup[group->second] = task;
  if (at(task).onFailure)
    run.failureTasks[step.index] = *at(task).onFailure;
}

void TaskProgress::ended(StepId step, Sender send) {
  if (graph->empty())
    return;
  if (auto found = taskOfStep.find(step.index); found != taskOfStep.end())
    eventEnded(found->second, step);
  uint32_t event = run.event(step).index;
  if (auto group = groupsByEnd.find(event); group != groupsByEnd.end())
    if (TaskId task = std::exchange(taskOfGroup[group->second], {}))
      eventEnded(task, step);
  if (auto group = groupsByBegin.find(event); group != groupsByBegin.end())
    beginGroup(graph->groups[group->second], step);
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

void TaskProgress::finish() {
  for (auto [i, state] : llvm::enumerate(states))
    if (state.hasBegun && !state.isDone && state.open == 0)
      llvm::append_range(run.unmetGoals, graph->tasks[i].goals);
}
