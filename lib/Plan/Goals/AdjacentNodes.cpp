//===- AdjacentNodes.cpp - Nodes that stay beside what changes ------------===//

#include "AdjacentNodes.h"

using namespace toscac;
using namespace toscac::plan;

namespace {
/// Walks along relationships, over staying nodes only.
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

/// Adds the staying nodes on paths from a changed or adjacent node to another.
static void addBetween(const ir::Graph &graph, const ChangedPart &changes,
                       llvm::BitVector &adjacent) {
  Walk forth(graph, changes.staying), back(graph, changes.staying);
  for (unsigned node : adjacent.set_bits()) {
    forth.add({node});
    back.add({node});
  }
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (changes.nodes[graph.source[i].index])
      forth.add(graph.target[i]);
  llvm::BitVector between = forth.toTargets();
  between &= back.toSources();
  adjacent |= between;
}

llvm::BitVector toscac::plan::addAdjacentGoals(const ChangedPart &changes,
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
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    const ir::Roles &roles = layout.machine({i}).roles;
    const std::optional<Value> &told =
        changes.inTurn
            ? (isDown ? roles.linksLostInTurn : roles.linksGainedInTurn)
            : (isDown ? roles.linksLost : roles.linksGained);
    if (!roles.linksRequest || !told ||
        layout.slots[i].kind != ir::EntityKind::Node)
      continue;
    ValueId value = system.values.intern(*told);
    for (uint32_t row = 0; row != layout.slots[i].rows; ++row)
      if (nodes[layout.entity({i}, row).index])
        goals.push_back(
            {layout.cell({i}, row, *roles.linksRequest), CellId(), value});
  }
  return nodes;
}
