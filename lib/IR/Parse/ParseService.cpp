//===- ParseService.cpp - Services and classes in text --------------------===//

#include "ServiceParser.h"

using namespace toscac;
using namespace toscac::ir;

bool ServiceParser::parseService() {
  Subgraph subgraph;
  uint32_t number = graph->subgraphs.size();
  subgraph.classes.first = graph->nodeClasses.size();
  if (!text.readName(subgraph.service))
    return false;
  if (text.consume("for")) {
    PendingSubstitution &pending = substitutions.emplace_back();
    pending.subgraph = {number};
    if (!nodes.readNodePath(pending.path))
      return false;
  }
  // Classes refer to their subgraph by its number alone.
  graph->subgraphs.emplace_back();
  bool good = !text.isAt("{") ||
              text.readBlock([&] { return parseServicePart(subgraph); });
  finishClass();
  subgraph.classes.count = graph->nodeClasses.size() - subgraph.classes.first;
  graph->subgraphs.back() = std::move(subgraph);
  return good;
}

bool ServiceParser::parseServicePart(Subgraph &subgraph) {
  if (text.consume("node"))
    return parseNode();
  if (text.consume("class"))
    return parseClass();
  if (text.consume("interface"))
    return machines.parseSlot(subgraph.machines);
  if (text.consume("input"))
    return parseInput(subgraph.inputs);
  if (text.consume("capability"))
    return parseCapabilityMapping(subgraph);
  if (text.consume("operation"))
    return parseOperationMapping(subgraph);
  if (text.consume("workflow"))
    return workflows.parseWorkflow(subgraph);
  if (text.consume("policy"))
    return workflows.parsePolicy(subgraph);
  return text.fail("interface, input, capability, operation, workflow, policy, "
                   "class or node");
}

bool ServiceParser::parseCapabilityMapping(Subgraph &subgraph) {
  Subgraph::CapabilityMapping &mapping = subgraph.capabilities.emplace_back();
  return text.readName(mapping.outer) && text.expect("->") &&
         text.readName(mapping.node) && text.readName(mapping.inner);
}

bool ServiceParser::parseOperationMapping(Subgraph &subgraph) {
  Subgraph::OperationMapping &mapping = subgraph.operations.emplace_back();
  return text.readName(mapping.interface) && text.readName(mapping.operation) &&
         text.expect("->") && text.readName(mapping.workflow);
}

bool ServiceParser::parseClass() {
  finishClass();
  NodeClass nodeClass;
  nodeClass.range = text.here();
  nodeClass.subgraph = {static_cast<uint32_t>(graph->subgraphs.size() - 1)};
  nodeClass.nodes.first = graph->numNodes();
  nodeClass.relationships.first = graph->relationshipClasses.size();
  // The index that comes next has a default only when all nodes are read.
  nodeClass.nextIndex = ~0u;
  if (!text.readName(nodeClass.name) ||
      !readOptionalType(TypeInfo::Kind::Node, nodeClass.type) ||
      (text.consume("next") && !text.readNumber(nodeClass.nextIndex)) ||
      (text.consume("each") &&
       !text.readNumber(nodeClass.perContainer.emplace())) ||
      (text.consume("moved") && !text.readName(nodeClass.movedFrom)) ||
      (text.consume("down") &&
       !text.readNumber(nodeClass.maxUnavailable.emplace())) ||
      (text.consume("select") && !parseSelection()))
    return false;
  bool good = !text.isAt("{") ||
              text.readBlock([&] { return parseClassPart(nodeClass); });
  nodeClass.relationships.count =
      graph->relationshipClasses.size() - nodeClass.relationships.first;
  graph->nodeClasses.push_back(std::move(nodeClass));
  NodeClass &added = graph->nodeClasses.back();
  instances.openColumns(added.properties, added.attributes, added.machines);
  for (CapabilityColumns &capability : added.capabilities) {
    instances.openColumns(capability.properties, "property", &capability);
    instances.openColumns(capability.attributes, "attribute", &capability);
    instances.openColumns(capability.remaining, "remaining", &capability);
  }
  return good;
}

bool ServiceParser::parseSelection() {
  PendingSelection &pending = selections.emplace_back();
  pending.nodeClass = graph->nodeClasses.size();
  return text.readList(
      [&] { return nodes.readNodePath(pending.nodes.emplace_back()); });
}

bool ServiceParser::resolveSelections() {
  for (const PendingSelection &pending : selections)
    for (const NodePath &path : pending.nodes) {
      NodeId node{};
      if (!nodes.resolve(path, node))
        return false;
      graph->nodeClasses[pending.nodeClass].selected.push_back(node);
    }
  return true;
}

void ServiceParser::finishClass() {
  if (graph->nodeClasses.empty())
    return;
  NodeClass &last = graph->nodeClasses.back();
  instances.closeColumns(last.nodes.count);
  if (last.nextIndex == ~0u)
    last.nextIndex = last.nodes.count ? graph->indexOfNode.back() + 1 : 0;
}

bool ServiceParser::parseClassPart(NodeClass &nodeClass) {
  if (text.consume("property"))
    return instances.parseColumn(nodeClass.properties);
  if (text.consume("attribute"))
    return instances.parseColumn(nodeClass.attributes);
  if (text.consume("capability"))
    return parseCapability(nodeClass);
  if (text.consume("interface"))
    return machines.parseSlot(nodeClass.machines);
  if (text.consume("requirement"))
    return parseRequirement();
  return text.fail("property, attribute, capability, interface or requirement");
}

bool ServiceParser::parseCapability(NodeClass &nodeClass) {
  CapabilityColumns capability;
  SourceRange range = text.here();
  size_t number = nodeClass.capabilities.size();
  if (!text.readName(capability.name) ||
      !readOptionalType(TypeInfo::Kind::Capability, capability.type))
    return false;
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("property"))
      return instances.parseColumn(capability.properties);
    if (text.consume("attribute"))
      return instances.parseColumn(capability.attributes);
    if (text.consume("remaining"))
      return instances.parseColumn(capability.remaining);
    return text.fail("property, attribute or remaining");
  });
  MemberKey key(graph->nodeClasses.size(), capability.name.str().data());
  bool isNew = capabilities.try_emplace(key, number).second;
  if (!isNew || number > std::numeric_limits<uint16_t>::max()) {
    diags.report(range, diag::IrRepeatedName, "capability",
                 capability.name.str());
    return false;
  }
  nodeClass.capabilities.push_back(std::move(capability));
  return good;
}

bool ServiceParser::parseRequirement() {
  Label label;
  RelationshipClass relationship;
  relationship.source = {static_cast<uint32_t>(graph->nodeClasses.size())};
  if (!text.readLabel(label))
    return false;
  relationship.requirement = label.name;
  relationship.range = label.range;
  auto &sameName =
      requirements[{relationship.source.index, label.name.str().data()}];
  if (label.ordinal != sameName.size() + 1) {
    diags.report(
        label.range, diag::IrWrongOrdinal, "requirement", label.name.str(),
        (label.name.str() + "#" + llvm::Twine(sameName.size() + 1)).str());
    return false;
  }
  sameName.push_back(graph->relationshipClasses.size());
  if (!readOptionalType(TypeInfo::Kind::Relationship, relationship.type))
    return false;
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("property"))
      return instances.parseColumn(relationship.properties);
    if (text.consume("attribute"))
      return instances.parseColumn(relationship.attributes);
    if (text.consume("interface"))
      return machines.parseSlot(relationship.machines);
    return text.fail("property, attribute or interface");
  });
  graph->relationshipClasses.push_back(std::move(relationship));
  return good;
}

bool ServiceParser::parseNode() {
  SourceRange range = text.here();
  Name name;
  uint32_t index;
  if (!text.readName(name) || !text.readIndex(index))
    return false;
  bool followsClass =
      !graph->nodeClasses.empty() && graph->nodeClasses.back().name == name &&
      graph->nodeClasses.back().subgraph.index == graph->subgraphs.size() - 1;
  if (!followsClass) {
    diags.report(range, diag::IrMisplacedNode, name.str());
    return false;
  }
  NodeClass &nodeClass = graph->nodeClasses.back();
  if (nodeClass.nodes.count && graph->indexOfNode.back() >= index) {
    diags.report(range, diag::IrOutOfOrder,
                 (name.str() + "[" + llvm::Twine(index) + "]").str(),
                 "indices of a class ascend");
    return false;
  }
  graph->classOfNode.push_back(
      {static_cast<uint32_t>(graph->nodeClasses.size() - 1)});
  graph->indexOfNode.push_back(index);
  return instances.parseChange({graph->numNodes() - 1},
                               graph->presenceOfNode) &&
         instances.parseAssignments(nodeClass.nodes.count++);
}

bool ServiceParser::resolveSubstitutions() {
  return llvm::all_of(substitutions, [&](const PendingSubstitution &pending) {
    return nodes.substitute(pending.path, pending.subgraph);
  });
}

bool ServiceParser::parseInput(std::vector<InputValue> &inputs) {
  InputValue input{};
  if (!text.readName(input.name))
    return false;
  input.sensitive = text.consume("sensitive");
  if (text.consume("=") && !text.readExpr(input.value))
    return false;
  inputs.push_back(input);
  return true;
}

bool ServiceParser::findRelationshipClass(NodeId source,
                                          const Label &requirement,
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

bool ServiceParser::readCapability(NodeId target, uint16_t &found) {
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
