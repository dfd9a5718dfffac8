//===- PartGoals.cpp - Goals of a part ------------------------------------===//
///
/// \file
/// Some nodes are told an intent, with the relationships that they have. Of
/// those that others have to them, only those matter whose sources are up:
/// these let go of what goes, and take hold of what comes.
///
//===----------------------------------------------------------------------===//

#include "PartGoals.h"

#include "BuildTasks.h"
#include "Neighbours.h"
#include "WorkflowInputs.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class PartGoals {
public:
  PartGoals(const ir::Workflow &workflow, EventSystem &system)
      : workflow(workflow), system(system), layout(system.layout),
        graph(layout.graph),
        wanted(workflow.steps.front().activities.front().workflow),
        told(graph.numEntities()) {}

  std::optional<Start> find();

private:
  bool tell(const ir::WorkflowStep &step);
  void tellRelationships();
  /// Whether all machines of \p entity are where \p intended wants them.
  bool isWhere(llvm::StringRef intended, ir::EntityId entity) const;
  bool comesUp(ir::EntityId entity) const;
  bool checkTargets();
  Changes changes() const;
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

bool toscac::plan::isIntentOfPart(const ir::Workflow &workflow) {
  return workflow.othersRest && workflow.order == ir::Workflow::Order::Steps &&
         !workflow.precondition && workflow.handlers.empty() &&
         !workflow.steps.empty() && llvm::all_of(workflow.steps, onlyDelegates);
}

bool PartGoals::isWhere(llvm::StringRef intended, ir::EntityId entity) const {
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    uint32_t row = layout.rowOf(slot, entity);
    for (const ir::Intent &intent : layout.machine(slot).intents)
      for (uint32_t cell : {intent.cell, intent.goal})
        if (intent.workflow.str() == intended &&
            layout.initial(layout.cell(slot, row, cell)) != intent.value)
          return false;
  }
  return true;
}

/// Whether the workflow wants of \p entity what `deploy` does.
bool PartGoals::comesUp(ir::EntityId entity) const {
  for (SlotId slot : layout.slotsOf(entity).ids())
    for (const ir::Intent &up : layout.machine(slot).intents)
      for (const ir::Intent &own : layout.machine(slot).intents)
        if (up.workflow.str() == "deploy" && own.workflow == wanted &&
            own.cell == up.cell && own.value == up.value)
          return true;
  return false;
}

/// What comes up needs its targets. One that is down and stays so is reported,
/// once for all instances.
bool PartGoals::checkTargets() {
  llvm::DenseSet<uint32_t> reported;
  for (uint32_t i = 0; i != graph.numRelationships(); ++i) {
    ir::EntityId source = graph.entity(graph.source[i]);
    ir::EntityId target = graph.entity(graph.target[i]);
    const ir::RelationshipClass &own = graph.classOf(ir::RelationshipId{i});
    if (told.test(source.index) && !told.test(target.index) &&
        comesUp(source) && isWhere("undeploy", target) &&
        reported.insert(graph.classOfRelationship[i].index).second)
      system.conditions.diags.report(own.range, diag::PartNeedsTarget,
                                     workflow.name.str(), graph.nameOf(source),
                                     graph.nameOf(target));
  }
  return reported.empty();
}

bool PartGoals::tell(const ir::WorkflowStep &step) {
  std::optional<std::vector<ir::EntityId>> entities =
      targetsOf(graph, {0}, workflow, step, system.conditions.diags);
  if (!entities)
    return false;
  for (ir::EntityId entity : *entities)
    told.set(entity.index);
  return true;
}

void PartGoals::tellRelationships() {
  for (uint32_t i = 0; i != graph.numRelationships(); ++i) {
    ir::EntityId source = graph.entity(graph.source[i]);
    ir::EntityId target = graph.entity(graph.target[i]);
    if (told.test(source.index) ||
        (told.test(target.index) && isWhere("deploy", source)))
      told.set(graph.entity(ir::RelationshipId{i}).index);
  }
}

void PartGoals::addGoals(ir::EntityId entity, Start &start) {
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    uint32_t row = layout.rowOf(slot, entity);
    for (const ir::Intent &intent : layout.machine(slot).intents)
      if (intent.workflow == wanted)
        start.goals.push_back({layout.cell(slot, row, intent.cell),
                               layout.cell(slot, row, intent.goal),
                               system.values.intern(intent.value)});
  }
}

/// Order reaches through what is up and stays.
Changes PartGoals::changes() const {
  Changes found{llvm::BitVector(graph.numNodes()),
                llvm::BitVector(graph.numRelationships()),
                llvm::BitVector(graph.numNodes()), /*inTurn=*/true};
  for (uint32_t i = 0; i != graph.numNodes(); ++i) {
    ir::EntityId node = graph.entity(ir::NodeId{i});
    found.nodes[i] = told.test(node.index);
    found.staying[i] = !told.test(node.index) && isWhere("deploy", node);
  }
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    found.relationships[i] =
        told.test(graph.entity(ir::RelationshipId{i}).index);
  return found;
}

std::optional<Start> PartGoals::find() {
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
      tellNeighbours(changes(), isDown, system, start.goals);
  // Nodes come first among entities.
  moving.resize(graph.numEntities());
  moving |= told;
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (!moving.test(i))
      system.letRest(ir::EntityId{i});
  return start;
}

std::optional<Start> toscac::plan::startOfPart(const ir::Workflow &workflow,
                                               const Goal &goal,
                                               EventSystem &system) {
  if (!WorkflowInputs(system, {0}).setParameters(workflow.inputs, goal))
    return std::nullopt;
  return PartGoals(workflow, system).find();
}
