//===- PartTasks.cpp - Workflows that address a part ----------------------===//
///
/// \file
/// Steps that name instances, workflows that go along relationships, and those
/// that leave everything else alone.
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

std::vector<ir::EntityId>
TaskBuilder::entitiesOf(const Frame &frame, const ir::WorkflowStep &step) {
  std::vector<ir::EntityId> entities =
      targetsOf(graph, frame.scope, step.target, step.targetRelationship);
  std::optional<ir::NodeClassId> found =
      graph.findClass(frame.scope, step.target);
  if (step.instances.empty() || !found)
    return entities;
  const ir::NodeClass &nodeClass = graph.nodeClasses[found->index];
  for (uint32_t index : step.instances)
    // What it does on relationships, it does on their sources before.
    if (!step.targetRelationship && !graph.findNode(nodeClass, index)) {
      system.conditions.diags.report(
          step.range, diag::StepInstanceMissing,
          (step.target.str() + "[" + std::to_string(index) + "]").str(),
          frame.workflow->name.str(), hintOf(graph, nodeClass));
      failed = true;
    }
  llvm::erase_if(entities, [&](ir::EntityId entity) {
    ir::NodeId node = graph.isNode(entity)
                          ? graph.node(entity)
                          : graph.source[graph.relationship(entity).index];
    return !llvm::is_contained(step.instances, graph.indexOfNode[node.index]);
  });
  return entities;
}

/// What comes \p before a node's own tasks waits for what comes \p after those
/// of its targets. False where that has no beginning.
bool TaskBuilder::orderByTargets(ArrayRef<TaskId> before,
                                 ArrayRef<TaskId> after) {
  std::vector<uint32_t> waits(graph.numNodes());
  for (auto [source, target] : llvm::zip_equal(graph.source, graph.target)) {
    order(after[target.index], before[source.index]);
    ++waits[source.index];
  }
  std::vector<ir::NodeId> ready;
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    if (waits[i] == 0)
      ready.push_back({i});
  for (size_t done = 0; done != ready.size(); ++done)
    for (ir::RelationshipId each : graph.incomingOf(ir::NodeId(ready[done])))
      if (ir::NodeId source = graph.source[each.index];
          --waits[source.index] == 0)
        ready.push_back(source);
  return ready.size() == graph.numNodes();
}

TaskId TaskBuilder::addTargetsFirst(const Frame &frame, TaskId begin) {
  std::vector<TaskId> before, after;
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    before.push_back(addTask(begin));
  after = before;
  TaskId end = addTask(begin);
  for (const ir::WorkflowStep &step : frame.workflow->steps)
    for (ir::EntityId entity : entitiesOf(frame, step)) {
      bool isNode = graph.isNode(entity);
      uint32_t node = isNode
                          ? entity.index
                          : graph.source[graph.relationship(entity).index].index;
      TaskId last = addActivities(frame, step.activities, entity, step.filter,
                                  after[node]);
      order(last, end);
      if (isNode)
        after[node] = last;
    }
  if (!orderByTargets(before, after)) {
    failed = true;
    system.conditions.diags.report(
        frame.workflow->range, diag::TargetsInCircle,
        frame.workflow->name.str(),
        graph.scopes[frame.scope.index].service.str().str());
  }
  return end;
}

/// Relationships that are told something are addressed, too.
void TaskBuilder::letOthersRest() {
  llvm::DenseSet<uint32_t> moved;
  for (auto [slot, row] : delegated)
    moved.insert(layout.entity({slot}, row).index);
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (!moved.contains(i))
      system.letRest(ir::EntityId{i});
}
