//===- Neighbours.cpp - Nodes that stay beside what changes ---------------===//

#include "Neighbours.h"

#include "toscac/IR/Neighbours.h"

using namespace toscac;
using namespace toscac::plan;

namespace {
/// Walks from node to node through what stays.
class Walk {
public:
  Walk(const ir::Graph &graph, const llvm::BitVector &staying)
      : graph(graph), staying(staying), reached(graph.numNodes()) {}

  void add(ir::NodeId node) {
    if (!staying[node.index] || reached[node.index])
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
  const llvm::BitVector &staying;
  llvm::BitVector reached;
  llvm::SmallVector<ir::NodeId, 0> open;
};
} // namespace

/// Adds those that stay on the way from one that changes, or is a neighbour, to
/// another.
static void addBetween(const ir::Graph &graph, const Changes &changes,
                       llvm::BitVector &neighbours) {
  Walk forth(graph, changes.staying), back(graph, changes.staying);
  for (unsigned node : neighbours.set_bits()) {
    forth.add({node});
    back.add({node});
  }
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (changes.nodes[graph.source[i].index])
      forth.add(graph.target[i]);
  llvm::BitVector between = forth.toTargets();
  between &= back.toSources();
  neighbours |= between;
}

llvm::BitVector toscac::plan::tellNeighbours(const Changes &changes,
                                             bool isDown, EventSystem &system,
                                             std::vector<CellGoal> &goals) {
  const Layout &layout = system.layout;
  const ir::Graph &graph = layout.graph;
  llvm::BitVector nodes(graph.numNodes());
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (changes.relationships[i] && changes.staying[graph.source[i].index])
      nodes.set(graph.source[i].index);
  if (nodes.none())
    return nodes;
  if (changes.inTurn)
    addBetween(graph, changes, nodes);
  ValueId value = system.values.intern(Value::string(
      changes.inTurn ? (isDown ? "reduced_in_turn" : "extended_in_turn")
                     : (isDown ? "reduced" : "extended")));
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    std::optional<uint32_t> links = linksCell(layout.machine({i}));
    if (!links || layout.slots[i].kind != ir::EntityKind::Node)
      continue;
    for (uint32_t row = 0; row != layout.slots[i].rows; ++row)
      if (nodes[layout.entity({i}, row).index])
        goals.push_back({layout.cell({i}, row, *links), CellId(), value});
  }
  return nodes;
}
