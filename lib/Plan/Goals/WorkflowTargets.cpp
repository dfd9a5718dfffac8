//===- WorkflowTargets.cpp - What a step of a workflow addresses ----------===//

#include "BuildTasks.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class TargetFinder {
public:
  TargetFinder(const ir::Graph &graph, ir::SubgraphId subgraph,
               Name relationship)
      : graph(graph), subgraph(subgraph), relationship(relationship) {}

  void add(Name target);
  std::vector<ir::EntityId> result;

private:
  void addClass(const ir::NodeClass &nodeClass);

  const ir::Graph &graph;
  ir::SubgraphId subgraph;
  Name relationship;
  /// Groups may have groups as members, even themselves.
  llvm::SmallPtrSet<const char *, 8> seen;
};

} // namespace

void TargetFinder::addClass(const ir::NodeClass &nodeClass) {
  if (!relationship) {
    for (ir::NodeId node : nodeClass.nodes.ids())
      result.push_back(graph.entity(node));
    return;
  }
  for (ir::RelationshipClassId id : nodeClass.relationships.ids()) {
    const ir::RelationshipClass &leaving = graph.relationshipClasses[id.index];
    if (leaving.requirement == relationship)
      for (ir::RelationshipId each : leaving.relationships.ids())
        result.push_back(graph.entity(each));
  }
}

void TargetFinder::add(Name target) {
  if (!target || !seen.insert(target.str().data()).second)
    return;
  if (auto found = graph.findClass(subgraph, target))
    return addClass(graph.nodeClasses[found->index]);
  for (const ir::Group &group : graph.groups)
    if (group.name == target && group.subgraph == subgraph)
      llvm::for_each(group.members, [&](Name member) { add(member); });
}

std::vector<ir::EntityId> toscac::plan::targetsOf(const ir::Graph &graph,
                                                  ir::SubgraphId subgraph,
                                                  Name target,
                                                  Name relationship) {
  TargetFinder finder(graph, subgraph, relationship);
  finder.add(target);
  return std::move(finder.result);
}
