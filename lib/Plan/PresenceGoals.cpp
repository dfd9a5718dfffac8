//===- PresenceGoals.cpp - Goals by what becomes of entities --------------===//
///
/// \file
/// What leaves, and what is replaced, is taken down by the intent of the
/// workflow `undeploy`; what is new, and what is replaced, is brought up by
/// that of `deploy`. Going up begins when all that goes down is down, as far as
/// the symbolic run is concerned: steps wait for what they need, and for
/// nothing else.
///
//===----------------------------------------------------------------------===//

#include "PresenceGoals.h"

#include "Neighbours.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/IR/Neighbours.h"
#include "toscac/IR/Updates.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class PresenceGoals {
public:
  PresenceGoals(const Goal &goal, EventSystem &system)
      : goal(goal), system(system), layout(system.layout) {}

  std::optional<Start> find();

private:
  void addSlot(SlotId slot);
  Changes changes(bool isDown) const;
  void addNeighbours();
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
  std::vector<EventId> updates;
  bool hasIntents = false;
};

} // namespace

void PresenceGoals::addSlot(SlotId slot) {
  const ir::Machine &machine = layout.machine(slot);
  for (const ir::Intent &intent : machine.intents) {
    bool isDown = intent.workflow.str() == "undeploy";
    if (!isDown && intent.workflow.str() != "deploy")
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
  if (!machine.update || outdatedCell(machine) ||
      machine.operations[*machine.update].handlers.empty())
    return;
  for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row)
    if (layout.graph.presenceOf(layout.entity(slot, row)) ==
        ir::Presence::Updated)
      updates.push_back(layout.event(slot, row, *machine.update));
}

/// What comes or goes, and what stays.
Changes PresenceGoals::changes(bool isDown) const {
  const ir::Graph &graph = layout.graph;
  auto isChanged = [&](ir::Presence presence) {
    return presence == ir::Presence::Replaced ||
           presence == (isDown ? ir::Presence::Leaving : ir::Presence::New);
  };
  Changes found{llvm::BitVector(graph.numNodes()),
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

/// What stays is told that it loses or gets relationships.
void PresenceGoals::addNeighbours() {
  bool hasLinks = false;
  for (const ir::Machine &machine : layout.set.machines)
    hasLinks |= linksCell(machine).has_value();
  for (bool isDown : {true, false})
    if (hasLinks)
      tellNeighbours(changes(isDown), isDown, system, isDown ? down : up);
}

std::optional<Start> PresenceGoals::find() {
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    addSlot({i});
  addNeighbours();
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

std::optional<Start> toscac::plan::startByPresence(const Goal &goal,
                                                   EventSystem &system) {
  return PresenceGoals(goal, system).find();
}
