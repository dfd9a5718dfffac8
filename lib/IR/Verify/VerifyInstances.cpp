//===- VerifyInstances.cpp - Ranges, rows and offsets ---------------------===//

#include "Verifier.h"
#include "toscac/IR/ClassGraph.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

void StructureVerifier::verifyColumn(const Column &column, Name name,
                                     StringRef owner, uint32_t rows,
                                     SourceRange range) {
  if (!column.isShared() && column.numRows() != rows)
    diags.report(range, diag::IrWrongRows,
                 ("'" + name.str() + "' of " + owner).str(), column.numRows(),
                 rows);
}

void StructureVerifier::verifyColumns(llvm::ArrayRef<ValueColumn> columns,
                                      StringRef owner, uint32_t rows,
                                      SourceRange range) {
  for (const ValueColumn &column : columns)
    verifyColumn(column.values, column.name, owner, rows, range);
}

void StructureVerifier::verifySlots(llvm::ArrayRef<MachineSlot> slots,
                                    StringRef owner, uint32_t rows,
                                    SourceRange range) {
  for (const MachineSlot &slot : slots) {
    if (!verifyId(owner, "machine", slot.machine.index, graph.machines.size(),
                  range))
      continue;
    const Machine &machine = graph.machines[slot.machine.index];
    if (slot.cells.size() != machine.cells.size()) {
      diags.report(range, diag::IrWrongCells, machine.interface.str(), owner,
                   slot.cells.size(), machine.cells.size());
      continue;
    }
    for (auto [cell, column] : llvm::zip(machine.cells, slot.cells))
      verifyColumn(column, cell.name, owner, rows, range);
  }
}

void StructureVerifier::verifyNodeClasses() {
  size_t nextNode = 0, nextRelationship = 0;
  for (uint32_t i = 0; i < graph.nodeClasses.size(); ++i) {
    const NodeClass &nodeClass = graph.nodeClasses[i];
    std::string owner = describe(graph, nodeClass);
    SourceRange range = nodeClass.range;
    verifyId(owner, "service", nodeClass.subgraph.index, graph.subgraphs.size(),
             range);
    verifyType(owner, nodeClass.type, TypeInfo::Kind::Node, range);
    verifyRange(owner, "requirements", nodeClass.relationships,
                nextRelationship, graph.relationshipClasses.size(), range);
    uint32_t rows = nodeClass.nodes.count;
    verifyColumns(nodeClass.properties, owner, rows, range);
    verifyColumns(nodeClass.attributes, owner, rows, range);
    verifySlots(nodeClass.machines, owner, rows, range);
    for (const CapabilityColumns &capability : nodeClass.capabilities) {
      verifyType(owner, capability.type, TypeInfo::Kind::Capability, range);
      verifyColumns(capability.properties, owner, rows, range);
      verifyColumns(capability.attributes, owner, rows, range);
      verifyColumns(capability.remaining, owner, rows, range);
    }
    if (verifyRange(owner, "nodes", nodeClass.nodes, nextNode, graph.numNodes(),
                    range))
      verifyNodes({i});
  }
  if (nextNode != graph.numNodes() ||
      graph.indexOfNode.size() != graph.numNodes())
    diags.report({}, diag::IrWrongRows, "the table of nodes",
                 graph.indexOfNode.size(), nextNode);
}

void StructureVerifier::verifyNodes(NodeClassId id) {
  const NodeClass &nodeClass = graph.nodeClasses[id.index];
  std::optional<uint32_t> last;
  for (NodeId node : nodeClass.nodes.ids()) {
    if (node.index >= graph.indexOfNode.size())
      return;
    auto name = [&] { return "node " + std::to_string(node.index); };
    if (graph.classOfNode[node.index] != id)
      diags.report(nodeClass.range, diag::IrWrongClass, name(),
                   describe(graph, nodeClass));
    uint32_t index = graph.indexOfNode[node.index];
    if (last && *last >= index)
      diags.report(nodeClass.range, diag::IrIndexOrder, name());
    last = index;
  }
  if (last && *last >= nodeClass.nextIndex)
    diags.report(nodeClass.range, diag::IrIndexAgain, nodeClass.name.str(),
                 nodeClass.nextIndex);
}

void StructureVerifier::verifyRelationshipClasses() {
  size_t next = 0;
  for (uint32_t i = 0; i < graph.relationshipClasses.size(); ++i) {
    const RelationshipClass &requirement = graph.relationshipClasses[i];
    std::string owner = describe(graph, requirement);
    SourceRange range = requirement.range;
    verifyType(owner, requirement.type, TypeInfo::Kind::Relationship, range);
    uint32_t rows = requirement.relationships.count;
    verifyColumns(requirement.properties, owner, rows, range);
    verifyColumns(requirement.attributes, owner, rows, range);
    verifySlots(requirement.machines, owner, rows, range);
    bool isSound =
        verifyId(owner, "class", requirement.source.index,
                 graph.nodeClasses.size(), range) &&
        verifyRange(owner, "relationships", requirement.relationships, next,
                    graph.numRelationships(), range);
    if (isSound)
      verifyRelationships({i});
  }
  if (next != graph.numRelationships())
    diags.report({}, diag::IrWrongRows, "the table of relationships",
                 graph.numRelationships(), next);
}

void StructureVerifier::verifyOffsets(const RelationshipClass &requirement) {
  const NodeClass &source = graph.nodeClasses[requirement.source.index];
  const std::vector<uint32_t> &offsets = requirement.offsets;
  bool fits = offsets.size() == size_t(source.nodes.count) + 1 &&
              offsets.front() == 0 &&
              offsets.back() == requirement.relationships.count &&
              llvm::is_sorted(offsets);
  for (uint32_t row = 0; fits && row < source.nodes.count; ++row)
    for (uint32_t i = offsets[row]; i < offsets[row + 1]; ++i)
      fits &= graph.source[requirement.relationships.first + i] ==
              source.nodes[row];
  if (!fits)
    diags.report(requirement.range, diag::IrWrongOffsets,
                 describe(graph, requirement));
}

void StructureVerifier::verifyRelationships(RelationshipClassId id) {
  const RelationshipClass &requirement = graph.relationshipClasses[id.index];
  for (size_t rows :
       {graph.classOfRelationship.size(), graph.indexOfRelationship.size(),
        graph.target.size(), graph.capability.size()})
    if (rows != graph.numRelationships()) {
      diags.report(requirement.range, diag::IrWrongRows,
                   "the table of relationships", rows,
                   graph.numRelationships());
      return;
    }
  for (RelationshipId relationship : requirement.relationships.ids())
    verifyRelationship(relationship, id);
  verifyOffsets(requirement);
}

void StructureVerifier::verifyRelationship(RelationshipId id,
                                           RelationshipClassId inClass) {
  const RelationshipClass &requirement =
      graph.relationshipClasses[inClass.index];
  auto name = [&] { return "relationship " + std::to_string(id.index); };
  SourceRange range = requirement.range;
  if (graph.classOfRelationship[id.index] != inClass)
    diags.report(range, diag::IrWrongClass, name(),
                 describe(graph, requirement));
  bool isFirst = id.index == requirement.relationships.first ||
                 graph.source[id.index] != graph.source[id.index - 1];
  if (!isFirst && graph.indexOfRelationship[id.index - 1] >=
                      graph.indexOfRelationship[id.index])
    diags.report(range, diag::IrIndexOrder, name());
  NodeId target = graph.target[id.index];
  if (target.index >= graph.numNodes()) {
    verifyId(name(), "node", target.index, graph.numNodes(), range);
    return;
  }
  // A wrong class has been reported with its node.
  if (graph.classOfNode[target.index].index >= graph.nodeClasses.size())
    return;
  size_t numCapabilities = graph.classOf(target).capabilities.size();
  if (graph.capability[id.index] >= numCapabilities)
    verifyId(name(), "capability", graph.capability[id.index], numCapabilities,
             range);
}

void StructureVerifier::verifyLinks() {
  if (graph.incomingOffsets.size() != size_t(graph.numNodes()) + 1 ||
      graph.incoming.size() != graph.numRelationships()) {
    diags.report({}, diag::IrStaleLinks, "the graph");
    return;
  }
  for (uint32_t i = 0; i < graph.numNodes(); ++i) {
    uint32_t begin = graph.incomingOffsets[i];
    uint32_t end = graph.incomingOffsets[i + 1];
    bool isFresh = begin <= end && end <= graph.incoming.size();
    for (uint32_t at = begin; isFresh && at < end; ++at) {
      uint32_t id = graph.incoming[at].index;
      isFresh = id < graph.numRelationships() && graph.target[id].index == i;
      auto order = [&](uint32_t id) {
        return std::pair(graph.capability[id], id);
      };
      if (isFresh && at > begin)
        isFresh = order(graph.incoming[at - 1].index) < order(id);
    }
    if (!isFresh) {
      diags.report({}, diag::IrStaleLinks, "node " + std::to_string(i));
      return;
    }
  }
}
