//===- WaitInside.cpp - Nodes that wait for the service inside ------------===//
///
/// \file
/// An operation of a substituted node that is no workflow of the service inside
/// runs when that service has reached what the workflow at hand wants of it: a
/// further precondition, over all machines inside that have intents. An intent
/// has been reached if its cells hold the wanted value:
///
///   for each x inside: desired_state of x is not v, or state of x is v
///
/// It cannot wait for what a mapped operation brings about that comes later.
///
//===----------------------------------------------------------------------===//

#include "DriveInside.h"
#include "PassFunctions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class InsideCondition {
public:
  InsideCondition(ir::Graph &graph, NameTable &names)
      : graph(graph), arena(graph.arena), element(names.intern("@inside")) {}

  /// Adds what all entities of \p subgraph have to reach, where \p driving are
  /// workflows.
  void add(const ir::Subgraph &subgraph, ArrayRef<DrivingOperation> driving);
  /// The precondition of \p operation and what was added; null: true.
  const Expr *joinedWith(const ir::Machine &machine,
                         const ir::Operation &operation);

private:
  /// What an intent wants of the machines of a class.
  struct Part {
    Expr expr;
    Name workflow;
    /// Operations of the node that bring it about.
    llvm::SmallVector<const DrivingOperation *, 1> drivenBy;
  };
  void addSlots(ArrayRef<ir::MachineSlot> slots, ArrayRef<StringRef> path,
                ClassRef owner, ArrayRef<DrivingOperation> driving);
  Expr reached(const ir::Machine &machine, const ir::Intent &intent);
  Expr isCell(const ir::Machine &machine, uint32_t cell, const Value &value);
  ArrayRef<Expr> save(ArrayRef<Expr> exprs) { return arena.save(exprs); }
  static Expr word(StringRef text) {
    return Expr::literal(Value::string(text));
  }

  const ir::Graph &graph;
  ValueArena &arena;
  Name element;
  std::vector<Part> parts;
  /// Their texts: services inside the nodes of a class are mostly alike.
  llvm::StringSet<> known;
};

} // namespace

Expr InsideCondition::isCell(const ir::Machine &machine, uint32_t cell,
                             const Value &value) {
  Expr path[] = {Expr::variable(element), word("INTERFACE"),
                 word(machine.interface.str()),
                 word(machine.cells[cell].name.str())};
  Expr sides[] = {Expr::call(Function::GetAttribute, save(path)),
                  Expr::literal(value)};
  return Expr::call(Function::Equal, save(sides));
}

Expr InsideCondition::reached(const ir::Machine &machine,
                              const ir::Intent &intent) {
  Expr wanted = isCell(machine, intent.cell, intent.value);
  Expr either[] = {Expr::call(Function::Not, save(wanted)),
                   isCell(machine, intent.goal, intent.value)};
  return Expr::call(Function::Or, save(either));
}

void InsideCondition::addSlots(ArrayRef<ir::MachineSlot> slots,
                               ArrayRef<StringRef> path, ClassRef owner,
                               ArrayRef<DrivingOperation> driving) {
  llvm::SmallVector<Expr, 8> words;
  for (StringRef text : path)
    words.push_back(word(text));
  for (const ir::MachineSlot &slot : slots) {
    const ir::Machine &machine = graph.machines[slot.machine.index];
    for (const ir::Intent &intent : machine.intents) {
      Expr loop[] = {Expr::variable(element), Expr::list(save(words)),
                     reached(machine, intent)};
      Expr part = Expr::call(Function::ForEach, save(loop));
      std::string text;
      llvm::raw_string_ostream(text) << part;
      if (!known.insert(text).second)
        continue;
      parts.push_back({part, intent.workflow, {}});
      for (const DrivingOperation &operation : driving)
        if (operation.callsSomeOf(owner, machine.interface))
          parts.back().drivenBy.push_back(&operation);
    }
  }
}

void InsideCondition::add(const ir::Subgraph &subgraph,
                          ArrayRef<DrivingOperation> driving) {
  for (ir::NodeClassId id : subgraph.classes.ids()) {
    const ir::NodeClass &own = graph.nodeClasses[id.index];
    // What was selected does not belong to the service.
    if (!own.selected.empty())
      continue;
    addSlots(own.machines, {"SELF", "INSIDE", "NODE", own.name.str(), "ALL"},
             {/*isRelationship=*/false, id.index}, driving);
    for (ir::RelationshipClassId leaving : own.relationships.ids()) {
      const ir::RelationshipClass &requirement =
          graph.relationshipClasses[leaving.index];
      addSlots(requirement.machines,
               {"SELF", "INSIDE", "NODE", own.name.str(), "ALL", "RELATIONSHIP",
                requirement.requirement.str(), "ALL"},
               {/*isRelationship=*/true, leaving.index}, driving);
    }
  }
}

const Expr *InsideCondition::joinedWith(const ir::Machine &machine,
                                        const ir::Operation &operation) {
  llvm::SmallVector<Expr, 8> all;
  if (operation.precondition)
    all.push_back(*operation.precondition);
  for (const Part &part : parts) {
    bool comesLater =
        llvm::any_of(part.drivenBy, [&](const DrivingOperation *driving) {
          const Course &course = *driving->course;
          return course.machine.interface == machine.interface &&
                 course.comesAfter(operation, part.workflow);
        });
    if (!comesLater)
      all.push_back(part.expr);
  }
  if (all.size() <= 1)
    return all.empty() ? nullptr : arena.make(all.front());
  return arena.make(Expr::call(Function::And, save(all)));
}

static bool isMapped(ArrayRef<const ir::Subgraph *> subgraphs,
                     const ir::Machine &machine,
                     const ir::Operation &operation) {
  return llvm::any_of(subgraphs, [&](const ir::Subgraph *subgraph) {
    return llvm::any_of(subgraph->operations, [&](const auto &mapping) {
      return mapping.interface == machine.interface &&
             mapping.operation == operation.name;
    });
  });
}

/// \p machine, which belongs to nodes with \p subgraphs inside, with operations
/// that wait for them.
static ir::Machine makeWaiting(ValueArena &arena, ir::Machine machine,
                               ArrayRef<const ir::Subgraph *> subgraphs,
                               InsideCondition &condition) {
  llvm::SmallVector<ir::Operation, 8> operations(machine.operations);
  for (ir::Operation &operation : operations)
    if (!isMapped(subgraphs, machine, operation))
      operation.precondition = condition.joinedWith(machine, operation);
  machine.operations = arena.save(ArrayRef<ir::Operation>(operations));
  return machine;
}

void expanding::waitForInside(ir::Graph &graph, NameTable &names) {
  std::vector<std::vector<DrivingOperation>> driving =
      findDrivingOperations(graph);
  llvm::MapVector<uint32_t, llvm::SmallVector<uint32_t, 1>> inside;
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs))
    if (subgraph.substitutes)
      inside[graph.classOfNode[subgraph.substitutes->index].index].push_back(i);
  for (const auto &[nodeClass, indices] : inside) {
    InsideCondition condition(graph, names);
    llvm::SmallVector<const ir::Subgraph *, 1> subgraphs;
    for (uint32_t i : indices) {
      subgraphs.push_back(&graph.subgraphs[i]);
      condition.add(graph.subgraphs[i], driving[i]);
    }
    for (ir::MachineSlot &slot : graph.nodeClasses[nodeClass].machines) {
      graph.machines.push_back(makeWaiting(graph.arena,
                                           graph.machines[slot.machine.index],
                                           subgraphs, condition));
      slot.machine = {uint32_t(graph.machines.size() - 1)};
    }
  }
}
