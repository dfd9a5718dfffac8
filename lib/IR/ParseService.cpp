//===- ParseService.cpp - Services and classes in text --------------------===//

#include "GraphParser.h"

using namespace toscac;
using namespace toscac::ir;

bool GraphParser::parseService() {
  Subgraph subgraph;
  uint32_t number = graph->subgraphs.size();
  subgraph.classes.first = graph->nodeClasses.size();
  if (!text.readName(subgraph.service))
    return false;
  if (text.consume("for")) {
    PendingSubstitution &pending = substitutions.emplace_back();
    pending.subgraph = {number};
    if (!readNodePath(pending.path))
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

bool GraphParser::parseServicePart(Subgraph &subgraph) {
  if (text.consume("node"))
    return parseNode();
  if (text.consume("class"))
    return parseClass();
  if (text.consume("interface"))
    return parseSlot(subgraph.machines);
  if (text.consume("input"))
    return parseInput(subgraph.inputs);
  if (text.consume("capability"))
    return parseCapabilityMapping(subgraph);
  if (text.consume("operation"))
    return parseOperationMapping(subgraph);
  if (text.consume("workflow"))
    return parseWorkflow(subgraph);
  if (text.consume("policy"))
    return parsePolicy(subgraph);
  return text.fail("interface, input, capability, operation, workflow, policy, "
                   "class or node");
}

bool GraphParser::parseCapabilityMapping(Subgraph &subgraph) {
  Subgraph::CapabilityMapping &mapping = subgraph.capabilities.emplace_back();
  return text.readName(mapping.outer) && text.expect("->") &&
         text.readName(mapping.node) && text.readName(mapping.inner);
}

bool GraphParser::parseOperationMapping(Subgraph &subgraph) {
  Subgraph::OperationMapping &mapping = subgraph.operations.emplace_back();
  return text.readName(mapping.interface) && text.readName(mapping.operation) &&
         text.expect("->") && text.readName(mapping.workflow);
}

bool GraphParser::parseClass() {
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
  openColumns(added.properties, added.attributes, added.machines);
  for (CapabilityColumns &capability : added.capabilities) {
    openColumns(capability.properties, "property", &capability);
    openColumns(capability.attributes, "attribute", &capability);
    openColumns(capability.remaining, "remaining", &capability);
  }
  return good;
}

/// Nodes that stand for the class that is about to be added.
bool GraphParser::parseSelection() {
  PendingSelection &pending = selections.emplace_back();
  pending.nodeClass = graph->nodeClasses.size();
  return text.readList(
      [&] { return readNodePath(pending.nodes.emplace_back()); });
}

bool GraphParser::resolveSelections() {
  for (const PendingSelection &pending : selections)
    for (const NodePath &path : pending.nodes) {
      NodeId node{};
      if (!resolve(path, node))
        return false;
      graph->nodeClasses[pending.nodeClass].selected.push_back(node);
    }
  return true;
}

/// Gives the columns of the last class their rows.
void GraphParser::finishClass() {
  if (graph->nodeClasses.empty())
    return;
  NodeClass &last = graph->nodeClasses.back();
  closeColumns(last.nodes.count);
  if (last.nextIndex == ~0u)
    last.nextIndex = last.nodes.count ? graph->indexOfNode.back() + 1 : 0;
}

bool GraphParser::parseClassPart(NodeClass &nodeClass) {
  if (text.consume("property"))
    return parseColumn(nodeClass.properties);
  if (text.consume("attribute"))
    return parseColumn(nodeClass.attributes);
  if (text.consume("capability"))
    return parseCapability(nodeClass);
  if (text.consume("interface"))
    return parseSlot(nodeClass.machines);
  if (text.consume("requirement"))
    return parseRequirement(nodeClass);
  return text.fail("property, attribute, capability, interface or requirement");
}

bool GraphParser::parseColumn(std::vector<ValueColumn> &list) {
  ValueColumn column;
  if (!text.readName(column.name) || !text.readKind(column.type))
    return false;
  column.sensitive = text.consume("sensitive");
  const Expr *value = nullptr;
  if (text.consume("=") && !text.readExpr(value))
    return false;
  column.values.setAll(value);
  list.push_back(std::move(column));
  return true;
}

bool GraphParser::parseCapability(NodeClass &nodeClass) {
  CapabilityColumns capability;
  SourceRange range = text.here();
  size_t number = nodeClass.capabilities.size();
  if (!text.readName(capability.name) ||
      !readOptionalType(TypeInfo::Kind::Capability, capability.type))
    return false;
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("property"))
      return parseColumn(capability.properties);
    if (text.consume("attribute"))
      return parseColumn(capability.attributes);
    if (text.consume("remaining"))
      return parseColumn(capability.remaining);
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

bool GraphParser::parseSlot(std::vector<MachineSlot> &slots) {
  Label label;
  if (!text.readLabel(label))
    return false;
  auto found = machines.find(label);
  if (!found)
    return unknown("machine", label);
  MachineSlot slot{{*found}, {}};
  llvm::ArrayRef<const Expr *> initial = initialValues[*found];
  slot.cells.resize(initial.size());
  for (auto [column, value] : llvm::zip(slot.cells, initial))
    column.setAll(value);
  if (text.isAt("{")) {
    cells = {};
    for (auto [i, cell] : llvm::enumerate(graph->machines[*found].cells))
      cells.add(cell.name, i);
    auto readValue = [&] {
      uint32_t cell;
      const Expr *value;
      if (!text.expect("cell") || !readCell(cell) || !text.expect("=") ||
          !text.readSharedExpr(value))
        return false;
      slot.cells[cell].setAll(value);
      return true;
    };
    if (!text.readBlock(readValue))
      return false;
  }
  slots.push_back(std::move(slot));
  return true;
}

bool GraphParser::parseRequirement(NodeClass &) {
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
      return parseColumn(relationship.properties);
    if (text.consume("attribute"))
      return parseColumn(relationship.attributes);
    if (text.consume("interface"))
      return parseSlot(relationship.machines);
    return text.fail("property, attribute or interface");
  });
  graph->relationshipClasses.push_back(std::move(relationship));
  return good;
}

bool GraphParser::parseNode() {
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
  return parseChange({graph->numNodes() - 1}, graph->presenceOfNode) &&
         parseAssignments(nodeClass.nodes.count++);
}

bool GraphParser::resolveSubstitutions() {
  for (const PendingSubstitution &pending : substitutions) {
    NodeId node{};
    if (!resolve(pending.path, node))
      return false;
    if (!subgraphOfNode.try_emplace(node.index, pending.subgraph.index)
             .second) {
      diags.report(pending.path.back().range, diag::IrRepeatedName,
                   "service for node", graph->nameOf(node));
      return false;
    }
    graph->subgraphs[pending.subgraph.index].substitutes = node;
  }
  return true;
}
