//===- RequirementCircle.cpp - Nodes that wait for each other -------------===//

#include "RequirementCircle.h"

#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/STLExtras.h"
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
  const Cycle &cycle = cycles.front();
  // Where each edge of the circle is asked for.
  std::vector<SourceRange> places;
  for (auto [index, from] : llvm::enumerate(cycle)) {
    uint32_t to = cycle[(index + 1) % cycle.size()];
    for (uint32_t i = 0; i != graph.numRelationships(); ++i)
      if (graph.source[i].index == from && graph.target[i].index == to) {
        places.push_back(
            graph.relationshipClasses[graph.classOfRelationship[i].index]
                .range);
        break;
      }
  }
  auto nameOf = [&](uint32_t node) { return graph.nameOf(ir::NodeId{node}); };
  // What stands last in the file closes the circle.
  size_t last =
      llvm::max_element(places,
                        [](const SourceRange &a, const SourceRange &b) {
                          return a.begin < b.begin;
                        }) -
      places.begin();
  auto report = diags.report(places[last], diag::RequirementCircle,
                             nameOf(cycle[last]), describeCycle(cycle, nameOf));
  for (size_t step = 1; step != cycle.size(); ++step) {
    size_t at = (last + step) % cycle.size();
    report.note(places[at], diag::CircleGoesOn, nameOf(cycle[at]),
                nameOf(cycle[(at + 1) % cycle.size()]));
  }
  return true;
}
