//===- GroundTasks.cpp - The tasks of a workflow spelt out ----------------===//
///
/// \file
/// A task becomes an operation that begins it and one that ends it, neither of
/// which takes time, with cells for how far it is: it begins when all before it
/// are done, and from then on rules wait for what it calls to be ready. It is
/// done when what it called has ended and its goals are reached.
///
//===----------------------------------------------------------------------===//

#include "Grounder.h"

using namespace toscac;
using namespace toscac::plan;

namespace {
/// What the cell of a task has.
enum TaskProgress : uint8_t { Waiting, Begun, Skipped };
} // namespace

uint32_t Grounder::addTaskCell(uint8_t expected) {
  GroundCell cell{noCell, {}, Waiting, expected};
  for (int64_t value : {Waiting, Begun, Skipped})
    cell.values.push_back(system.values.intern(Value::integer(value)));
  all.cells.push_back(std::move(cell));
  atFirst.push_back(Waiting);
  return all.cells.size() - 1;
}

/// It happens when \p conditions hold, without being asked for.
void Grounder::addTaskOperation(std::vector<FormulaId> conditions,
                                std::vector<GroundWrite> writes) {
  Formula condition{Formula::Kind::And};
  condition.parts = std::move(conditions);
  GroundOperation made{noOperation, add(std::move(condition))};
  made.entry = std::move(writes);
  made.expected = 1;
  all.rules.push_back(
      {constant(true), uint32_t(all.operations.size()), ir::EntityId{~0u}});
  all.operations.push_back(std::move(made));
}

/// A condition is looked at once, when the first task that has it begins. Tasks
/// that send nothing take no time.
void Grounder::findDecided() {
  const TaskGraph &graph = start.tasks;
  decided.resize(graph.conditions.size());
  std::vector<uint32_t> waits, open;
  for (auto [i, task] : llvm::enumerate(graph.tasks)) {
    waits.push_back(task.waitsFor);
    if (task.waitsFor == 0)
      open.push_back(i);
  }
  while (!open.empty()) {
    const Task &task = graph.tasks[open.back()];
    open.pop_back();
    for (TaskConditionId at = task.condition; at;
         at = graph.conditions[at.index].outer)
      decided.set(at.index);
    for (TaskId follower : task.followers)
      if (task.events.empty() && --waits[follower.index] == 0)
        open.push_back(follower.index);
  }
}

bool Grounder::isSkipped(TaskConditionId id) {
  if (!id)
    return false;
  const TaskCondition &condition = start.tasks.conditions[id.index];
  if (!decided.test(id.index)) {
    problem = "a condition of the workflow is looked at only while it runs";
    return false;
  }
  TermId term = system.conditions.compile(condition.expr,
                                          layout.graph.kindOf(condition.self));
  return isSkipped(condition.outer) ||
         !holdsAtFirst(compile(term, condition.self));
}

/// Whether \p later comes after \p earlier in \p graph.
static bool follows(const TaskGraph &graph, TaskId later, TaskId earlier) {
  std::vector<TaskId> open{earlier};
  llvm::BitVector seen(graph.tasks.size());
  while (!open.empty()) {
    TaskId at = open.back();
    open.pop_back();
    if (at == later)
      return true;
    for (TaskId next : graph.tasks[at.index].followers)
      if (!seen.test(next.index)) {
        seen.set(next.index);
        open.push_back(next);
      }
  }
  return false;
}

/// That an operation has ended tells which task it ran for only if the tasks
/// that call it do so one after another, and nobody else does.
void Grounder::checkCalls() {
  const TaskGraph &graph = start.tasks;
  llvm::DenseMap<uint32_t, llvm::SmallVector<TaskId, 1>> callers;
  for (auto [i, task] : llvm::enumerate(graph.tasks))
    if (!isSkipped(task.condition))
      for (EventId event : task.events)
        callers[event.index].push_back({uint32_t(i)});
  for (const GroundOperation &operation : all.operations) {
    auto found = callers.find(operation.id.index);
    if (found == callers.end())
      continue;
    llvm::ArrayRef<TaskId> tasks = found->second;
    bool isClear = tasks.size() == operation.expected;
    for (size_t i = 1; i < tasks.size() && isClear; ++i)
      isClear =
          tasks[i - 1] != tasks[i] && follows(graph, tasks[i], tasks[i - 1]);
    if (!isClear && problem.empty())
      problem = "'" + layout.nameOf(operation.id) +
                "' is called by one step of the workflow, and by others at the "
                "same time";
  }
}

void Grounder::addTask(TaskId id) {
  const Task &task = start.tasks.tasks[id.index];
  bool skipped = isSkipped(task.condition);
  uint8_t progress = skipped ? Skipped : Begun;
  uint32_t cell = addTaskCell(progress);
  std::vector<FormulaId> before{isValue(cell, Waiting)};
  for (TaskId earlier : precedingTasks[id.index])
    before.push_back(isValue(doneCells[earlier.index], Begun));
  std::vector<GroundWrite> begins{{cell, progress}};
  std::vector<FormulaId> ends{isValue(cell, progress),
                              isValue(doneCells[id.index], Waiting)};
  for (EventId event : skipped ? llvm::ArrayRef<EventId>() : task.events) {
    uint32_t ended = addTaskCell(Begun);
    begins.push_back({ended, Waiting});
    ends.push_back(isValue(ended, Begun));
    all.operations[event.index].success.push_back({ended, Begun});
    Formula isOpen{Formula::Kind::And};
    isOpen.parts = {isValue(cell, Begun), isValue(ended, Waiting)};
    all.rules.push_back(
        {add(std::move(isOpen)), event.index, layout.entityOf(event)});
  }
  if (!skipped && !task.events.empty())
    for (const CellGoal &goal : task.goals)
      ends.push_back(
          isValue(goal.reached.index, indexOf(goal.reached, goal.value)));
  addTaskOperation(std::move(before), std::move(begins));
  addTaskOperation(std::move(ends), {{doneCells[id.index], Begun}});
}

void Grounder::addTasks() {
  if (start.tasks.empty() || begin)
    return;
  findDecided();
  precedingTasks.resize(start.tasks.tasks.size());
  for (auto [i, task] : llvm::enumerate(start.tasks.tasks)) {
    doneCells.push_back(addTaskCell(Begun));
    for (TaskId follower : task.followers)
      precedingTasks[follower.index].push_back({uint32_t(i)});
  }
  checkCalls();
  for (uint32_t i = 0; i != start.tasks.tasks.size() && problem.empty(); ++i)
    addTask({i});
}
