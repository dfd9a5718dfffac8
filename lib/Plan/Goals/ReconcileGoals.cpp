//===- ReconcileGoals.cpp - Goals by what becomes of entities -------------===//
///
/// \file
/// What leaves, and what is replaced, is taken down by the intent of the
/// workflow with that role; what is new, and what is replaced, is brought up.
/// Going up begins when all that goes down is down, as far as the symbolic run
/// is concerned: steps wait for what they need, and for nothing else.
///
//===----------------------------------------------------------------------===//

#include "ReconcileGoals.h"

#include "AdjacentNodes.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class ReconcileGoals {
public:
  ReconcileGoals(const Goal &goal, EventSystem &system)
      : goal(goal), system(system), layout(system.layout) {}

  std::optional<Start> find();

private:
  void addSlot(SlotId slot);
  void addChecks(SlotId slot);
  bool isUp(ir::EntityId entity) const;
  Start findChecks();
  ChangedPart changes(bool isDown) const;
  void addAdjacent();
  bool goesDown(ir::Presence presence) const {
    return presence == ir::Presence::Leaving ||
           presence == ir::Presence::Replaced;
  }
  bool goesUp(ir::Presence presence) const {
    return presence == ir::Presence::New ||
           presence == ir::Presence::Replaced ||
           (goal.reach == Goal::Reach::Update &&
            presence != ir::Presence::Leaving);
  }

  const Goal &goal;
  EventSystem &system;
  const Layout &layout;
  std::vector<CellGoal> down, up;
  /// What is sent: updates or checks.
  std::vector<EventId> updates;
  bool hasIntents = false;
};

} // namespace

void ReconcileGoals::addSlot(SlotId slot) {
  const ir::Machine &machine = layout.machine(slot);
  for (const ir::Intent &intent : machine.intents) {
    bool isDown = intent.way == ir::Intent::Way::Down;
    if (intent.way == ir::Intent::Way::Other)
      continue;
    hasIntents = true;
    ValueId value = system.values.intern(intent.value);
    for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row) {
      ir::Presence presence = layout.graph.presenceOf(layout.entity(slot, row));
      if (isDown ? goesDown(presence) : goesUp(presence))
        (isDown ? down : up)
            .push_back({layout.cell(slot, row, intent.cell),
                        layout.cell(slot, row, intent.goal), value});
    }
  }
  std::optional<uint32_t> update = machine.roles.updateOperation;
  if (!update || machine.roles.updateRequest ||
      machine.operations[*update].handlers.empty())
    return;
  for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row)
    if (layout.graph.presenceOf(layout.entity(slot, row)) ==
        ir::Presence::Updated)
      updates.push_back(layout.event(slot, row, *update));
}

/// Whether all machines of \p entity are where they were brought up to.
bool ReconcileGoals::isUp(ir::EntityId entity) const {
  bool hasIntent = false;
  for (SlotId slot : layout.slotsOf(entity).ids())
    for (const ir::Intent &intent : layout.machine(slot).intents) {
      if (intent.way != ir::Intent::Way::Up)
        continue;
      hasIntent = true;
      uint32_t row = layout.rowOf(slot, entity);
      for (uint32_t cell : {intent.cell, intent.goal})
        if (layout.initial(layout.cell(slot, row, cell)) != intent.value)
          return false;
    }
  return hasIntent;
}

void ReconcileGoals::addChecks(SlotId slot) {
  const ir::Machine &machine = layout.machine(slot);
  std::optional<uint32_t> check = machine.roles.checkOperation;
  if (!check || machine.operations[*check].handlers.empty())
    return;
  for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row)
    if (isUp(layout.entity(slot, row)))
      updates.push_back(layout.event(slot, row, *check));
}

/// A check asks instances how they are; their level rules are suspended, so
/// that nothing follows from the answers.
Start ReconcileGoals::findChecks() {
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    addChecks({i});
  for (uint32_t i = 0; i != layout.graph.numEntities(); ++i)
    system.suspended.add(ir::EntityId{i});
  if (updates.empty())
    system.conditions.diags.report({}, diag::NoCheckOperation,
                                   goal.workflow.str());
  Start start;
  start.events = std::move(updates);
  return start;
}

/// Entities that are brought up (\p isDown: taken down), and those that stay.
ChangedPart ReconcileGoals::changes(bool isDown) const {
  const ir::Graph &graph = layout.graph;
  auto isChanged = [&](ir::Presence presence) {
    return presence == ir::Presence::Replaced ||
           presence == (isDown ? ir::Presence::Leaving : ir::Presence::New);
  };
  ChangedPart found{llvm::BitVector(graph.numNodes()),
                    llvm::BitVector(graph.numRelationships()),
                    llvm::BitVector(graph.numNodes())};
  for (uint32_t i = 0; i != graph.numNodes(); ++i) {
    ir::Presence presence = graph.presenceOf(ir::NodeId{i});
    found.nodes[i] = isChanged(presence);
    found.staying[i] =
        presence == ir::Presence::Kept || presence == ir::Presence::Updated;
    found.inTurn |= presence == ir::Presence::Replaced;
  }
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    found.relationships[i] = isChanged(graph.presenceOf(ir::RelationshipId{i}));
  return found;
}

/// Informs staying nodes that they lose or get relationships.
void ReconcileGoals::addAdjacent() {
  bool hasLinks = false;
  for (const ir::Machine &machine : layout.set.machines)
    hasLinks |= machine.roles.linksRequest.has_value();
  for (bool isDown : {true, false})
    if (hasLinks)
      addAdjacentGoals(changes(isDown), isDown, system, isDown ? down : up);
}

std::optional<Start> ReconcileGoals::find() {
  if (goal.reach == Goal::Reach::Check)
    return findChecks();
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    addSlot({i});
  addAdjacent();
  if (!hasIntents) {
    system.conditions.diags.report({}, diag::NoIntent, goal.workflow.str());
    return std::nullopt;
  }
  Start start;
  if (down.empty()) {
    start.goals = std::move(up);
    start.events = std::move(updates);
    return start;
  }
  start.goals = std::move(down);
  start.laterGoals = std::move(up);
  start.laterEvents = std::move(updates);
  return start;
}

std::optional<Start> toscac::plan::startOfReconcile(const Goal &goal,
                                                    EventSystem &system) {
  return ReconcileGoals(goal, system).find();
}
