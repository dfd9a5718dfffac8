//===- ParseRelationships.cpp - Relationships in text ---------------------===//

#include "GraphParser.h"

#include <numeric>

using namespace toscac;
using namespace toscac::ir;

void RelationshipParser::startClass(uint32_t next) {
  if (relationshipClass != ~0u) {
    RelationshipClass &last = graph->relationshipClasses[relationshipClass];
    instances.closeColumns(last.relationships.count);
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
  instances.openColumns(started.properties, started.attributes,
                        started.machines);
}

bool RelationshipParser::isNext(uint32_t inClass, NodeId source,
                                uint32_t index) const {
  if (relationshipClass == ~0u || inClass != relationshipClass)
    return relationshipClass == ~0u || inClass > relationshipClass;
  return std::pair(graph->source.back().index,
                   graph->indexOfRelationship.back()) <
         std::pair(source.index, index);
}

bool RelationshipParser::parseRelationship() {
  SourceRange range = text.here();
  NodeId source{}, target{};
  Label requirement;
  uint32_t index, inClass;
  uint16_t capability;
  if (!nodes.readNode(source) || !text.expect(".") ||
      !text.readLabel(requirement) || !text.readIndex(index) ||
      !services.findRelationshipClass(source, requirement, inClass) ||
      !text.expect("->") || !nodes.readNode(target) || !text.expect(".") ||
      !services.readCapability(target, capability))
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
  return instances.parseChange(graph->entity(id),
                               graph->presenceOfRelationship) &&
         instances.parseAssignments(relationship.relationships.count++);
}
