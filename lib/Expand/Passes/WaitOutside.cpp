//===- WaitOutside.cpp - Nodes inside that wait for users outside ---------===//
///
/// \file
/// A node inside whose capability is that of the substituted node (TOSCA 2.0
/// §15.4) serves whoever uses that node. So it moves only when the substituted
/// node could: its rules hold while one of the operations that the substituted
/// node wants can be accepted (but for what that itself waits for: the service
/// inside, and what it needs), while there is nothing that it wants, or when it
/// is where it wants to be. So do those of its relationships to what it needs.
///
/// Where workflows of the service stand for operations, they say what happens.
///
//===----------------------------------------------------------------------===//

#include "Graph/RebasePaths.h"
#include "PassFunctions.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

namespace {

/// Whether a machine of the substituted node could move.
class Readiness {
public:
  explicit Readiness(ValueArena &arena) : arena(arena) {}

  /// As entities inside see it; null: always.
  const Expr *of(const ir::Machine &machine);

private:
  Expr join(Function function, ArrayRef<Expr> parts) {
    return parts.size() == 1 ? parts.front()
                             : Expr::call(function, arena.save(parts));
  }
  Expr isCell(const ir::Machine &machine, uint32_t cell, const Value &value);

  ValueArena &arena;
};

} // namespace

Expr Readiness::isCell(const ir::Machine &machine, uint32_t cell,
                       const Value &value) {
  auto word = [](llvm::StringRef text) {
    return Expr::literal(Value::string(text));
  };
  Expr path[] = {word("SELF"), word("INTERFACE"), word(machine.interface.str()),
                 word(machine.cells[cell].name.str())};
  Expr sides[] = {
      Expr::call(Function::GetAttribute, arena.save(ArrayRef<Expr>(path))),
      Expr::literal(value)};
  return join(Function::Equal, sides);
}

/// Whether \p expr looks at what the node needs.
static bool asksForNeeds(const Expr &expr) {
  bool isPath = expr.is(ExprKind::List) ||
                expr.isCall(Function::GetAttribute) ||
                expr.isCall(Function::GetProperty);
  ArrayRef<Expr> words = expr.children();
  if (isPath && words.size() > 1 && words[1].isLiteral() &&
      words[1].value() == Value::string("RELATIONSHIP"))
    return true;
  return llvm::any_of(words, asksForNeeds);
}

/// The parts of \p condition that are about the node itself and its users.
static void addConjuncts(const Expr &condition,
                         llvm::SmallVectorImpl<Expr> &result) {
  if (condition.isCall(Function::And))
    for (const Expr &part : condition.children())
      addConjuncts(part, result);
  else if (!asksForNeeds(condition))
    result.push_back(condition);
}

const Expr *Readiness::of(const ir::Machine &machine) {
  llvm::SmallVector<Expr, 8> ready;
  llvm::SmallVector<Expr, 8> notWanted;
  for (const ir::Intent &intent : machine.intents) {
    Expr both[] = {isCell(machine, intent.cell, intent.value),
                   isCell(machine, intent.goal, intent.value)};
    ready.push_back(join(Function::And, both));
  }
  for (const ir::Trigger &rule : machine.rules) {
    const auto *operation =
        llvm::find_if(machine.operations, [&](const ir::Operation &candidate) {
          return candidate.name == rule.operation;
        });
    bool isOwn = rule.receiver.steps.empty() &&
                 rule.interface == machine.interface &&
                 operation != machine.operations.end();
    if (!isOwn)
      continue;
    llvm::SmallVector<Expr, 4> accepted;
    for (const Expr *condition : {rule.condition, operation->precondition})
      if (condition)
        addConjuncts(*condition, accepted);
    if (accepted.empty())
      return nullptr;
    ready.push_back(join(Function::And, accepted));
    if (rule.condition)
      notWanted.push_back(Expr::call(
          Function::Not, arena.save(ArrayRef<Expr>(*rule.condition))));
  }
  // Others decide what happens to it.
  if (notWanted.empty())
    return nullptr;
  ready.push_back(join(Function::And, notWanted));
  return rebasePaths(arena, *arena.make(join(Function::Or, ready)), {"OUTSIDE"},
                     nullptr, {});
}

/// Lets rules of \p slot that lead to operations of its own wait for \p ready.
static void makeRulesWait(ir::Graph &graph, ir::MachineSlot &slot,
                          const Expr &ready) {
  ValueArena &arena = graph.arena;
  ir::Machine machine = graph.machines[slot.machine.index];
  llvm::SmallVector<ir::Trigger, 8> rules(machine.rules);
  for (ir::Trigger &rule : rules) {
    if (!rule.receiver.steps.empty() || rule.interface != machine.interface)
      continue;
    llvm::SmallVector<Expr, 2> both;
    if (rule.condition)
      both.push_back(*rule.condition);
    both.push_back(ready);
    rule.condition = arena.make(
        both.size() == 1
            ? both.front()
            : Expr::call(Function::And, arena.save(ArrayRef<Expr>(both))));
  }
  machine.rules = arena.save(ArrayRef<ir::Trigger>(rules));
  graph.machines.push_back(machine);
  slot.machine = {uint32_t(graph.machines.size() - 1)};
}

static bool hasIntentOf(const ir::Machine &machine, const ir::Machine &other) {
  return llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
    return llvm::any_of(other.intents, [&](const ir::Intent &wanted) {
      return wanted.workflow == intent.workflow;
    });
  });
}

namespace {

/// Finds what has to wait, before anything does.
class OutsideWaits {
public:
  explicit OutsideWaits(ir::Graph &graph) : graph(graph) {}

  void find(const ir::Subgraph &subgraph);
  void apply();

private:
  void addSlots(const ir::Subgraph &subgraph,
                std::vector<ir::MachineSlot> &slots);
  const Expr *readinessOf(ir::MachineId outer);

  ir::Graph &graph;
  std::vector<std::pair<ir::MachineSlot *, const Expr *>> waits;
  /// By machine of a substituted node.
  std::map<uint32_t, const Expr *> known;
};

} // namespace

const Expr *OutsideWaits::readinessOf(ir::MachineId outer) {
  auto [entry, isNew] = known.try_emplace(outer.index, nullptr);
  if (isNew)
    entry->second = Readiness(graph.arena).of(graph.machines[outer.index]);
  return entry->second;
}

void OutsideWaits::addSlots(const ir::Subgraph &subgraph,
                            std::vector<ir::MachineSlot> &slots) {
  for (ir::MachineSlot &slot : slots)
    for (const ir::MachineSlot &outer :
         graph.classOf(*subgraph.substitutes).machines)
      if (hasIntentOf(graph.machines[slot.machine.index],
                      graph.machines[outer.machine.index]))
        if (const Expr *ready = readinessOf(outer.machine))
          waits.push_back({&slot, ready});
}

/// A node, and the relationships to what it needs.
void OutsideWaits::find(const ir::Subgraph &subgraph) {
  for (ir::NodeClassId id : subgraph.classes.ids()) {
    ir::NodeClass &own = graph.nodeClasses[id.index];
    if (llvm::none_of(subgraph.capabilities, [&](const auto &mapping) {
          return mapping.node == own.name;
        }))
      continue;
    addSlots(subgraph, own.machines);
    for (ir::RelationshipClassId leaving : own.relationships.ids())
      addSlots(subgraph, graph.relationshipClasses[leaving.index].machines);
  }
}

void OutsideWaits::apply() {
  for (auto [slot, ready] : waits)
    makeRulesWait(graph, *slot, *ready);
}

void expanding::waitForOutside(ir::Graph &graph, NameTable &) {
  OutsideWaits waits(graph);
  for (const ir::Subgraph &subgraph : graph.subgraphs)
    if (subgraph.operations.empty())
      waits.find(subgraph);
  waits.apply();
}
