//===- WaitOutside.cpp - Nodes inside that wait for users outside ---------===//
///
/// \file
/// A node inside whose capability is that of the substituted node (TOSCA 2.0
/// §15.4) serves whoever uses that node. So it moves only when the substituted
/// node could: its rules hold while one of the operations that the substituted
/// node wants can be accepted (but for waiting for the service inside), while
/// there is nothing that it wants, or when it is where it wants to be.
///
/// Where workflows of the service stand for operations, they say what happens.
///
//===----------------------------------------------------------------------===//

#include "Substitute.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

namespace {

/// Whether a machine of the substituted node could move.
class Readiness {
public:
  explicit Readiness(Expansion &expansion) : expansion(expansion) {}

  /// As entities inside see it; null: always.
  const Expr *of(const ir::Machine &machine);

private:
  Expr join(Function function, ArrayRef<Expr> parts) {
    return parts.size() == 1
               ? parts.front()
               : Expr::call(function, expansion.arena().save(parts));
  }
  Expr isCell(const ir::Machine &machine, uint32_t cell, const Value &value);

  Expansion &expansion;
};

} // namespace

Expr Readiness::isCell(const ir::Machine &machine, uint32_t cell,
                       const Value &value) {
  auto word = [](llvm::StringRef text) {
    return Expr::literal(Value::string(text));
  };
  Expr path[] = {word("SELF"), word("INTERFACE"), word(machine.interface.str()),
                 word(machine.cells[cell].name.str())};
  Expr sides[] = {Expr::call(Function::GetAttribute,
                             expansion.arena().save(ArrayRef<Expr>(path))),
                  Expr::literal(value)};
  return join(Function::Equal, sides);
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
    if (!rule.condition && !operation->precondition)
      return nullptr;
    llvm::SmallVector<Expr, 2> accepted;
    if (rule.condition) {
      accepted.push_back(*rule.condition);
      notWanted.push_back(
          Expr::call(Function::Not, expansion.arena().save(
                                        ArrayRef<Expr>(*rule.condition))));
    }
    if (operation->precondition)
      accepted.push_back(*operation->precondition);
    ready.push_back(join(Function::And, accepted));
  }
  // Others decide what happens to it.
  if (notWanted.empty())
    return nullptr;
  ready.push_back(join(Function::And, notWanted));
  return seenFrom(expansion, *expansion.arena().make(join(Function::Or, ready)),
                  {"OUTSIDE"}, nullptr, {});
}

/// Lets rules of \p slot that lead to operations of its own wait for \p ready.
static void makeRulesWait(Expansion &expansion, ir::MachineSlot &slot,
                          const Expr &ready) {
  ir::Graph &graph = expansion.graph;
  ir::Machine machine = graph.machines[slot.machine.index];
  llvm::SmallVector<ir::Trigger, 8> rules(machine.rules);
  for (ir::Trigger &rule : rules) {
    if (!rule.receiver.steps.empty() || rule.interface != machine.interface)
      continue;
    llvm::SmallVector<Expr, 2> both;
    if (rule.condition)
      both.push_back(*rule.condition);
    both.push_back(ready);
    rule.condition = expansion.arena().make(
        both.size() == 1
            ? both.front()
            : Expr::call(Function::And,
                         expansion.arena().save(ArrayRef<Expr>(both))));
  }
  machine.rules = expansion.arena().save(ArrayRef<ir::Trigger>(rules));
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

void expanding::waitForOutside(Expansion &expansion) {
  ir::Graph &graph = expansion.graph;
  // Of the nodes as they are, before anything waits.
  std::map<uint32_t, const Expr *> known;
  struct Wait {
    uint32_t nodeClass;
    uint32_t slot;
    const Expr *ready;
  };
  std::vector<Wait> waits;
  for (auto [i, scope] : llvm::enumerate(graph.scopes)) {
    if (!scope.operations.empty())
      continue;
    for (ir::NodeClassId id : scope.classes.ids()) {
      const ir::NodeClass &own = graph.nodeClasses[id.index];
      if (llvm::none_of(scope.capabilities, [&](const auto &mapping) {
            return mapping.node == own.name;
          }))
        continue;
      for (auto [k, slot] : llvm::enumerate(own.machines))
        for (const ir::MachineSlot &outer :
             graph.classOf(*scope.substitutes).machines) {
          const ir::Machine &machine = graph.machines[outer.machine.index];
          if (!hasIntentOf(graph.machines[slot.machine.index], machine))
            continue;
          auto [entry, isNew] =
              known.try_emplace(outer.machine.index, nullptr);
          if (isNew)
            entry->second = Readiness(expansion).of(machine);
          if (entry->second)
            waits.push_back({id.index, uint32_t(k), entry->second});
        }
    }
  }
  for (const Wait &wait : waits)
    makeRulesWait(expansion,
                  graph.nodeClasses[wait.nodeClass].machines[wait.slot],
                  *wait.ready);
}
