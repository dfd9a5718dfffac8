//===- DriveInside.cpp - Workflows that drive a service inside ------------===//
///
/// \file
/// Where an operation of a substituted node is a workflow of the service inside
/// (TOSCA 2.0 §15.6), that workflow says when what it calls is to happen. Level
/// rules inside, which pursue the same goal, must not be faster: while the
/// operation is still to come, those of called operations do not hold. Whether
/// it is to come is read off the states of the node's machine: from where its
/// own rules lead to the operation.
///
//===----------------------------------------------------------------------===//

#include "DriveInside.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

static Expr pathWord(llvm::StringRef text) {
  return Expr::literal(Value::string(text));
}

//===----------------------------------------------------------------------===//
// What the workflow calls
//===----------------------------------------------------------------------===//

/// Node templates that \p target means, itself or as members of a group.
static void membersOf(const sema::Service &service, Name target,
                      llvm::SmallVectorImpl<uint32_t> &nodes,
                      llvm::SmallVectorImpl<Name> &seen) {
  if (llvm::is_contained(seen, target))
    return;
  seen.push_back(target);
  for (auto [i, node] : llvm::enumerate(service.nodes))
    if (node.name == target)
      nodes.push_back(i);
  for (const sema::Group &group : service.groups) {
    if (group.name != target)
      continue;
    nodes.append(group.nodes.begin(), group.nodes.end());
    for (Name member : group.groups)
      membersOf(service, member, nodes, seen);
  }
}

namespace {

/// Follows a workflow and what it inlines.
class CallCollector {
public:
  CallCollector(Expansion &expansion, ir::ScopeId scope)
      : graph(expansion.graph), scope(scope),
        service(*expansion.scopes[scope.index].service) {}

  void collect(Name workflow);
  std::vector<DrivingOperation::Call> calls;

private:
  void addTarget(const ir::WorkflowStep &step, const ir::Activity &activity);

  const ir::Graph &graph;
  ir::ScopeId scope;
  const sema::Service &service;
  llvm::SmallVector<Name, 2> collected;
};

} // namespace

void CallCollector::addTarget(const ir::WorkflowStep &step,
                              const ir::Activity &activity) {
  llvm::SmallVector<uint32_t, 4> nodes;
  llvm::SmallVector<Name, 4> seen;
  membersOf(service, step.target, nodes, seen);
  for (uint32_t node : nodes) {
    uint32_t nodeClass = graph.scopes[scope.index].classes.first + node;
    if (!step.targetRelationship) {
      calls.push_back({{/*isRelationship=*/false, nodeClass},
                       activity.interface,
                       activity.operation});
      continue;
    }
    for (ir::RelationshipClassId id :
         graph.nodeClasses[nodeClass].relationships.ids())
      if (graph.relationshipClasses[id.index].requirement ==
          step.targetRelationship)
        calls.push_back({{/*isRelationship=*/true, id.index},
                         activity.interface,
                         activity.operation});
  }
}

void CallCollector::collect(Name name) {
  using Kind = ir::Activity::Kind;
  if (llvm::is_contained(collected, name))
    return;
  collected.push_back(name);
  for (const ir::Workflow &workflow : service.workflows) {
    if (workflow.name != name)
      continue;
    for (const ir::WorkflowStep &step : workflow.steps)
      for (const ir::Activity &activity : step.activities) {
        if (activity.kind == Kind::CallOperation)
          addTarget(step, activity);
        if (activity.kind == Kind::Inline)
          collect(activity.workflow);
      }
  }
}

bool DrivingOperation::callsSomeOf(ClassRef target, Name interface) const {
  return llvm::any_of(calls, [&](const Call &call) {
    return call.target == target && call.interface == interface;
  });
}

//===----------------------------------------------------------------------===//
// When the operation comes
//===----------------------------------------------------------------------===//

Course::Course(const ir::Machine &machine, Name name, ValueArena &arena)
    : machine(machine), arena(arena), space(ir::explore(machine, arena)) {
  for (auto [i, candidate] : llvm::enumerate(machine.operations))
    if (candidate.name == name)
      operation = i;
  findAhead();
}

/// Whether a rule of the machine itself may send the event.
bool Course::isPursued(const ir::StateSpace::Transition &transition) const {
  Name name = machine.operations[transition.operation].name;
  return !transition.fails &&
         llvm::any_of(machine.rules, [&](const ir::Trigger &rule) {
           return rule.receiver.steps.empty() &&
                  rule.interface == machine.interface &&
                  rule.operation == name &&
                  ir::holds(machine, space, space.states[transition.from],
                            rule.condition, arena) != ir::Truth::False;
         });
}

void Course::findAhead() {
  ahead.assign(space.states.size(), false);
  llvm::erase_if(space.transitions, [&](const auto &transition) {
    return !isPursued(transition);
  });
  bool changed = true;
  while (changed) {
    changed = false;
    for (const ir::StateSpace::Transition &transition : space.transitions) {
      bool leads = transition.operation == operation || ahead[transition.to];
      if (!leads || ahead[transition.from])
        continue;
      ahead[transition.from] = true;
      changed = true;
    }
  }
}

bool Course::comesAfter(const ir::Operation &earlier, Name workflow) const {
  auto isWanted = [&](const ir::StateSpace::State &state) {
    return llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
      auto position = llvm::find(space.cells, intent.cell);
      return intent.workflow == workflow && position != space.cells.end() &&
             space.value(machine, state, position - space.cells.begin()) ==
                 intent.value;
    });
  };
  return llvm::any_of(space.transitions, [&](const auto &transition) {
    return machine.operations[transition.operation].name == earlier.name &&
           transition.operation != operation && ahead[transition.to] &&
           isWanted(space.states[transition.from]);
  });
}

/// What it writes on entry, in all states that accept it.
std::vector<ir::StateSpace::State> Course::runningStates() const {
  std::vector<ir::StateSpace::State> result;
  for (const ir::StateSpace::Transition &transition : space.transitions) {
    if (transition.operation != operation)
      continue;
    ir::StateSpace::State state = space.states[transition.from];
    for (const ir::Set &set : machine.operations[operation].entry.sets) {
      auto position = llvm::find(space.cells, set.cell);
      ArrayRef<Value> domain = machine.cells[set.cell].domain;
      const auto *value = set.value->isLiteral()
                              ? llvm::find(domain, set.value->value())
                              : domain.end();
      if (position != space.cells.end() && value != domain.end())
        state[position - space.cells.begin()] = value - domain.begin();
    }
    if (!llvm::is_contained(result, state))
      result.push_back(state);
  }
  return result;
}

const Expr *Course::isAhead() const {
  std::vector<ir::StateSpace::State> states = runningStates();
  for (auto [i, state] : llvm::enumerate(space.states))
    if (ahead[i] && !llvm::is_contained(states, state))
      states.push_back(state);
  if (!space.isComplete || space.cells.empty())
    return nullptr;
  llvm::sort(states);
  auto save = [&](ArrayRef<Expr> exprs) { return arena.save(exprs); };
  llvm::SmallVector<Expr, 8> any;
  for (const ir::StateSpace::State &state : states) {
    llvm::SmallVector<Expr, 4> all;
    for (auto [position, cell] : llvm::enumerate(space.cells)) {
      Expr path[] = {pathWord("SELF"), pathWord("OUTSIDE"),
                     pathWord("INTERFACE"), pathWord(machine.interface.str()),
                     pathWord(machine.cells[cell].name.str())};
      Expr sides[] = {Expr::call(Function::GetAttribute, save(path)),
                      Expr::literal(space.value(machine, state, position))};
      all.push_back(Expr::call(Function::Equal, save(sides)));
    }
    any.push_back(all.size() == 1 ? all.front()
                                  : Expr::call(Function::And, save(all)));
  }
  if (any.empty())
    return arena.make(Expr::literal(Value::boolean(false)));
  return arena.make(any.size() == 1 ? any.front()
                                    : Expr::call(Function::Or, save(any)));
}

std::vector<std::vector<DrivingOperation>>
expanding::findDrivingOperations(Expansion &expansion) {
  const ir::Graph &graph = expansion.graph;
  std::vector<std::vector<DrivingOperation>> result(graph.scopes.size());
  std::map<std::pair<uint32_t, std::string>, std::shared_ptr<const Course>>
      courses;
  for (auto [i, scope] : llvm::enumerate(graph.scopes))
    for (const ir::Scope::OperationMapping &mapping : scope.operations)
      for (const ir::MachineSlot &slot :
           graph.classOf(*scope.substitutes).machines) {
        const ir::Machine &machine = graph.machines[slot.machine.index];
        if (machine.interface != mapping.interface)
          continue;
        auto &course =
            courses[{slot.machine.index, mapping.operation.str().str()}];
        if (!course)
          course = std::make_shared<Course>(machine, mapping.operation,
                                            expansion.arena());
        CallCollector collector(expansion, {uint32_t(i)});
        collector.collect(mapping.workflow);
        result[i].push_back({course, std::move(collector.calls)});
      }
  return result;
}

//===----------------------------------------------------------------------===//
// Rules inside
//===----------------------------------------------------------------------===//

/// The rule's condition, and not \p isAhead; null: never.
static const Expr *unlessAhead(Expansion &expansion, const Expr *condition,
                               const Expr *isAhead) {
  ValueArena &arena = expansion.arena();
  if (!isAhead)
    return arena.make(Expr::literal(Value::boolean(false)));
  Expr negated =
      Expr::call(Function::Not, arena.save(ArrayRef<Expr>(*isAhead)));
  if (!condition)
    return arena.make(negated);
  Expr both[] = {*condition, negated};
  return arena.make(
      Expr::call(Function::And, arena.save(ArrayRef<Expr>(both))));
}

void expanding::leaveToWorkflows(Expansion &expansion,
                                 ArrayRef<DrivingOperation> driving) {
  ir::Graph &graph = expansion.graph;
  for (const DrivingOperation &operation : driving) {
    const Expr *isAhead = operation.course->isAhead();
    for (const DrivingOperation::Call &call : operation.calls) {
      auto &slots = call.target.isRelationship
                        ? graph.relationshipClasses[call.target.index].machines
                        : graph.nodeClasses[call.target.index].machines;
      for (ir::MachineSlot &slot : slots) {
        ir::Machine machine = graph.machines[slot.machine.index];
        if (machine.interface != call.interface)
          continue;
        llvm::SmallVector<ir::Trigger, 8> rules(machine.rules);
        for (ir::Trigger &rule : rules)
          if (rule.receiver.steps.empty() && rule.interface == call.interface &&
              rule.operation == call.operation)
            rule.condition = unlessAhead(expansion, rule.condition, isAhead);
        machine.rules = expansion.arena().save(ArrayRef<ir::Trigger>(rules));
        graph.machines.push_back(machine);
        slot.machine = {uint32_t(graph.machines.size() - 1)};
      }
    }
  }
}
