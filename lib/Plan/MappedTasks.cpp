//===- MappedTasks.cpp - Operations that are workflows --------------------===//
///
/// \file
/// TOSCA 2.0 §15.6. An operation of a substituted node that is mapped to a
/// workflow of the service inside begins as any other does, with what it writes
/// on entry. Then the workflow runs, and when all of that is done, the
/// operation ends: its cells are written, its events sent.
///
//===----------------------------------------------------------------------===//

#include "ActivityMachines.h"
#include "TaskBuilder.h"

using namespace toscac;
using namespace toscac::plan;

TaskId TaskBuilder::addEvent(EventId event, TaskId after) {
  TaskId id = addTask(after);
  tasks.tasks[id.index].events.push_back(event);
  return id;
}

uint32_t TaskBuilder::addFailedOperation(EventId failed) {
  TaskGraph outside = std::exchange(tasks, {});
  addEvent(failed, {});
  std::swap(tasks, outside);
  tasks.onFailure.push_back(std::move(outside));
  return tasks.onFailure.size() - 1;
}

/// A node of the class whose service has no such mapping does what the
/// operation itself says.
bool TaskBuilder::addMapped(ir::NodeId node, EventId begins, TaskGraph &all) {
  tasks = std::move(all);
  ir::EntityId entity = graph.entity(node);
  EventPlace at = layout.place(begins);
  Name interface = layout.machine(at.slot).interface;
  const ir::Operation &operation = layout.operation(begins);
  auto eventOf = [&](Name name) {
    std::optional<EventId> event = layout.findEvent(entity, interface, name);
    assert(event && "mapped operations have been split");
    return *event;
  };
  uint32_t firstTask = tasks.tasks.size();
  uint32_t firstCondition = tasks.conditions.size();
  TaskId last = addTask({});
  EventId ends = eventOf(runName(operation.name, names));
  std::optional<ir::ScopeId> inside = graph.inside(node);
  if (inside)
    for (const auto &mapping : graph.scopes[inside->index].operations) {
      if (mapping.interface != interface || mapping.operation != operation.name)
        continue;
      ir::ScopeId scope = graph.classOf(node).scope;
      Frame frame{scope, nullptr, {system, scope}, {}, nullptr};
      EventId failure = eventOf(failedName(operation.name, names));
      frame.onFailure = addFailedOperation(failure);
      ir::Activity activity;
      activity.kind = ir::Activity::Kind::Delegate;
      activity.workflow = mapping.workflow;
      activity.inputs = operation.inputs;
      activity.range = operation.range;
      if (TaskId inner = addInner(frame, activity, *inside, entity, last))
        last = inner;
      ends = eventOf(doneName(operation.name, names));
      break;
    }
  addEvent(ends, last);
  uint32_t numTasks = tasks.tasks.size() - firstTask;
  uint32_t numConditions = tasks.conditions.size() - firstCondition;
  tasks.groups.push_back(
      {begins, ends, {firstTask, numTasks}, {firstCondition, numConditions}});
  all = std::move(tasks);
  return !failed;
}

/// Machines that tasks give an intent, by slot and row.
static llvm::DenseSet<std::pair<uint32_t, uint32_t>>
machinesWithIntents(const Layout &layout, const TaskGraph &tasks) {
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> result;
  for (const Task &task : tasks.tasks)
    for (const CellGoal &goal : task.goals) {
      CellPlace at = layout.place(goal.desired);
      result.insert({at.slot.index, at.row});
    }
  return result;
}

bool toscac::plan::addMappedTasks(EventSystem &system, TaskGraph &tasks) {
  const Layout &layout = system.layout;
  NameTable &names = system.conditions.names;
  if (llvm::all_of(layout.graph.scopes, [](const ir::Scope &scope) {
        return scope.operations.empty();
      }))
    return true;
  // Where a list of steps says what happens, it does so inside nodes, too.
  bool isListed = !tasks.empty();
  auto driven = machinesWithIntents(layout, tasks);
  bool complete = true;
  for (auto [i, slot] : llvm::enumerate(layout.slots)) {
    if (slot.kind != ir::EntityKind::Node)
      continue;
    SlotId id{uint32_t(i)};
    for (auto [k, operation] : llvm::enumerate(layout.machine(id).operations)) {
      Name done = doneName(operation.name, names);
      bool isSplit = llvm::any_of(
          layout.machine(id).operations,
          [&](const ir::Operation &other) { return other.name == done; });
      for (uint32_t row = 0; isSplit && row != slot.rows; ++row) {
        TaskBuilder builder(system);
        complete &= builder.addMapped(layout.graph.node(layout.entity(id, row)),
                                      layout.event(id, row, k), tasks);
        if (isListed)
          builder.letRest(driven);
      }
    }
  }
  return complete;
}
