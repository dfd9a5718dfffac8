//===- Neighbours.cpp - Nodes that stay beside what changes ---------------===//

#include "Neighbours.h"

using namespace toscac;
using namespace toscac::plan;
using ir::Presence;

static bool stays(const ir::Graph &graph, ir::NodeId node) {
  Presence presence = graph.presenceOf(node);
  return presence == Presence::Kept || presence == Presence::Updated;
}

static bool changes(Presence presence, bool isDown) {
  return presence == Presence::Replaced ||
         presence == (isDown ? Presence::Leaving : Presence::New);
}

namespace {
/// Walks from node to node through what stays.
class Walk {
public:
  Walk(const ir::Graph &graph) : graph(graph), reached(graph.numNodes()) {}

  void add(ir::NodeId node) {
    if (!stays(graph, node) || reached[node.index])
      return;
    reached.set(node.index);
    open.push_back(node);
  }
  llvm::BitVector toTargets() {
    while (!open.empty()) {
      ir::NodeId node = open.pop_back_val();
      for (auto id : graph.classOf(node).relationships.ids())
        for (ir::RelationshipId each :
             graph.outgoing(node, graph.relationshipClasses[id.index]).ids())
          add(graph.target[each.index]);
    }
    return std::move(reached);
  }
  llvm::BitVector toSources() {
    while (!open.empty())
      for (ir::RelationshipId each : graph.incomingOf(open.pop_back_val()))
        add(graph.source[each.index]);
    return std::move(reached);
  }

private:
  const ir::Graph &graph;
  llvm::BitVector reached;
  llvm::SmallVector<ir::NodeId, 0> open;
};
} // namespace

/// Adds those that stay on the way from one that changes, or is a neighbour, to
/// another.
static void addBetween(const ir::Graph &graph, bool isDown,
                       llvm::BitVector &neighbours) {
  Walk forth(graph), back(graph);
  for (unsigned node : neighbours.set_bits()) {
    forth.add({node});
    back.add({node});
  }
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (changes(graph.presenceOf(graph.source[i]), isDown))
      forth.add(graph.target[i]);
  llvm::BitVector between = forth.toTargets();
  between &= back.toSources();
  neighbours |= between;
}

Neighbours toscac::plan::findNeighbours(const ir::Graph &graph, bool isDown) {
  Neighbours found{llvm::BitVector(graph.numNodes())};
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (changes(graph.presenceOf(ir::RelationshipId{i}), isDown) &&
        stays(graph, graph.source[i]))
      found.nodes.set(graph.source[i].index);
  found.inTurn = llvm::is_contained(graph.presenceOfNode, Presence::Replaced);
  if (found.inTurn && found.nodes.any())
    addBetween(graph, isDown, found.nodes);
  return found;
}
