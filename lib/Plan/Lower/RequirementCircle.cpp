//===- RequirementCircle.cpp - Nodes that wait for each other -------------===//

#include "RequirementCircle.h"

#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace toscac;
using namespace toscac::plan;

/// The nodes that \p waiting are, or have at their ends.
static std::set<uint32_t> nodesOf(llvm::ArrayRef<ir::EntityId> waiting,
                                  const ir::Graph &graph) {
  std::set<uint32_t> nodes;
  for (ir::EntityId entity : waiting)
    if (graph.isNode(entity)) {
      nodes.insert(entity.index);
    } else if (graph.isRelationship(entity)) {
      ir::RelationshipId relationship = graph.relationship(entity);
      nodes.insert(graph.source[relationship.index].index);
      nodes.insert(graph.target[relationship.index].index);
    }
  return nodes;
}

bool plan::reportRequirementCircle(llvm::ArrayRef<ir::EntityId> waiting,
                                   const ir::Graph &graph,
                                   DiagnosticEngine &diags) {
  std::set<uint32_t> nodes = nodesOf(waiting, graph);
  std::vector<CsrGraph::Edge> edges;
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (nodes.count(graph.source[i].index) &&
        nodes.count(graph.target[i].index))
      edges.push_back({graph.source[i].index, graph.target[i].index});
  std::vector<Cycle> cycles = findCycles({graph.numNodes(), edges});
  if (cycles.empty())
    return false;
  Cycle cycle = cycles.front();
  auto placeOf = [&](size_t index) {
    uint32_t from = cycle[index], to = cycle[(index + 1) % cycle.size()];
    for (uint32_t i = 0; i != graph.numRelationships(); ++i)
      if (graph.source[i].index == from && graph.target[i].index == to)
        return graph.relationshipClasses[graph.classOfRelationship[i].index]
            .range;
    llvm_unreachable("each edge of the cycle is a relationship");
  };
  // What stands last in the file closes the circle.
  size_t last = 0;
  for (size_t index = 1; index != cycle.size(); ++index)
    if (placeOf(last).begin < placeOf(index).begin)
      last = index;
  std::rotate(cycle.begin(), cycle.begin() + last, cycle.end());
  auto nameOf = [&](uint32_t node) {
    const ir::NodeClass &owner =
        graph.nodeClasses[graph.classOfNode[node].index];
    bool isOnly = owner.nodes.count == 1 && owner.subgraph.index == 0;
    return isOnly ? owner.name.str().str() : graph.nameOf(ir::NodeId{node});
  };
  auto report =
      diags.report(placeOf(0), diag::RequirementCircle, nameOf(cycle.front()),
                   describeCycle(cycle, nameOf) + ", a circle of requirements");
  for (size_t index = 1; index != cycle.size(); ++index)
    report.note(placeOf(index), diag::CircleGoesOn, nameOf(cycle[index]),
                nameOf(cycle[(index + 1) % cycle.size()]));
  return true;
}
