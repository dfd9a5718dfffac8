//===- Machines.cpp - What runs on which machine --------------------------===//

#include "Machines.h"

using namespace toscac;
using namespace toscac::plan;

static bool isMarked(const ir::Graph &graph, ir::TypeId type,
                     llvm::StringRef mark) {
  return ir::findMark(graph.types, type, mark) == "true";
}

/// What contains \p node. While one container replaces another, it is the one
/// that stays.
static std::optional<ir::NodeId> containerOf(const ir::Graph &graph,
                                             ir::NodeId node) {
  std::optional<ir::NodeId> found;
  for (ir::RelationshipClassId leaving :
       graph.classOf(node).relationships.ids()) {
    const ir::RelationshipClass &own = graph.relationshipClasses[leaving.index];
    if (!isMarked(graph, own.type, "containment"))
      continue;
    for (ir::RelationshipId id : graph.outgoing(node, own).ids()) {
      ir::NodeId target = graph.target[id.index];
      if (graph.presenceOf(graph.entity(id)) != ir::Presence::Leaving)
        return target;
      if (!found)
        found = target;
    }
  }
  return found;
}

std::optional<ir::NodeId> plan::machineOf(const ir::Graph &graph,
                                          ir::EntityId entity,
                                          ir::HandlerPlace place) {
  if (place == ir::HandlerPlace::Here || graph.isService(entity))
    return std::nullopt;
  std::optional<ir::NodeId> node;
  if (graph.isRelationship(entity)) {
    uint32_t row = graph.relationship(entity).index;
    node = place == ir::HandlerPlace::Target ? graph.target[row]
                                             : graph.source[row];
  } else {
    node = graph.node(entity);
    if (place == ir::HandlerPlace::Host)
      node = containerOf(graph, *node);
  }
  // No way of containment is longer than there are nodes.
  for (uint32_t i = 0; node && i != graph.numNodes(); ++i) {
    if (isMarked(graph, graph.classOf(*node).type, "compute"))
      return node;
    node = containerOf(graph, *node);
  }
  return std::nullopt;
}
