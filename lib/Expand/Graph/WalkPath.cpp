//===- WalkPath.cpp - Paths over a growing graph --------------------------===//
///
/// \file
/// Follows paths while relationships are still being found: what a step would
/// have to know and nobody knows yet blocks the evaluation. Relationships that
/// enter a node are known when all subgraphs have been expanded.
///
//===----------------------------------------------------------------------===//

#include "GraphEnvironment.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

namespace {

class GrowingWalk {
public:
  GrowingWalk(Expansion &expansion,
              llvm::function_ref<void(const Place &)> visit)
      : expansion(expansion), visit(visit) {}

  void walk(const Place &at, ArrayRef<ir::PathStep> steps);

  bool isKnown = true;

private:
  void leave(ir::NodeId node, Name requirement, const ir::PathStep &step,
             ArrayRef<ir::PathStep> rest);
  void enter(ir::NodeId node, const ir::PathStep &step,
             ArrayRef<ir::PathStep> rest);
  void instances(ir::SubgraphId subgraph, const ir::PathStep &step,
                 ArrayRef<ir::PathStep> rest);
  void end(const Place &at, ir::PathStep::Kind kind,
           ArrayRef<ir::PathStep> rest);
  void block(uint32_t relationshipClass) {
    isKnown = false;
    if (!expansion.blockedOn)
      expansion.blockedOn = relationshipClass;
  }
  /// Not set: all. Indices have been evaluated.
  static std::optional<int64_t> indexOf(const ir::PathStep &step) {
    return step.index ? ir::literalIndex(*step.index) : std::nullopt;
  }

  Expansion &expansion;
  llvm::function_ref<void(const Place &)> visit;
};

} // namespace

void GrowingWalk::leave(ir::NodeId node, Name requirement,
                        const ir::PathStep &step, ArrayRef<ir::PathStep> rest) {
  std::optional<int64_t> wanted = indexOf(step);
  const ir::Graph &graph = expansion.graph;
  llvm::SmallVector<std::pair<Name, uint32_t>, 4> numbered;
  for (ir::RelationshipClassId id : graph.classOf(node).relationships.ids()) {
    Name name = graph.relationshipClasses[id.index].requirement;
    if (requirement && name != requirement)
      continue;
    if (!expansion.links[id.index].known)
      return block(id.index);
    auto *counted = llvm::find_if(
        numbered, [&](auto &entry) { return entry.first == name; });
    if (counted == numbered.end())
      counted = &numbered.emplace_back(name, 0);
    uint32_t count = expansion.outgoing(id.index, node).first;
    uint32_t first = counted->second;
    if (!wanted)
      for (uint32_t i = 0; i < count; ++i)
        walk(expansion.placeOf(id.index, node, i, first + i), rest);
    else if (*wanted >= first && *wanted < first + count)
      walk(expansion.placeOf(id.index, node, *wanted - first, *wanted), rest);
    counted->second += count;
  }
}

void GrowingWalk::enter(ir::NodeId node, const ir::PathStep &step,
                        ArrayRef<ir::PathStep> rest) {
  const ir::Graph &graph = expansion.graph;
  if (graph.incomingOffsets.empty())
    return block(none);
  std::optional<int64_t> wanted = indexOf(step);
  const ir::NodeClass &own = graph.classOf(node);
  for (auto [i, capability] : llvm::enumerate(own.capabilities)) {
    if (step.name && capability.name != step.name)
      continue;
    ArrayRef<ir::RelationshipId> incoming = graph.incomingOf(node, i);
    if (wanted)
      incoming =
          incoming.drop_front(std::min<uint64_t>(*wanted, incoming.size()))
              .take_front(1);
    for (ir::RelationshipId id : incoming) {
      uint32_t relationshipClass = graph.classOfRelationship[id.index].index;
      ir::NodeId source = graph.source[id.index];
      uint32_t first = expansion.outgoing(relationshipClass, source).second;
      walk(expansion.placeOf(relationshipClass, source, graph.row(id) - first,
                             graph.indexOfRelationship[id.index]),
           rest);
    }
  }
}

void GrowingWalk::instances(ir::SubgraphId subgraph, const ir::PathStep &step,
                            ArrayRef<ir::PathStep> rest) {
  std::optional<int64_t> wanted = indexOf(step);
  const ir::Graph &graph = expansion.graph;
  for (ir::NodeClassId id : graph.subgraphs[subgraph.index].classes.ids()) {
    const ir::NodeClass &nodeClass = graph.nodeClasses[id.index];
    if (step.name && nodeClass.name != step.name)
      continue;
    if (wanted) {
      // Where some have gone, an index is not a position.
      if (auto node =
              *wanted < 0 ? std::nullopt : graph.findNode(nodeClass, *wanted))
        walk(expansion.placeOf(*node), rest);
      continue;
    }
    for (ir::NodeId node : nodeClass.selected)
      walk(expansion.placeOf(node), rest);
    for (ir::NodeId node : nodeClass.nodes.ids())
      walk(expansion.placeOf(node), rest);
  }
}

/// To the source or target of a relationship.
void GrowingWalk::end(const Place &at, ir::PathStep::Kind kind,
                      ArrayRef<ir::PathStep> rest) {
  if (at.kind != ir::EntityKind::Relationship)
    return;
  if (kind == ir::PathStep::Kind::Source)
    walk(expansion.placeOf(at.node), rest);
  else if (at.target.index == none)
    block(at.relationshipClass);
  else
    walk(expansion.placeOf(at.target), rest);
}

void GrowingWalk::walk(const Place &at, ArrayRef<ir::PathStep> steps) {
  if (steps.empty())
    return visit(at);
  const ir::PathStep &step = steps.front();
  ArrayRef<ir::PathStep> rest = steps.drop_front();
  bool isNode = at.kind == ir::EntityKind::Node;
  switch (step.kind) {
  case ir::PathStep::Kind::Source:
  case ir::PathStep::Kind::Target:
    return end(at, step.kind, rest);
  case ir::PathStep::Kind::Service:
    return walk(expansion.placeOf(at.subgraph), rest);
  case ir::PathStep::Kind::Inside:
  // Ranks are a matter of machines.
  case ir::PathStep::Kind::Earlier:
  case ir::PathStep::Kind::Later:
    return;
  case ir::PathStep::Kind::Outside:
    if (auto outer = expansion.graph.subgraphs[at.subgraph.index].substitutes)
      walk(expansion.placeOf(*outer), rest);
    return;
  case ir::PathStep::Kind::Node:
    return instances(at.subgraph, step, rest);
  case ir::PathStep::Kind::Relationship:
    if (isNode)
      leave(at.node, step.name, step, rest);
    return;
  case ir::PathStep::Kind::Capability:
    if (isNode)
      return enter(at.node, step, rest);
    // From a relationship: the others of its source and requirement.
    if (at.kind == ir::EntityKind::Relationship)
      leave(at.node, expansion.requirements[at.relationshipClass]->name, step,
            rest);
    return;
  }
}

bool expanding::walkPath(Expansion &expansion, const Place &start,
                         ArrayRef<ir::PathStep> steps,
                         llvm::function_ref<void(const Place &)> visit) {
  GrowingWalk walk(expansion, visit);
  walk.walk(start, steps);
  return walk.isKnown;
}
