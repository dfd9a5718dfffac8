//===- Graph.cpp - The representation graph -------------------------------===//

#include "toscac/IR/Graph.h"

#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;

IdRange<RelationshipId>
Graph::outgoing(NodeId node, const RelationshipClass &leaving) const {
  uint32_t position =
      node.index - nodeClasses[leaving.source.index].nodes.first;
  uint32_t begin = leaving.offsets[position];
  return {leaving.relationships.first + begin,
          leaving.offsets[position + 1] - begin};
}

IdRange<RelationshipId> Graph::neighboursOf(RelationshipId relationship,
                                            bool below) const {
  NodeId node = source[relationship.index];
  auto ranks = classOf(node).relationships;
  uint32_t rank = classOfRelationship[relationship.index].index - ranks.first;
  while (below ? rank-- != 0 : ++rank != ranks.count)
    if (auto found = outgoing(node, relationshipClasses[ranks.first + rank]);
        found.count != 0)
      return found;
  return {};
}

ArrayRef<RelationshipId> Graph::incomingOf(NodeId node) const {
  uint32_t begin = incomingOffsets[node.index];
  return ArrayRef(incoming).slice(begin,
                                  incomingOffsets[node.index + 1] - begin);
}

ArrayRef<RelationshipId> Graph::incomingOf(NodeId node,
                                           uint16_t capabilityIndex) const {
  ArrayRef<RelationshipId> all = incomingOf(node);
  auto before = [&](RelationshipId id) {
    return capability[id.index] < capabilityIndex;
  };
  auto notAfter = [&](RelationshipId id) {
    return capability[id.index] <= capabilityIndex;
  };
  const auto *begin = llvm::partition_point(all, before);
  const auto *end = std::partition_point(begin, all.end(), notAfter);
  return {begin, end};
}

SourceRange Graph::rangeOf(EntityId id) const {
  if (isNode(id))
    return classOf(node(id)).range;
  return isRelationship(id) ? classOf(relationship(id)).range : SourceRange();
}

SubgraphId Graph::subgraphOf(EntityId id) const {
  switch (kindOf(id)) {
  case EntityKind::Node:
    return classOf(node(id)).subgraph;
  case EntityKind::Relationship:
    return classOf(source[relationship(id).index]).subgraph;
  case EntityKind::Service:
    return subgraph(id);
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<NodeClassId> Graph::findClass(SubgraphId subgraph,
                                            Name name) const {
  auto found = classes.find({subgraph.index, name.str().data()});
  if (found == classes.end())
    return std::nullopt;
  return NodeClassId{found->second};
}

/// The position of \p index in \p indices, which are ascending.
static std::optional<uint32_t> findIndex(ArrayRef<uint32_t> indices,
                                         uint32_t index) {
  // Without gaps, an index is its own position.
  if (index < indices.size() && indices[index] == index)
    return index;
  const auto *found = llvm::lower_bound(indices, index);
  if (found == indices.end() || *found != index)
    return std::nullopt;
  return found - indices.begin();
}

std::optional<NodeId> Graph::findNode(const NodeClass &nodeClass,
                                      uint32_t index) const {
  const IdRange<NodeId> &nodes = nodeClass.nodes;
  if (index < nodeClass.selected.size())
    return nodeClass.selected[index];
  auto position =
      findIndex(ArrayRef(indexOfNode).slice(nodes.first, nodes.count), index);
  if (!position)
    return std::nullopt;
  return nodes[*position];
}

std::optional<SubgraphId> Graph::inside(NodeId node) const {
  auto found = services.find(node.index);
  if (found == services.end())
    return std::nullopt;
  return SubgraphId{found->second};
}

std::optional<RelationshipId>
Graph::findRelationship(NodeId node, const RelationshipClass &leaving,
                        uint32_t index) const {
  IdRange<RelationshipId> range = outgoing(node, leaving);
  auto position = findIndex(
      ArrayRef(indexOfRelationship).slice(range.first, range.count), index);
  if (!position)
    return std::nullopt;
  return range[*position];
}

llvm::StringRef ir::spelling(Presence presence) {
  switch (presence) {
  case Presence::New:
    return "new";
  case Presence::Kept:
    return "kept";
  case Presence::Updated:
    return "updated";
  case Presence::Replaced:
    return "replaced";
  case Presence::Leaving:
    return "leaving";
  }
  llvm_unreachable("all kinds are handled");
}

Presence Graph::presenceOf(EntityId id) const {
  if (isNode(id))
    return presenceOf(node(id));
  if (isRelationship(id))
    return presenceOf(relationship(id));
  return hasRecorded ? Presence::Kept : Presence::New;
}

ArrayRef<MachineSlot> Graph::machinesOf(EntityId id) const {
  switch (kindOf(id)) {
  case EntityKind::Node:
    return classOf(node(id)).machines;
  case EntityKind::Relationship:
    return classOf(relationship(id)).machines;
  case EntityKind::Service:
    return subgraphs[subgraph(id).index].machines;
  }
  llvm_unreachable("all kinds are handled");
}

uint32_t Graph::rowOf(EntityId id) const {
  switch (kindOf(id)) {
  case EntityKind::Node:
    return row(node(id));
  case EntityKind::Relationship:
    return row(relationship(id));
  case EntityKind::Service:
    return 0;
  }
  llvm_unreachable("all kinds are handled");
}

static void appendIndexed(std::string &text, Name name, uint32_t index) {
  llvm::raw_string_ostream(text) << name.str() << '[' << index << ']';
}

std::string Graph::nameOf(NodeId node) const {
  std::string text;
  const NodeClass &nodeClass = classOf(node);
  // Recursion is as deep as substitutions are nested.
  if (auto outer = subgraphs[nodeClass.subgraph.index].substitutes)
    text = nameOf(*outer) + "/";
  appendIndexed(text, nodeClass.name, indexOfNode[node.index]);
  return text;
}

std::string Graph::nameOf(RelationshipId relationship) const {
  std::string text = nameOf(source[relationship.index]) + ".";
  appendIndexed(text, classOf(relationship).requirement,
                indexOfRelationship[relationship.index]);
  return text;
}

std::string Graph::nameOf(EntityId id) const {
  switch (kindOf(id)) {
  case EntityKind::Node:
    return nameOf(node(id));
  case EntityKind::Relationship:
    return nameOf(relationship(id));
  case EntityKind::Service:
    break;
  }
  const Subgraph &service = subgraphs[subgraph(id).index];
  std::string outer =
      service.substitutes ? nameOf(*service.substitutes) + "/" : std::string();
  return outer + service.service.str().str();
}

std::optional<std::string> Graph::formerNameOf(EntityId id) const {
  if (isService(id) || presenceOf(id) == Presence::New)
    return std::nullopt;
  NodeId outermost = isNode(id) ? node(id) : source[relationship(id).index];
  while (auto outer = subgraphs[classOf(outermost).subgraph.index].substitutes)
    outermost = *outer;
  const NodeClass &own = classOf(outermost);
  if (!own.movedFrom)
    return std::nullopt;
  return (own.movedFrom.str() + nameOf(id).substr(own.name.str().size())).str();
}

void Graph::linkIncoming() {
  // A counting sort: stable, so that each node's relationships stay ascending.
  incomingOffsets.assign(numNodes() + 1, 0);
  for (NodeId node : target)
    ++incomingOffsets[node.index + 1];
  for (uint32_t i = 0; i < numNodes(); ++i)
    incomingOffsets[i + 1] += incomingOffsets[i];
  incoming.resize(numRelationships());
  // Each node's offset moves to its end, which is where the next one begins.
  for (uint32_t i = 0; i < numRelationships(); ++i)
    incoming[incomingOffsets[target[i].index]++] = {i};
  for (uint32_t i = numNodes(); i > 0; --i)
    incomingOffsets[i] = incomingOffsets[i - 1];
  incomingOffsets[0] = 0;

  auto byCapability = [&](RelationshipId a, RelationshipId b) {
    return capability[a.index] < capability[b.index];
  };
  for (uint32_t i = 0; i < numNodes(); ++i) {
    auto begin = incoming.begin() + incomingOffsets[i];
    auto end = incoming.begin() + incomingOffsets[i + 1];
    if (!std::is_sorted(begin, end, byCapability))
      std::stable_sort(begin, end, byCapability);
  }
}

void Graph::linkClasses() {
  classes.clear();
  for (auto [i, nodeClass] : llvm::enumerate(nodeClasses))
    classes.try_emplace({nodeClass.subgraph.index, nodeClass.name.str().data()},
                        i);
  services.clear();
  for (auto [i, subgraph] : llvm::enumerate(subgraphs))
    if (subgraph.substitutes)
      services.try_emplace(subgraph.substitutes->index, i);
}
