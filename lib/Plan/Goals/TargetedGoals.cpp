//===- TargetedGoals.cpp - Goals of a part --------------------------------===//
///
/// \file
/// The workflow sets an intent on some nodes (the targets) and on the
/// relationships that leave them. A relationship that leads to a target takes
/// part only if its source is up: it is unlinked when the target is removed and
/// established when the target is added. All other entities keep their state:
/// their rules are suspended.
///
//===----------------------------------------------------------------------===//

#include "TargetedGoals.h"

#include "AdjacentNodes.h"
#include "BuildTasks.h"
#include "Steps/WorkflowInputs.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using Way = ir::Intent::Way;

namespace {

class TargetedGoals {
public:
  TargetedGoals(const ir::Workflow &workflow, EventSystem &system)
      : workflow(workflow), system(system), layout(system.layout),
        graph(layout.graph),
        wanted(workflow.steps.front().activities.front().workflow),
        told(graph.numEntities()) {}

  std::optional<Start> find();

private:
  bool tell(const ir::WorkflowStep &step);
  void tellRelationships();
  /// Whether all machines of \p entity are at the end of \p way.
  bool isWhere(ir::Intent::Way way, ir::EntityId entity) const;
  bool comesUp(ir::EntityId entity) const;
  bool checkTargets();
  ChangedPart changes() const;
  void addGoals(ir::EntityId entity, Start &start);

  const ir::Workflow &workflow;
  EventSystem &system;
  const Layout &layout;
  const ir::Graph &graph;
  Name wanted;
  llvm::BitVector told;
};

} // namespace

static bool onlyDelegates(const ir::WorkflowStep &step) {
  return step.activities.size() == 1 && !step.filter &&
         step.activities.front().kind == ir::Activity::Kind::Delegate &&
         step.onSuccess.empty() && step.onFailure.empty();
}

bool toscac::plan::isTargetedIntent(const ir::Workflow &workflow) {
  return workflow.othersRest && workflow.order == ir::Workflow::Order::Steps &&
         !workflow.precondition && workflow.handlers.empty() &&
         !workflow.steps.empty() && llvm::all_of(workflow.steps, onlyDelegates);
}

bool TargetedGoals::isWhere(Way way, ir::EntityId entity) const {
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    uint32_t row = layout.rowOf(slot, entity);
    for (const ir::Intent &intent : layout.machine(slot).intents)
      for (uint32_t cell : {intent.cell, intent.goal})
        if (intent.way == way &&
            layout.initial(layout.cell(slot, row, cell)) != intent.value)
          return false;
  }
  return true;
}

/// Whether the workflow wants of \p entity what brings it up.
bool TargetedGoals::comesUp(ir::EntityId entity) const {
  for (SlotId slot : layout.slotsOf(entity).ids())
    for (const ir::Intent &up : layout.machine(slot).intents)
      for (const ir::Intent &own : layout.machine(slot).intents)
        if (up.way == Way::Up && own.workflow == wanted &&
            own.cell == up.cell && own.value == up.value)
          return true;
  return false;
}

/// A node that is brought up needs its targets. A target that is down and stays
/// down is reported, once for all instances.
bool TargetedGoals::checkTargets() {
  llvm::DenseSet<uint32_t> reported;
  for (uint32_t i = 0; i != graph.numRelationships(); ++i) {
    ir::EntityId source = graph.entity(graph.source[i]);
    ir::EntityId target = graph.entity(graph.target[i]);
    const ir::RelationshipClass &own = graph.classOf(ir::RelationshipId{i});
    if (told.test(source.index) && !told.test(target.index) &&
        comesUp(source) && isWhere(Way::Down, target) &&
        reported.insert(graph.classOfRelationship[i].index).second)
      system.conditions.diags.report(own.range, diag::PartNeedsTarget,
                                     workflow.name.str(), graph.nameOf(source),
                                     graph.nameOf(target));
  }
  return reported.empty();
}

bool TargetedGoals::tell(const ir::WorkflowStep &step) {
  std::optional<std::vector<ir::EntityId>> entities =
      targetsOf(graph, {0}, workflow, step, system.conditions.diags);
  if (!entities)
    return false;
  for (ir::EntityId entity : *entities)
    told.set(entity.index);
  return true;
}

void TargetedGoals::tellRelationships() {
  for (uint32_t i = 0; i != graph.numRelationships(); ++i) {
    ir::EntityId source = graph.entity(graph.source[i]);
    ir::EntityId target = graph.entity(graph.target[i]);
    if (told.test(source.index) ||
        (told.test(target.index) && isWhere(Way::Up, source)))
      told.set(graph.entity(ir::RelationshipId{i}).index);
  }
}

void TargetedGoals::addGoals(ir::EntityId entity, Start &start) {
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    uint32_t row = layout.rowOf(slot, entity);
    for (const ir::Intent &intent : layout.machine(slot).intents)
      if (intent.workflow == wanted)
        start.goals.push_back({layout.cell(slot, row, intent.cell),
                               layout.cell(slot, row, intent.goal),
                               system.values.intern(intent.value)});
  }
}

/// Nodes that are up and are no targets count as staying, with `inTurn`: where
/// a path of relationships leads from one target to another through such nodes,
/// they are part of the order, so that the first target waits for the second
/// although no relationship joins the two.
ChangedPart TargetedGoals::changes() const {
  ChangedPart found{llvm::BitVector(graph.numNodes()),
                    llvm::BitVector(graph.numRelationships()),
                    llvm::BitVector(graph.numNodes()), /*inTurn=*/true};
  for (uint32_t i = 0; i != graph.numNodes(); ++i) {
    ir::EntityId node = graph.entity(ir::NodeId{i});
    found.nodes[i] = told.test(node.index);
    found.staying[i] = !told.test(node.index) && isWhere(Way::Up, node);
  }
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    found.relationships[i] =
        told.test(graph.entity(ir::RelationshipId{i}).index);
  return found;
}

std::optional<Start> TargetedGoals::find() {
  for (const ir::WorkflowStep &step : workflow.steps)
    if (!tell(step))
      return std::nullopt;
  if (!checkTargets())
    return std::nullopt;
  tellRelationships();
  Start start;
  bool isDown = true;
  for (unsigned i : told.set_bits()) {
    addGoals({i}, start);
    isDown &= !comesUp({i});
  }
  llvm::BitVector moving =
      addAdjacentGoals(changes(), isDown, system, start.goals);
  // Nodes come first among entities.
  moving.resize(graph.numEntities());
  moving |= told;
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (!moving.test(i))
      system.suspended.add(ir::EntityId{i});
  return start;
}

std::optional<Start> toscac::plan::startOfTargets(const ir::Workflow &workflow,
                                                  const Goal &goal,
                                                  EventSystem &system) {
  if (!WorkflowInputs(system, {0}).setParameters(workflow.inputs, goal))
    return std::nullopt;
  return TargetedGoals(workflow, system).find();
}
