//===- PartTasks.cpp - Workflows that address a part ----------------------===//
///
/// \file
/// Steps that name instances, and workflows that go along relationships or
/// leave everything else alone.
///
//===----------------------------------------------------------------------===//

#include "TaskBuilder.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// `; there are 'app[0]' to 'app[2]'`
static std::string hintOf(const ir::Graph &graph,
                          const ir::NodeClass &nodeClass) {
  ir::IdRange<ir::NodeId> nodes = nodeClass.nodes;
  if (nodes.count == 0)
    return ("; '" + nodeClass.name.str() + "' has none").str();
  std::string first = graph.nameOf(ir::NodeId{nodes.first});
  std::string last = graph.nameOf(ir::NodeId{nodes.first + nodes.count - 1});
  return first == last ? "; there is '" + first + "'"
                       : "; there are '" + first + "' to '" + last + "'";
}

std::optional<std::vector<ir::EntityId>>
toscac::plan::targetsOf(const ir::Graph &graph, ir::SubgraphId subgraph,
                        const ir::Workflow &workflow,
                        const ir::WorkflowStep &step, DiagnosticEngine &diags) {
  std::vector<ir::EntityId> entities =
      targetsOf(graph, subgraph, step.target, step.targetRelationship);
  std::optional<ir::NodeClassId> found = graph.findClass(subgraph, step.target);
  if (step.instances.empty() || !found)
    return entities;
  const ir::NodeClass &nodeClass = graph.nodeClasses[found->index];
  bool good = true;
  for (uint32_t index : step.instances)
    if (!graph.findNode(nodeClass, index)) {
      diags.report(
          step.range, diag::StepInstanceMissing,
          (step.target.str() + "[" + std::to_string(index) + "]").str(),
          workflow.name.str(), hintOf(graph, nodeClass));
      good = false;
    }
  llvm::DenseSet<uint32_t> meant(step.instances.begin(), step.instances.end());
  llvm::erase_if(entities, [&](ir::EntityId entity) {
    ir::NodeId node = graph.isNode(entity)
                          ? graph.node(entity)
                          : graph.source[graph.relationship(entity).index];
    return !meant.contains(graph.indexOfNode[node.index]);
  });
  return good ? std::optional(std::move(entities)) : std::nullopt;
}

std::vector<ir::EntityId>
TaskBuilder::entitiesOf(const Frame &frame, const ir::WorkflowStep &step) {
  auto entities = targetsOf(graph, frame.subgraph, *frame.workflow, step,
                            system.conditions.diags);
  failed |= !entities;
  return entities.value_or(std::vector<ir::EntityId>());
}

/// The task \p before a node's own tasks waits for the one \p after those of
/// each target. Nodes on a cycle would never begin.
std::vector<Cycle> TaskBuilder::orderByTargets(ArrayRef<TaskId> before,
                                               ArrayRef<TaskId> after) {
  std::vector<CsrGraph::Edge> edges;
  for (auto [source, target] : llvm::zip_equal(graph.source, graph.target)) {
    order(after[target.index], before[source.index]);
    edges.push_back({source.index, target.index});
  }
  return findCycles({graph.numNodes(), edges});
}

TaskId TaskBuilder::addAlongRelationships(const Frame &frame, TaskId begin) {
  std::vector<TaskId> before, after;
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    before.push_back(addTask(begin));
  after = before;
  TaskId end = addTask(begin);
  for (const ir::WorkflowStep &step : frame.workflow->steps)
    for (ir::EntityId entity : entitiesOf(frame, step)) {
      bool isNode = graph.isNode(entity);
      uint32_t node =
          isNode ? entity.index
                 : graph.source[graph.relationship(entity).index].index;
      TaskId last = addActivities(frame, step.activities, entity, step.filter,
                                  after[node]);
      order(last, end);
      if (isNode)
        after[node] = last;
    }
  if (frame.workflow->order != ir::Workflow::Order::Target)
    return end;
  for (const Cycle &cycle : orderByTargets(before, after)) {
    failed = true;
    system.conditions.diags.report(frame.workflow->range, diag::TargetsInCycle,
                                   frame.workflow->name.str(),
                                   describeCycle(cycle, [&](uint32_t node) {
                                     return graph.nameOf(ir::NodeId{node});
                                   }));
  }
  return end;
}

/// Whatever no activity calls stays as it is.
void TaskBuilder::suspendOthers() {
  llvm::BitVector called(graph.numEntities());
  for (auto [slot, row] : delegated)
    called.set(layout.entity({slot}, row).index);
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (!called.test(i))
      system.suspended.add(ir::EntityId{i});
}
