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
  /// What stays is told that it loses or gets relationships.
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

void PresenceGoals::addNeighbours() {
  llvm::SmallVector<SlotId, 8> slots;
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    if (layout.slots[i].kind == ir::EntityKind::Node &&
        linksCell(layout.machine({i})))
      slots.push_back({i});
  if (slots.empty())
    return;
  for (bool isDown : {true, false}) {
    Neighbours found = findNeighbours(layout.graph, isDown);
    if (found.nodes.none())
      continue;
    ValueId value = system.values.intern(Value::string(
        found.inTurn ? (isDown ? "reduced_in_turn" : "extended_in_turn")
                     : (isDown ? "reduced" : "extended")));
    std::vector<CellGoal> &goals = isDown ? down : up;
    for (SlotId slot : slots) {
      uint32_t links = *linksCell(layout.machine(slot));
      for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row)
        if (found.nodes[layout.entity(slot, row).index])
          goals.push_back({layout.cell(slot, row, links), CellId(), value});
    }
  }
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
