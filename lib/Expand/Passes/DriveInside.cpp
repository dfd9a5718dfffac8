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

#include "PassFunctions.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

static Expr pathWord(llvm::StringRef text) {
  return Expr::literal(Value::string(text));
}

//===----------------------------------------------------------------------===//
// What the workflow calls
//===----------------------------------------------------------------------===//

namespace {

/// Follows a workflow and what it inlines.
class CallCollector {
public:
  CallCollector(const ir::Graph &graph, ir::SubgraphId subgraph,
                ArrayRef<const ir::Group *> groups)
      : graph(graph), subgraph(subgraph), groups(groups) {}

  void collect(Name workflow);
  std::vector<DrivingOperation::Call> calls;

private:
  void addClasses(Name target, llvm::SmallVectorImpl<uint32_t> &classes,
                  llvm::SmallVectorImpl<Name> &seen) const;
  void addTarget(const ir::WorkflowStep &step, const ir::Activity &activity);

  const ir::Graph &graph;
  ir::SubgraphId subgraph;
  /// Of the subgraph.
  ArrayRef<const ir::Group *> groups;
  llvm::SmallVector<Name, 2> collected;
};

} // namespace

/// Node classes that \p target means, itself or as members of a group.
void CallCollector::addClasses(Name target,
                               llvm::SmallVectorImpl<uint32_t> &classes,
                               llvm::SmallVectorImpl<Name> &seen) const {
  if (!target || llvm::is_contained(seen, target))
    return;
  seen.push_back(target);
  if (auto found = graph.findClass(subgraph, target))
    classes.push_back(found->index);
  for (const ir::Group *group : groups)
    if (group->name == target)
      for (Name member : group->members)
        addClasses(member, classes, seen);
}

void CallCollector::addTarget(const ir::WorkflowStep &step,
                              const ir::Activity &activity) {
  llvm::SmallVector<uint32_t, 4> classes;
  llvm::SmallVector<Name, 4> seen;
  addClasses(step.target, classes, seen);
  for (uint32_t nodeClass : classes) {
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
  for (const ir::Workflow &workflow :
       graph.subgraphs[subgraph.index].workflows) {
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
    : machine(machine), arena(arena), space(ir::explore(machine, arena)),
      holds(this->machine, space, arena) {
  for (auto [i, candidate] : llvm::enumerate(machine.operations))
    if (candidate.name == name)
      operation = i;
  findAhead();
}

/// Whether a rule of the machine itself may send the event.
bool Course::isPursued(const ir::StateSpace::Transition &transition) {
  Name name = machine.operations[transition.operation].name;
  return !transition.fails &&
         llvm::any_of(machine.rules, [&](const ir::Trigger &rule) {
           return rule.receiver.steps.empty() &&
                  rule.interface == machine.interface &&
                  rule.operation == name &&
                  holds(space.states[transition.from], rule.condition) !=
                      ir::Truth::False;
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
expanding::findDrivingOperations(ir::Graph &graph) {
  std::vector<std::vector<DrivingOperation>> result(graph.subgraphs.size());
  std::map<uint32_t, std::vector<const ir::Group *>> groups;
  for (const ir::Group &group : graph.groups)
    groups[group.subgraph.index].push_back(&group);
  std::map<std::pair<uint32_t, std::string>, std::shared_ptr<const Course>>
      courses;
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs))
    for (const ir::Subgraph::OperationMapping &mapping : subgraph.operations)
      for (const ir::MachineSlot &slot :
           graph.classOf(*subgraph.substitutes).machines) {
        const ir::Machine &machine = graph.machines[slot.machine.index];
        if (machine.interface != mapping.interface)
          continue;
        auto &course =
            courses[{slot.machine.index, mapping.operation.str().str()}];
        if (!course)
          course =
              std::make_shared<Course>(machine, mapping.operation, graph.arena);
        CallCollector collector(graph, {uint32_t(i)}, groups[i]);
        collector.collect(mapping.workflow);
        result[i].push_back({course, std::move(collector.calls)});
      }
  return result;
}

//===----------------------------------------------------------------------===//
// Rules inside
//===----------------------------------------------------------------------===//

/// The rule's condition, and not \p isAhead; null: never.
static const Expr *unlessAhead(ValueArena &arena, const Expr *condition,
                               const Expr *isAhead) {
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

/// Lets rules of \p slot for the operation called \p name not hold while
/// \p isAhead does.
static void leaveTo(ir::Graph &graph, ir::MachineSlot &slot, Name name,
                    const Expr *isAhead) {
  ir::Machine machine = graph.machines[slot.machine.index];
  llvm::SmallVector<ir::Trigger, 8> rules(machine.rules);
  for (ir::Trigger &rule : rules)
    if (rule.receiver.steps.empty() && rule.interface == machine.interface &&
        rule.operation == name)
      rule.condition = unlessAhead(graph.arena, rule.condition, isAhead);
  machine.rules = graph.arena.save(ArrayRef<ir::Trigger>(rules));
  graph.machines.push_back(machine);
  slot.machine = {uint32_t(graph.machines.size() - 1)};
}

void expanding::leaveToWorkflows(ir::Graph &graph, NameTable &) {
  auto driving = findDrivingOperations(graph);
  for (ArrayRef<DrivingOperation> ofSubgraph : driving)
    for (const DrivingOperation &operation : ofSubgraph) {
      const Expr *isAhead = operation.course->isAhead();
      for (const DrivingOperation::Call &call : operation.calls) {
        auto &slots =
            call.target.isRelationship
                ? graph.relationshipClasses[call.target.index].machines
                : graph.nodeClasses[call.target.index].machines;
        for (ir::MachineSlot &slot : slots)
          if (graph.machines[slot.machine.index].interface == call.interface)
            leaveTo(graph, slot, call.operation, isAhead);
      }
    }
}
