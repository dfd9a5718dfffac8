//===- Expansion.cpp - A graph that grows ---------------------------------===//

#include "Expansion.h"

#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;

Place Expansion::placeOf(ir::NodeId node) const {
  return {ir::EntityKind::Node, graph.classOf(node).subgraph, node};
}

Place Expansion::placeOf(ir::SubgraphId subgraph) const {
  return {ir::EntityKind::Service, subgraph};
}

llvm::ArrayRef<ir::NodeId>
Expansion::targetsOf(uint32_t relationshipClass) const {
  const Links &own = links[relationshipClass];
  if (!own.placed)
    return own.targets;
  auto range = graph.relationshipClasses[relationshipClass].relationships;
  return llvm::ArrayRef(graph.target).slice(range.first, range.count);
}

std::pair<uint32_t, uint32_t> Expansion::outgoing(uint32_t relationshipClass,
                                                  ir::NodeId source) const {
  const std::vector<uint32_t> &offsets =
      graph.relationshipClasses[relationshipClass].offsets;
  uint32_t row = graph.row(source);
  return {offsets[row + 1] - offsets[row], offsets[row]};
}

Place Expansion::placeOf(uint32_t relationshipClass, ir::NodeId source,
                         uint32_t number, uint32_t index) const {
  const Links &own = links[relationshipClass];
  uint32_t row = outgoing(relationshipClass, source).second + number;
  auto range = graph.relationshipClasses[relationshipClass].relationships;
  Place place{ir::EntityKind::Relationship, graph.classOf(source).subgraph,
              source};
  place.relationshipClass = relationshipClass;
  place.target = targetsOf(relationshipClass)[row];
  place.capability =
      own.placed ? graph.capability[range.first + row] : own.capabilities[row];
  place.index = index;
  place.row = row;
  return place;
}

std::string Expansion::nameOf(const Place &place) const {
  if (place.kind == ir::EntityKind::Service)
    return subgraphs[place.subgraph.index].service->name.str().str();
  std::string name = graph.nameOf(place.node);
  if (place.kind == ir::EntityKind::Node)
    return name;
  llvm::StringRef requirement =
      graph.relationshipClasses[place.relationshipClass].requirement.str();
  return llvm::formatv("{0}.{1}[{2}]", name, requirement, place.index);
}

bool expanding::reportSecret(Expansion &expansion, SourceRange range,
                             llvm::StringRef what) {
  if (!expansion.secret)
    return false;
  expansion.diags.report(range, diag::SecretDecides, what,
                         expansion.secret->str());
  return true;
}
