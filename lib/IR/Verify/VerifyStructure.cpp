//===- VerifyStructure.cpp - Ids of types, machines, workflows ------------===//

#include "Verifier.h"
#include "toscac/Basic/CsrGraph.h"
#include "toscac/IR/KindNames.h"
#include "toscac/IR/VerifyGraph.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

bool ir::verify(const Graph &graph, NameTable &names, DiagnosticEngine &diags) {
  size_t errorsBefore = diags.numErrors();
  StructureVerifier(graph, diags).verify();
  // The rest follows ids without looking.
  if (diags.numErrors() > errorsBefore)
    return false;
  verifyNames(graph, diags);
  verifyReferences(graph, names, diags);
  return diags.numErrors() == errorsBefore;
}

void StructureVerifier::verify() {
  verifyTypes();
  for (const Machine &machine : graph.machines)
    verifyMachine(machine);
  verifySubgraphs();
  verifyNodeClasses();
  verifyRelationshipClasses();
  for (const Group &group : graph.groups)
    verifyGroup(group);
  verifyLinks();
}

bool StructureVerifier::verifyId(StringRef owner, StringRef noun,
                                 uint32_t index, size_t count,
                                 SourceRange range) {
  if (index < count)
    return true;
  diags.report(range, diag::IrDangling, owner, noun, index, count);
  return false;
}

void StructureVerifier::verifyType(StringRef owner, TypeId type,
                                   TypeInfo::Kind kind, SourceRange range) {
  if (!type || !verifyId(owner, "type", type.index, graph.types.size(), range))
    return;
  const TypeInfo &found = graph.types[type.index];
  if (found.kind != kind)
    diags.report(range, diag::IrWrongTypeKind, owner, nameOf(found.kind),
                 found.name.str());
}

void StructureVerifier::verifyTypes() {
  size_t errorsBefore = diags.numErrors();
  for (const TypeInfo &type : graph.types)
    verifyType(("type '" + type.name.str() + "'").str(), type.parent, type.kind,
               {});
  if (diags.numErrors() > errorsBefore)
    return;
  std::vector<CsrGraph::Edge> parents;
  for (auto [i, type] : llvm::enumerate(graph.types))
    if (type.parent)
      parents.push_back({uint32_t(i), type.parent.index});
  for (const Cycle &cycle : findCycles({graph.types.size(), parents}))
    diags.report({}, diag::IrTypeCycle, graph.types[cycle[0]].name.str(),
                 describeCycle(cycle, [&](uint32_t type) {
                   return graph.types[type].name.str().str();
                 }));
}

void StructureVerifier::verifyCellIndex(const Machine &machine, uint32_t cell,
                                        SourceRange range) {
  verifyId(("machine '" + machine.interface.str() + "'").str(), "cell", cell,
           machine.cells.size(), range.isValid() ? range : machine.range);
}

void StructureVerifier::verifyReaction(const Machine &machine,
                                       const Reaction &reaction) {
  for (const Set &set : reaction.sets)
    verifyCellIndex(machine, set.cell, set.range);
}

void StructureVerifier::verifyHandlers(llvm::ArrayRef<Handler> handlers,
                                       StringRef owner, SourceRange range) {
  auto verifyArtifact = [&](ArtifactId id) {
    verifyId(owner, "artifact", id.index, graph.artifacts.size(), range);
  };
  for (const Handler &handler : handlers) {
    verifyArtifact(handler.artifact);
    llvm::for_each(handler.files, verifyArtifact);
  }
}

void StructureVerifier::verifyMachine(const Machine &machine) {
  for (const Operation &operation : machine.operations) {
    for (const Reaction *reaction :
         {&operation.entry, &operation.success, &operation.failure})
      verifyReaction(machine, *reaction);
    verifyHandlers(operation.handlers,
                   ("operation '" + operation.name.str() + "'").str(),
                   operation.range);
  }
  for (const Intent &intent : machine.intents) {
    verifyCellIndex(machine, intent.cell, {});
    verifyCellIndex(machine, intent.goal, {});
  }
  for (llvm::ArrayRef<FailureMark> marks : {machine.failures, machine.health})
    for (const FailureMark &mark : marks)
      verifyCellIndex(machine, mark.cell, {});
  const Roles &roles = machine.roles;
#define OPERATION_ROLE(field, mark)                                            \
  if (roles.field)                                                             \
    verifyId(("machine '" + machine.interface.str() + "'").str(), "operation", \
             *roles.field, machine.operations.size(), machine.range);
#define CELL_ROLE(field, mark)                                                 \
  if (roles.field)                                                             \
    verifyCellIndex(machine, *roles.field, {});
#include "toscac/IR/Roles.def"
}

void StructureVerifier::verifyWorkflow(const Workflow &workflow) {
  std::string owner = ("workflow '" + workflow.name.str() + "'").str();
  verifyHandlers(workflow.handlers, owner, workflow.range);
  for (const WorkflowStep &step : workflow.steps)
    for (llvm::ArrayRef<uint32_t> next : {step.onSuccess, step.onFailure})
      for (uint32_t i : next)
        verifyId(owner, "step", i, workflow.steps.size(), step.range);
}

void StructureVerifier::verifySelected(const Subgraph &subgraph,
                                       size_t numNodes) {
  for (NodeClassId id : subgraph.classes.ids()) {
    if (id.index >= graph.nodeClasses.size())
      return;
    const NodeClass &own = graph.nodeClasses[id.index];
    std::string owner = ("class '" + own.name.str() + "'").str();
    for (NodeId node : own.selected)
      verifyId(owner, "node", node.index, numNodes, own.range);
    if (!own.selected.empty() && own.nodes.count)
      diags.report(own.range, diag::IrWrongRows, owner, own.nodes.count, 0);
  }
}

void StructureVerifier::verifySubgraphs() {
  size_t nextClass = 0;
  llvm::DenseMap<uint32_t, uint32_t> subgraphOfNode;
  for (const Subgraph &subgraph : graph.subgraphs) {
    std::string owner = ("service '" + subgraph.service.str() + "'").str();
    verifyRange(owner, "classes", subgraph.classes, nextClass,
                graph.nodeClasses.size(), {});
    verifySlots(subgraph.machines, owner, 1, {});
    for (const Workflow &workflow : subgraph.workflows)
      verifyWorkflow(workflow);
    // Nodes that are referred to are of a service before this one, which ends
    // the recursion of names and of selections.
    size_t before = nextClass - subgraph.classes.count;
    size_t numNodes = before < graph.nodeClasses.size()
                          ? graph.nodeClasses[before].nodes.first
                          : graph.numNodes();
    verifySelected(subgraph, numNodes);
    if (!subgraph.substitutes)
      continue;
    uint32_t node = subgraph.substitutes->index;
    if (!verifyId(owner, "node", node, numNodes, {}))
      continue;
    if (!subgraphOfNode.try_emplace(node, 0).second)
      diags.report({}, diag::IrRepeatedName, "service for node",
                   std::to_string(node));
  }
  if (nextClass != graph.nodeClasses.size())
    diags.report({}, diag::IrWrongRows, "the table of classes",
                 graph.nodeClasses.size(), nextClass);
}

void StructureVerifier::verifyGroup(const Group &group) {
  std::string owner = ("group '" + group.name.str() + "'").str();
  verifyType(owner, group.type, TypeInfo::Kind::Group, group.range);
  verifyId(owner, "service", group.subgraph.index, graph.subgraphs.size(),
           group.range);
  verifyColumns(group.properties, owner, 1, group.range);
  for (const Group::Instance &instance : group.instances)
    for (NodeId node : instance.nodes)
      verifyId(owner, "node", node.index, graph.numNodes(), group.range);
}

template <typename Id>
bool StructureVerifier::verifyRange(StringRef owner, StringRef noun,
                                    const IdRange<Id> &ids, size_t &next,
                                    size_t count, SourceRange range) {
  size_t expected = next;
  next += ids.count;
  if (ids.first != expected && ids.count > 0) {
    diags.report(range, diag::IrWrongRange, noun, owner, ids.first, expected);
    return false;
  }
  return ids.count == 0 ||
         verifyId(owner, noun, ids.first + ids.count - 1, count, range);
}

template bool StructureVerifier::verifyRange(StringRef, StringRef,
                                             const IdRange<NodeId> &, size_t &,
                                             size_t, SourceRange);
template bool StructureVerifier::verifyRange(StringRef, StringRef,
                                             const IdRange<RelationshipId> &,
                                             size_t &, size_t, SourceRange);
template bool
StructureVerifier::verifyRange(StringRef, StringRef,
                               const IdRange<RelationshipClassId> &, size_t &,
                               size_t, SourceRange);
