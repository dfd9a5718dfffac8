//===- MappedTasks.cpp - Operations that are workflows --------------------===//
///
/// \file
/// TOSCA 2.0 §15.6. An operation of a substituted node that is mapped to a
/// workflow of the service inside begins as any other does, with what it writes
/// on entry. Then the workflow runs, and when all of that is done, the
/// operation ends: its cells are written, its events sent.
///
/// §16.5. The operation that stands for the trigger of a policy, whose action
/// is a list of activities, does so with these.
///
//===----------------------------------------------------------------------===//

#include "System/ActivityMachines.h"
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

bool TaskBuilder::addGroup(
    EventId begins, ir::SubgraphId subgraph,
    llvm::function_ref<TaskId(const Frame &frame, TaskId after)> add,
    TaskGraph &all) {
  tasks = std::move(all);
  EventPlace at = layout.place(begins);
  const ir::Operation &operation = layout.operation(begins);
  auto eventOf = [&](Name name) {
    std::optional<EventId> event =
        layout.findEvent(layout.entity(at.slot, at.row),
                         layout.machine(at.slot).interface, name);
    assert(event && "operations that tasks end have been split");
    return *event;
  };
  uint32_t firstTask = tasks.tasks.size();
  uint32_t firstCondition = tasks.conditions.size();
  TaskId first = addTask({});
  Frame frame{subgraph, nullptr, {system, subgraph}, {}, nullptr};
  frame.onFailure =
      addFailedOperation(eventOf(failedName(operation.name, names)));
  TaskId last = add(frame, first);
  EventId ends = eventOf(last ? doneName(operation.name, names)
                              : runName(operation.name, names));
  addEvent(ends, last ? last : first);
  uint32_t numTasks = tasks.tasks.size() - firstTask;
  uint32_t numConditions = tasks.conditions.size() - firstCondition;
  tasks.groups.push_back(
      {begins, ends, {firstTask, numTasks}, {firstCondition, numConditions}});
  all = std::move(tasks);
  return !failed;
}

/// A node of the class whose service has no such mapping does what the
/// operation itself says.
bool TaskBuilder::addMapped(ir::NodeId node, EventId begins, TaskGraph &all) {
  std::optional<ir::SubgraphId> inside = graph.inside(node);
  Name interface = layout.machine(layout.place(begins).slot).interface;
  const ir::Operation &operation = layout.operation(begins);
  auto addInside = [&](const Frame &frame, TaskId after) -> TaskId {
    if (inside)
      for (const auto &mapping : graph.subgraphs[inside->index].operations) {
        if (mapping.interface != interface ||
            mapping.operation != operation.name)
          continue;
        ir::Activity activity;
        activity.kind = ir::Activity::Kind::Delegate;
        activity.workflow = mapping.workflow;
        activity.inputs = operation.inputs;
        activity.range = operation.range;
        TaskId inner =
            addInner(frame, activity, *inside, graph.entity(node), after);
        return inner ? inner : after;
      }
    return {};
  };
  return addGroup(begins, graph.classOf(node).subgraph, addInside, all);
}

bool TaskBuilder::addListed(const ir::PolicyTrigger &trigger,
                            ir::SubgraphId subgraph, EventId begins,
                            TaskGraph &all) {
  auto addAll = [&](const Frame &frame, TaskId after) {
    return addActions(frame, trigger, after);
  };
  return addGroup(begins, subgraph, addAll, all);
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

static bool addPolicyTasks(EventSystem &system, ir::SubgraphId id,
                           TaskGraph &tasks) {
  const Layout &layout = system.layout;
  const ir::Graph &graph = layout.graph;
  bool complete = true;
  for (auto [trigger, slot] :
       listedPolicies(graph, graph.subgraphs[id.index])) {
    Name interface = layout.set.machines[slot->machine.index].interface;
    std::optional<EventId> begins =
        layout.findEvent(graph.entity(id), interface, trigger->name);
    assert(begins && "it is the slot of the trigger");
    complete &= TaskBuilder(system).addListed(*trigger, id, *begins, tasks);
  }
  return complete;
}

bool toscac::plan::addMappedTasks(EventSystem &system, TaskGraph &tasks) {
  const Layout &layout = system.layout;
  NameTable &names = system.conditions.names;
  // Where a list of steps says what happens, it does so inside nodes, too.
  bool isListed = !tasks.empty();
  bool complete = true;
  for (uint32_t i = 0; i != layout.graph.subgraphs.size(); ++i)
    complete &= addPolicyTasks(system, {i}, tasks);
  if (llvm::all_of(layout.graph.subgraphs, [](const ir::Subgraph &subgraph) {
        return subgraph.operations.empty();
      }))
    return complete;
  auto driven = machinesWithIntents(layout, tasks);
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
          builder.suspendRules(driven);
      }
    }
  }
  return complete;
}
