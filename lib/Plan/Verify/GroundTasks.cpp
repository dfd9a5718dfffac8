//===- GroundTasks.cpp - The tasks of a workflow spelt out ----------------===//
///
/// \file
/// A task becomes an operation that begins it and one that ends it, neither of
/// which takes time, with cells for how far it is: it begins when all before it
/// are done, and from then on rules wait for what it calls to be ready. It is
/// done when what it called has ended and its goals are reached. A call that
/// finds the operation in flight waits for its end, and asks again: the end is
/// not that of the call.
///
/// What an operation is mapped to begins when the operation has begun, which is
/// told by a cell, too, and is in flight until the last of it has ended.
///
//===----------------------------------------------------------------------===//

#include "GroundDraft.h"

using namespace toscac;
using namespace toscac::plan;

namespace {
/// What the cell of a task has.
enum TaskProgress : uint8_t { Waiting, Begun, Skipped };
/// What the cell of a call has.
enum CallProgress : uint8_t { Unasked, Asked, Running, Done };

class TaskGrounder {
public:
  explicit TaskGrounder(GroundDraft &draft)
      : draft(draft), start(draft.start), system(draft.system),
        layout(draft.layout), conditions(draft.conditions), all(draft.all) {}

  void addTasks();

private:
  void addTask(TaskId task);
  void addGroup(const TaskGroup &group);
  void checkCalls();
  void findDecided();
  bool isSkipped(TaskConditionId condition);
  uint32_t addTaskCell(uint8_t expected);
  FormulaId isValue(uint32_t cell, uint8_t value) {
    return conditions.add(Formula::test(cell, uint64_t(1) << value));
  }
  void addTaskOperation(std::vector<FormulaId> needed,
                        std::vector<GroundWrite> writes, uint32_t times);
  /// The group that \p task is in: an index of TaskGraph::groups.
  std::optional<uint32_t> groupOf(TaskId task) const;
  bool isBegunInRun(TaskId task) const;

  GroundDraft &draft;
  const Start &start;
  EventSystem &system;
  const Layout &layout;
  GroundConditions &conditions;
  GroundSystem &all;
  /// By task: a cell that says that it is done, and what it begins after.
  std::vector<uint32_t> doneCells;
  std::vector<llvm::SmallVector<TaskId, 2>> precedingTasks;
  /// By group: whether it is under way (Begun) or over (Skipped).
  std::vector<uint32_t> groupCells;
  /// Conditions of tasks that are looked at before anything happens.
  llvm::BitVector decided;
};

} // namespace

uint32_t TaskGrounder::addTaskCell(uint8_t expected) {
  GroundCell cell{noCell, {}, Waiting, expected};
  for (int64_t value = Unasked; value <= Done; ++value)
    cell.values.push_back(system.values.intern(Value::integer(value)));
  all.cells.push_back(std::move(cell));
  draft.atFirst.push_back(Waiting);
  return all.cells.size() - 1;
}

/// It happens when \p needed hold, without being asked for.
void TaskGrounder::addTaskOperation(std::vector<FormulaId> needed,
                                    std::vector<GroundWrite> writes,
                                    uint32_t times) {
  GroundOperation made{noOperation,
                       conditions.add(Formula::all(std::move(needed)))};
  made.entry = std::move(writes);
  made.expected = times;
  all.rules.push_back({conditions.constant(true),
                       uint32_t(all.operations.size()), ir::EntityId{~0u}});
  all.operations.push_back(std::move(made));
}

/// A condition is looked at once, when the first task that has it begins. Tasks
/// that send nothing take no time.
void TaskGrounder::findDecided() {
  const TaskGraph &graph = start.tasks;
  decided.resize(graph.conditions.size());
  std::vector<uint32_t> waits, open;
  for (auto [i, task] : llvm::enumerate(graph.tasks)) {
    waits.push_back(task.waitsFor);
    if (task.waitsFor == 0 && !groupOf(TaskId{uint32_t(i)}))
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

bool TaskGrounder::isSkipped(TaskConditionId id) {
  if (!id)
    return false;
  const TaskCondition &condition = start.tasks.conditions[id.index];
  if (!decided.test(id.index)) {
    draft.problem =
        "a condition of the workflow is looked at only while it runs";
    return false;
  }
  TermId term = system.conditions.compile(condition.expr,
                                          layout.graph.kindOf(condition.self));
  return isSkipped(condition.outer) ||
         !draft.holdsAtFirst(conditions.compile(term, condition.self));
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

/// When an operation starts, it is clear for which task only if those that call
/// it do so one after another.
void TaskGrounder::checkCalls() {
  const TaskGraph &graph = start.tasks;
  llvm::DenseMap<uint32_t, llvm::SmallVector<TaskId, 1>> callers;
  for (auto [i, task] : llvm::enumerate(graph.tasks))
    if (isBegunInRun({uint32_t(i)}) && !isSkipped(task.condition))
      for (EventId event : task.events)
        callers[event.index].push_back({uint32_t(i)});
  for (const GroundOperation &operation : all.operations) {
    auto found = callers.find(operation.id.index);
    if (found == callers.end())
      continue;
    llvm::ArrayRef<TaskId> tasks = found->second;
    bool isClear = true;
    for (size_t i = 1; i < tasks.size() && isClear; ++i)
      isClear =
          tasks[i - 1] != tasks[i] && follows(graph, tasks[i], tasks[i - 1]);
    if (!isClear && draft.problem.empty())
      draft.problem =
          "'" + layout.nameOf(operation.id) +
          "' is called by steps of the workflow that run at the same "
          "time";
  }
}

std::optional<uint32_t> TaskGrounder::groupOf(TaskId task) const {
  for (auto [i, group] : llvm::enumerate(start.tasks.groups))
    if (group.tasks.contains(task))
      return i;
  return std::nullopt;
}

/// Not if nothing began it.
bool TaskGrounder::isBegunInRun(TaskId task) const {
  std::optional<uint32_t> group = groupOf(task);
  return !group ||
         all.operations[start.tasks.groups[*group].begins.index].expected != 0;
}

void TaskGrounder::addGroup(const TaskGroup &group) {
  GroundOperation &begins = all.operations[group.begins.index];
  if (begins.expected > 1 && draft.problem.empty())
    draft.problem =
        "'" + layout.nameOf(group.begins) +
        "' happens more than once, and other operations do what it does";
  uint32_t cell = addTaskCell(begins.expected ? Skipped : Waiting);
  groupCells.push_back(cell);
  FormulaId isFree = conditions.add(
      Formula::test(cell, uint64_t(1) << Waiting | uint64_t(1) << Skipped));
  begins.precondition =
      conditions.add(Formula::all({begins.precondition, isFree}));
  begins.success.push_back({cell, Begun});
  all.operations[group.ends.index].success.push_back({cell, Skipped});
}

void TaskGrounder::addTask(TaskId id) {
  const Task &task = start.tasks.tasks[id.index];
  bool skipped = isSkipped(task.condition);
  uint8_t progress = skipped ? Skipped : Begun;
  bool isBegun = isBegunInRun(id);
  uint32_t cell = addTaskCell(isBegun ? progress : uint8_t(Waiting));
  std::vector<FormulaId> before{isValue(cell, Waiting)};
  if (std::optional<uint32_t> group = groupOf(id))
    before.push_back(isValue(groupCells[*group], Begun));
  for (TaskId earlier : precedingTasks[id.index])
    before.push_back(isValue(doneCells[earlier.index], Begun));
  std::vector<GroundWrite> begins{{cell, progress}};
  std::vector<FormulaId> ends{isValue(cell, progress),
                              isValue(doneCells[id.index], Waiting)};
  for (EventId event : skipped ? llvm::ArrayRef<EventId>() : task.events) {
    uint32_t call = addTaskCell(isBegun ? Done : Unasked);
    begins.push_back({call, Asked});
    ends.push_back(isValue(call, Done));
    GroundOperation &called = all.operations[event.index];
    called.entry.push_back({call, Running, Asked});
    called.success.push_back({call, Done, Running});
    GroundRule rule{isValue(call, Asked), event.index, layout.entityOf(event)};
    rule.isCall = true;
    all.rules.push_back(rule);
  }
  if (!skipped && !task.events.empty())
    for (const CellGoal &goal : task.goals)
      ends.push_back(isValue(goal.reached.index,
                             conditions.indexOf(goal.reached, goal.value)));
  addTaskOperation(std::move(before), std::move(begins), isBegun);
  addTaskOperation(std::move(ends), {{doneCells[id.index], Begun}}, isBegun);
}

void TaskGrounder::addTasks() {
  findDecided();
  all.leavesTasks = !draft.run.unmetGoals.empty() ||
                    llvm::any_of(draft.run.sends, [](const Send &send) {
                      return send.isTask && !send.accepted;
                    });
  for (const TaskGroup &group : start.tasks.groups)
    addGroup(group);
  precedingTasks.resize(start.tasks.tasks.size());
  for (auto [i, task] : llvm::enumerate(start.tasks.tasks)) {
    doneCells.push_back(
        addTaskCell(isBegunInRun({uint32_t(i)}) ? Begun : Waiting));
    for (TaskId follower : task.followers)
      precedingTasks[follower.index].push_back({uint32_t(i)});
  }
  checkCalls();
  for (uint32_t i = 0; i != start.tasks.tasks.size() && draft.problem.empty();
       ++i)
    addTask({i});
}

void toscac::plan::addTasks(GroundDraft &draft) {
  TaskGrounder(draft).addTasks();
}
