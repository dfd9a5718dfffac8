//===- CheckReceivers.cpp - Who receives events ---------------------------===//
///
/// \file
/// Classes tell where an event may lead; only where one of them cannot receive
/// it, instances are asked.
///
//===----------------------------------------------------------------------===//

#include "CheckReceivers.h"

#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/IR/ClassGraph.h"
#include "toscac/IR/ImmediateRemoval.h"
#include "toscac/IR/ResolvePath.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::expanding;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// One trigger as it was written: it may mean one of several interfaces.
using Meanings = ArrayRef<Trigger>;

class ReceiverCheck {
public:
  ReceiverCheck(const Graph &graph, DiagnosticEngine &diags)
      : graph(graph), diags(diags) {}

  void run();

private:
  void check(ClassRef from, ArrayRef<MachineSlot> machines);
  void check(ClassRef from, ArrayRef<Trigger> triggers);
  void checkInstances(ClassRef from, Meanings meanings);
  void checkFrom(EntityId from, Meanings meanings);
  bool canReceive(ArrayRef<MachineSlot> machines, Meanings meanings) const;
  /// \p place: what led there.
  void checkReceiver(EntityId receiver, SourceRange place, Meanings meanings);
  SourceRange rangeOf(EntityId entity) const;

  const Graph &graph;
  DiagnosticEngine &diags;
  std::optional<ClassGraph> classes;
  /// By trigger and the place of the report.
  llvm::DenseSet<std::pair<const Trigger *, uint32_t>> reported;
};

} // namespace

bool ReceiverCheck::canReceive(ArrayRef<MachineSlot> machines,
                               Meanings meanings) const {
  return llvm::any_of(machines, [&](const MachineSlot &slot) {
    const Machine &machine = graph.machines[slot.machine.index];
    return llvm::any_of(meanings, [&](const Trigger &trigger) {
      return machine.interface == trigger.interface &&
             llvm::any_of(machine.operations, [&](const Operation &operation) {
               return operation.name == trigger.operation;
             });
    });
  });
}

SourceRange ReceiverCheck::rangeOf(EntityId entity) const {
  if (graph.isNode(entity))
    return graph.classOf(graph.node(entity)).range;
  return graph.isRelationship(entity)
             ? graph.classOf(graph.relationship(entity)).range
             : SourceRange();
}

void ReceiverCheck::checkReceiver(EntityId receiver, SourceRange place,
                                  Meanings meanings) {
  if (isRemovedAtOnce(graph, receiver) ||
      canReceive(graph.machinesOf(receiver), meanings))
    return;
  const Trigger &trigger = meanings.front();
  if (!reported.insert({&trigger, place.begin.raw}).second)
    return;
  llvm::SmallVector<StringRef> known;
  for (const MachineSlot &slot : graph.machinesOf(receiver)) {
    const Machine &machine = graph.machines[slot.machine.index];
    if (machine.interface == trigger.interface)
      for (const Operation &operation : machine.operations)
        known.push_back(operation.name.str());
  }
  diags
      .report(place, diag::UnfitInstance, graph.nameOf(receiver),
              trigger.interface.str(), trigger.operation.str(),
              didYouMean(trigger.operation.str(), known))
      .note(trigger.range, diag::SentFromHere, trigger.operation.str());
}

void ReceiverCheck::checkFrom(EntityId from, Meanings meanings) {
  using Kind = PathStep::Kind;
  ArrayRef<PathStep> steps = meanings.front().receiver.steps;
  Kind last = steps.back().kind;
  if (last != Kind::Source && last != Kind::Target) {
    forEachEntity(graph, from, {steps, {}}, literalIndex, [&](EntityId to) {
      checkReceiver(to, rangeOf(to), meanings);
      return true;
    });
    return;
  }
  // Reported at the requirement whose relationship leads there.
  forEachEntity(
      graph, from, {steps.drop_back(), {}}, literalIndex, [&](EntityId over) {
        if (!graph.isRelationship(over))
          return true;
        const auto &ends = last == Kind::Source ? graph.source : graph.target;
        NodeId end = ends[graph.relationship(over).index];
        checkReceiver(graph.entity(end), rangeOf(over), meanings);
        return true;
      });
}

void ReceiverCheck::checkInstances(ClassRef from, Meanings meanings) {
  auto checkAll = [&](const auto &ids) {
    for (auto id : ids)
      checkFrom(graph.entity(id), meanings);
  };
  switch (from.kind) {
  case EntityKind::Node:
    return checkAll(graph.nodeClasses[from.index].nodes.ids());
  case EntityKind::Relationship:
    return checkAll(graph.relationshipClasses[from.index].relationships.ids());
  case EntityKind::Service:
    return checkFrom(graph.entity(SubgraphId{from.index}), meanings);
  }
}

void ReceiverCheck::check(ClassRef from, ArrayRef<Trigger> triggers) {
  while (!triggers.empty()) {
    Meanings meanings = triggers.take_while([&](const Trigger &other) {
      return other.range == triggers.front().range &&
             other.operation == triggers.front().operation;
    });
    triggers = triggers.drop_front(meanings.size());
    if (!meanings.front().isOpen)
      continue;
    if (!classes)
      classes.emplace(graph);
    bool allFit = classes->forEachClass(
        from, meanings.front().receiver.steps, [&](ClassRef to) {
          return canReceive(classes->machinesOf(to), meanings);
        });
    if (!allFit)
      checkInstances(from, meanings);
  }
}

void ReceiverCheck::check(ClassRef from, ArrayRef<MachineSlot> machines) {
  for (const MachineSlot &slot : machines) {
    const Machine &machine = graph.machines[slot.machine.index];
    check(from, machine.rules);
    for (const Operation &operation : machine.operations)
      for (const Reaction *reaction :
           {&operation.entry, &operation.success, &operation.failure})
        check(from, reaction->triggers);
  }
}

void ReceiverCheck::run() {
  for (auto [i, each] : llvm::enumerate(graph.nodeClasses))
    check({EntityKind::Node, uint32_t(i)}, each.machines);
  for (auto [i, each] : llvm::enumerate(graph.relationshipClasses))
    check({EntityKind::Relationship, uint32_t(i)}, each.machines);
  for (auto [i, each] : llvm::enumerate(graph.subgraphs))
    check({EntityKind::Service, uint32_t(i)}, each.machines);
}

void expanding::checkReceivers(const Graph &graph, DiagnosticEngine &diags) {
  ReceiverCheck(graph, diags).run();
}
