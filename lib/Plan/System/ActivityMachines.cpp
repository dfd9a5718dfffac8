//===- ActivityMachines.cpp - Operations that stand for activities --------===//

#include "ActivityMachines.h"

#include "toscac/Value/Expr.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

Name toscac::plan::setStateName(const Value &value, NameTable &names) {
  return names.intern("set_state:" + (value.isString() ? value.asString().str()
                                                       : toText(value)));
}

Name toscac::plan::delegateName(Name workflow, NameTable &names) {
  return names.intern(("delegate:" + workflow.str()).str());
}

Name toscac::plan::doneName(Name operation, NameTable &names) {
  return names.intern(("done:" + operation.str()).str());
}

Name toscac::plan::failedName(Name operation, NameTable &names) {
  return names.intern(("failed:" + operation.str()).str());
}

Name toscac::plan::runName(Name operation, NameTable &names) {
  return names.intern(("run:" + operation.str()).str());
}

Name toscac::plan::workflowInterface(NameTable &names) {
  return names.intern("workflow");
}

llvm::SmallVector<ListedPolicy, 2>
toscac::plan::listedPolicies(const ir::Graph &graph,
                             const ir::Subgraph &subgraph) {
  llvm::SmallVector<ListedPolicy, 2> result;
  for (const ir::PolicyTrigger &trigger : subgraph.policies) {
    bool isOneCall =
        trigger.actions.size() == 1 &&
        trigger.actions.front().kind == ir::Activity::Kind::CallOperation;
    for (const ir::MachineSlot &slot : subgraph.machines)
      if (!isOneCall &&
          llvm::any_of(graph.machines[slot.machine.index].operations,
                       [&](const ir::Operation &operation) {
                         return operation.name == trigger.name;
                       }))
        result.push_back({&trigger, &slot});
  }
  return result;
}

namespace {

class ActivityAdder {
public:
  ActivityAdder(const ir::Graph &graph, NameTable &names, ValueArena &arena)
      : graph(graph), names(names), arena(arena), set(graph) {}

  MachineSet add();

private:
  void addOperation(ir::Machine &machine, const ir::Operation &operation);
  void addIntents(ir::Machine &machine);
  void addSetState(const ir::Activity &activity);
  void addScripts(ir::SubgraphId subgraph);
  void splitMapped(const ir::Subgraph &subgraph);
  void split(ir::Machine &machine, Name operation);

  const ir::Graph &graph;
  NameTable &names;
  ValueArena &arena;
  MachineSet set;
};

} // namespace

/// Once; another activity may have added it.
void ActivityAdder::addOperation(ir::Machine &machine,
                                 const ir::Operation &operation) {
  if (llvm::any_of(machine.operations, [&](const ir::Operation &other) {
        return other.name == operation.name;
      }))
    return;
  llvm::SmallVector<ir::Operation> all(machine.operations);
  all.push_back(operation);
  machine.operations = arena.save(ArrayRef<ir::Operation>(all));
}

void ActivityAdder::addIntents(ir::Machine &machine) {
  for (const ir::Intent &intent : machine.intents) {
    llvm::SmallVector<ir::Set, 2> sets;
    for (const ir::Intent &other : machine.intents)
      if (other.workflow == intent.workflow)
        sets.push_back({other.cell, arena.make(Expr::literal(other.value)),
                        machine.range});
    ir::Operation operation;
    operation.name = delegateName(intent.workflow, names);
    operation.success.sets = arena.save(ArrayRef<ir::Set>(sets));
    operation.range = machine.range;
    addOperation(machine, operation);
  }
}

void ActivityAdder::addSetState(const ir::Activity &activity) {
  for (ir::Machine &machine : set.machines)
    for (auto [i, cell] : llvm::enumerate(machine.cells)) {
      bool isMeant = activity.interface.str().empty() ||
                     activity.interface == machine.interface;
      if (!isMeant || cell.name != activity.operation)
        continue;
      ir::Set written{uint32_t(i), arena.make(Expr::literal(activity.value)),
                      activity.range};
      ir::Operation operation;
      operation.name = setStateName(activity.value, names);
      operation.success.sets = arena.save(ArrayRef<ir::Set>(written));
      operation.range = activity.range;
      addOperation(machine, operation);
    }
}

void ActivityAdder::addScripts(ir::SubgraphId subgraph) {
  set.ofServices.emplace_back();
  llvm::SmallVector<ir::Operation> operations;
  for (const ir::Workflow &workflow :
       graph.subgraphs[subgraph.index].workflows) {
    if (workflow.handlers.empty())
      continue;
    ir::Operation operation;
    operation.name = workflow.name;
    operation.inputs = workflow.inputs;
    operation.outputs = workflow.outputs;
    operation.handlers = workflow.handlers;
    operation.range = workflow.range;
    operations.push_back(operation);
  }
  if (operations.empty())
    return;
  ir::Machine machine;
  machine.interface = workflowInterface(names);
  machine.operations = arena.save(ArrayRef<ir::Operation>(operations));
  set.ofServices.back().push_back({{uint32_t(set.machines.size())}, {}});
  set.machines.push_back(machine);
}

/// Once, whatever number of instances has the mapping.
void ActivityAdder::split(ir::Machine &machine, Name operation) {
  Name done = doneName(operation, names);
  llvm::SmallVector<ir::Operation> all(machine.operations);
  for (const ir::Operation &other : machine.operations)
    if (other.name == done)
      return;
  for (size_t i = 0; i != machine.operations.size(); ++i) {
    if (all[i].name != operation)
      continue;
    ir::Operation whole = all[i];
    // What it writes on entry stays until it ends.
    all[i].handlers = {};
    all[i].success = std::exchange(all[i].entry, {});
    all[i].failure = {};
    whole.precondition = nullptr;
    whole.entry = {};
    whole.name = runName(operation, names);
    all.push_back(whole);
    ir::Operation end;
    end.range = whole.range;
    end.name = done;
    end.success = whole.success;
    all.push_back(end);
    end.name = failedName(operation, names);
    end.success = whole.failure;
    all.push_back(end);
  }
  machine.operations = arena.save(ArrayRef<ir::Operation>(all));
}

void ActivityAdder::splitMapped(const ir::Subgraph &subgraph) {
  for (const ir::Subgraph::OperationMapping &mapping : subgraph.operations)
    for (const ir::MachineSlot &slot :
         graph.classOf(*subgraph.substitutes).machines)
      if (set.machines[slot.machine.index].interface == mapping.interface)
        split(set.machines[slot.machine.index], mapping.operation);
  for (auto [trigger, slot] : listedPolicies(graph, subgraph))
    split(set.machines[slot->machine.index], trigger->name);
}

MachineSet ActivityAdder::add() {
  for (const ir::Subgraph &subgraph : graph.subgraphs)
    splitMapped(subgraph);
  for (ir::Machine &machine : set.machines)
    addIntents(machine);
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs)) {
    auto addAll = [&](ArrayRef<ir::Activity> activities) {
      for (const ir::Activity &activity : activities)
        if (activity.kind == ir::Activity::Kind::SetState)
          addSetState(activity);
    };
    for (const ir::Workflow &workflow : subgraph.workflows)
      for (const ir::WorkflowStep &step : workflow.steps)
        addAll(step.activities);
    for (const ir::PolicyTrigger &policy : subgraph.policies)
      addAll(policy.actions);
    addScripts({uint32_t(i)});
  }
  return std::move(set);
}

MachineSet toscac::plan::addActivities(const ir::Graph &graph, NameTable &names,
                                       ValueArena &arena) {
  return ActivityAdder(graph, names, arena).add();
}
