//===- ParseRelationships.cpp - Relationships in text ---------------------===//
///
/// \file
/// They come when all nodes are known, class by class, then by source, then by
/// index: the order of their ids.
///
//===----------------------------------------------------------------------===//

#include "GraphParser.h"

#include <numeric>

using namespace toscac;
using namespace toscac::ir;

bool GraphParser::readNodePath(NodePath &path) {
  do {
    NamedNode &node = path.emplace_back();
    node.range = text.here();
    if (!text.readName(node.name) || !text.readIndex(node.index))
      return false;
  } while (text.consume("/"));
  return true;
}

bool GraphParser::resolve(llvm::ArrayRef<NamedNode> path, NodeId &node) {
  uint32_t subgraph = 0;
  for (auto [i, step] : llvm::enumerate(path)) {
    if (i > 0) {
      auto inner = subgraphOfNode.find(node.index);
      if (inner == subgraphOfNode.end())
        return unknown("service for node",
                       {path[i - 1].name, 1, path[i - 1].range});
      subgraph = inner->second;
    }
    auto found = graph->findClass({subgraph}, step.name);
    if (!found)
      return unknown("class", {step.name, 1, step.range});
    auto instance =
        graph->findNode(graph->nodeClasses[found->index], step.index);
    if (!instance) {
      diags.report(
          step.range, diag::IrUnknownName, "node",
          (step.name.str() + "[" + llvm::Twine(step.index) + "]").str());
      return false;
    }
    node = *instance;
  }
  return true;
}

bool GraphParser::readNode(NodeId &node) {
  NodePath path;
  return readNodePath(path) && resolve(path, node);
}

void GraphParser::startClass(uint32_t next) {
  if (relationshipClass != ~0u) {
    RelationshipClass &last = graph->relationshipClasses[relationshipClass];
    closeColumns(last.relationships.count);
    std::partial_sum(last.offsets.begin(), last.offsets.end(),
                     last.offsets.begin());
  }
  // What is passed over has no relationships.
  for (uint32_t i = relationshipClass + 1;
       i <= next && i < graph->relationshipClasses.size(); ++i) {
    RelationshipClass &started = graph->relationshipClasses[i];
    started.relationships.first = graph->numRelationships();
    started.offsets.assign(
        graph->nodeClasses[started.source.index].nodes.count + 1, 0);
  }
  relationshipClass = next;
  if (next == graph->relationshipClasses.size())
    return;
  RelationshipClass &started = graph->relationshipClasses[next];
  openColumns(started.properties, started.attributes, started.machines);
}

/// The class that a relationship from \p source belongs to.
bool GraphParser::findRelationshipClass(NodeId source, const Label &requirement,
                                        uint32_t &found) {
  uint32_t sourceClass = graph->classOfNode[source.index].index;
  auto sameName =
      requirements.find({sourceClass, requirement.name.str().data()});
  if (sameName == requirements.end() || requirement.ordinal == 0 ||
      requirement.ordinal > sameName->second.size())
    return unknown("requirement", requirement);
  found = sameName->second[requirement.ordinal - 1];
  return true;
}

bool GraphParser::readCapability(NodeId target, uint16_t &found) {
  Label label;
  if (!text.readLabel(label))
    return false;
  auto capability = capabilities.find(
      {graph->classOfNode[target.index].index, label.name.str().data()});
  if (capability == capabilities.end())
    return unknown("capability", label);
  found = capability->second;
  return true;
}

bool GraphParser::parseChange(EntityId entity,
                              std::vector<Presence> &presence) {
  Presence read = Presence::New;
  for (Presence each : {Presence::Kept, Presence::Updated, Presence::Replaced,
                        Presence::Leaving})
    if (text.consume(spelling(each)))
      read = each;
  graph->hasRecorded |= read != Presence::New;
  presence.push_back(read);
  return (!text.consume("because") ||
          text.readText(graph->reasons[entity.index])) &&
         (!text.consume("former") ||
          text.readLiteral(graph->former[entity.index]));
}

/// Whether a relationship may follow the last one.
bool GraphParser::isNext(uint32_t inClass, NodeId source,
                         uint32_t index) const {
  if (relationshipClass == ~0u || inClass != relationshipClass)
    return relationshipClass == ~0u || inClass > relationshipClass;
  return std::pair(graph->source.back().index,
                   graph->indexOfRelationship.back()) <
         std::pair(source.index, index);
}

bool GraphParser::parseRelationship() {
  SourceRange range = text.here();
  NodeId source{}, target{};
  Label requirement;
  uint32_t index, inClass;
  uint16_t capability;
  if (!readNode(source) || !text.expect(".") || !text.readLabel(requirement) ||
      !text.readIndex(index) ||
      !findRelationshipClass(source, requirement, inClass) ||
      !text.expect("->") || !readNode(target) || !text.expect(".") ||
      !readCapability(target, capability))
    return false;
  if (!isNext(inClass, source, index)) {
    std::string name = graph->nameOf(source) + "." +
                       requirement.name.str().str() + "[" +
                       std::to_string(index) + "]";
    diags.report(range, diag::IrOutOfOrder, name,
                 "relationships are sorted by class, source and index");
    return false;
  }
  if (inClass != relationshipClass)
    startClass(inClass);
  RelationshipClass &relationship = graph->relationshipClasses[inClass];
  const NodeClass &sourceClass = graph->nodeClasses[relationship.source.index];
  ++relationship.offsets[source.index - sourceClass.nodes.first + 1];
  graph->classOfRelationship.push_back({inClass});
  graph->indexOfRelationship.push_back(index);
  graph->source.push_back(source);
  graph->target.push_back(target);
  graph->capability.push_back(capability);
  RelationshipId id{graph->numRelationships() - 1};
  return parseChange(graph->entity(id), graph->presenceOfRelationship) &&
         parseAssignments(relationship.relationships.count++);
}
