//===- PrintGraph.cpp - Graphs as text ------------------------------------===//

#include "toscac/IR/PrintGraph.h"

#include "GraphPrinter.h"
#include "Lexer.h"
#include "WriteExpr.h"
#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::raw_ostream;
using llvm::StringRef;

void ir::printGraph(const Graph &graph, raw_ostream &os) {
  GraphPrinter(graph, os).print();
}

/// Numbers those of \p items that have the same key, from 1.
template <typename Range, typename Key>
static std::vector<uint32_t> countNames(const Range &items, Key key) {
  using KeyType = decltype(key(*items.begin()));
  llvm::DenseMap<KeyType, uint32_t> counts;
  std::vector<uint32_t> ordinals;
  for (const auto &item : items)
    ordinals.push_back(++counts[key(item)]);
  return ordinals;
}

GraphPrinter::GraphPrinter(const Graph &graph, raw_ostream &os)
    : graph(graph), os(os) {
  typeOrdinals = countNames(graph.types, [](const TypeInfo &type) {
    return std::pair(static_cast<unsigned>(type.kind), type.name.str());
  });
  artifactOrdinals = countNames(
      graph.artifacts, [](const Artifact &artifact) { return artifact.file; });
  machineOrdinals = countNames(graph.machines, [](const Machine &machine) {
    return machine.interface.str();
  });
  requirementOrdinals = countNames(
      graph.relationshipClasses, [](const RelationshipClass &requirement) {
        return std::pair(requirement.source.index,
                         requirement.requirement.str());
      });
  for (const Machine &machine : graph.machines) {
    std::vector<Expr> &initial = initialValues.emplace_back();
    for (const Cell &cell : machine.cells)
      initial.push_back(Expr::literal(cell.initial));
  }
}

raw_ostream &GraphPrinter::line(StringRef keyword) {
  return os.indent(2 * depth) << keyword;
}

void GraphPrinter::name(StringRef text) {
  if (isBareName(text))
    os << text;
  else
    writeString(os, text);
}

void GraphPrinter::label(Name text, uint32_t ordinal) {
  name(text);
  if (ordinal > 1)
    os << '#' << ordinal;
}

void GraphPrinter::names(llvm::ArrayRef<Name> items) {
  list(items, [&](Name item) { name(item); });
}

void GraphPrinter::typeKind(TypeKind kind, TypeKind usual) {
  if (kind != usual)
    os << " : " << nameOf(kind);
}

void GraphPrinter::optionalType(TypeId type) {
  if (!type)
    return;
  os << " : ";
  label(graph.types[type.index].name, typeOrdinals[type.index]);
}

void GraphPrinter::value(const Expr *expr) {
  if (!expr)
    return;
  os << " = ";
  writeExpr(os, *expr);
}

void GraphPrinter::nodeName(NodeId node) {
  const NodeClass &nodeClass = graph.classOf(node);
  if (auto outer = graph.scopes[nodeClass.scope.index].substitutes) {
    nodeName(*outer);
    os << '/';
  }
  name(nodeClass.name);
  os << '[' << graph.indexOfNode[node.index] << ']';
}

void GraphPrinter::print() {
  for (uint32_t i = 0; i < graph.types.size(); ++i)
    printType({i});
  for (uint32_t i = 0; i < graph.artifacts.size(); ++i)
    printArtifact({i});
  for (const InputValue &input : graph.inputs)
    printInput(input);
  for (const OutputValue &output : graph.outputs)
    printOutput(output);
  for (const SharedValue &shared : graph.shared)
    printShared(shared);
  for (uint32_t i = 0; i < graph.machines.size(); ++i)
    printMachine({i});
  for (const Scope &scope : graph.scopes)
    printService(scope);
  for (const RelationshipClass &requirement : graph.relationshipClasses) {
    collectVarying(requirement);
    for (RelationshipId id : requirement.relationships.ids())
      printRelationship(id);
  }
  for (const Group &group : graph.groups)
    printGroup(group);
}

void GraphPrinter::printType(TypeId id) {
  const TypeInfo &type = graph.types[id.index];
  line("type ") << nameOf(type.kind) << ' ';
  label(type.name, typeOrdinals[id.index]);
  optionalType(type.parent);
  for (const Mark &mark : type.marks) {
    os << " mark ";
    name(mark.key);
    os << " = ";
    writeString(os, mark.value);
  }
  os << '\n';
}

void GraphPrinter::printArtifact(ArtifactId id) {
  const Artifact &artifact = graph.artifacts[id.index];
  line("artifact ");
  name(artifact.type);
  os << ' ';
  writeString(os, artifact.file);
  if (artifactOrdinals[id.index] > 1)
    os << '#' << artifactOrdinals[id.index];
  os << '\n';
}

void GraphPrinter::printInput(const InputValue &input) {
  line("input ");
  name(input.name);
  os << (input.sensitive ? " sensitive" : "");
  value(input.value);
  os << '\n';
}

void GraphPrinter::printOutput(const OutputValue &output) {
  line("output ");
  name(output.name);
  typeKind(output.type, TypeKind::Any);
  os << (output.sensitive ? " sensitive" : "");
  value(output.value);
  os << '\n';
}

void GraphPrinter::printShared(const SharedValue &shared) {
  line("shared ");
  name(shared.name);
  os << " : ";
  name(shared.type);
  os << " by ";
  name(shared.provider);
  value(shared.value);
  os << '\n';
}

void GraphPrinter::printGroup(const Group &group) {
  line("group ");
  name(group.name);
  if (auto outer = graph.scopes[group.scope.index].substitutes) {
    os << " for ";
    nodeName(*outer);
  }
  optionalType(group.type);
  os << " members ";
  names(group.members);
  if (group.perContainer)
    os << " each " << *group.perContainer;
  block(!group.properties.empty() || !group.instances.empty(), [&] {
    printColumns("property ", group.properties, 1);
    for (const Group::Instance &instance : group.instances) {
      line("instance [") << instance.index << "] ";
      list(instance.nodes, [&](NodeId node) { nodeName(node); });
      os << '\n';
    }
  });
}

/// How a service and the node that it stands for belong together.
void GraphPrinter::printServiceMappings(const Scope &scope) {
  for (const InputValue &input : scope.inputs)
    printInput(input);
  for (const Scope::CapabilityMapping &mapping : scope.capabilities) {
    line("capability ");
    name(mapping.outer);
    os << " -> ";
    name(mapping.node);
    os << ' ';
    name(mapping.inner);
    os << '\n';
  }
  for (const Scope::OperationMapping &mapping : scope.operations) {
    line("operation ");
    name(mapping.interface);
    os << ' ';
    name(mapping.operation);
    os << " -> ";
    name(mapping.workflow);
    os << '\n';
  }
}

void GraphPrinter::printService(const Scope &scope) {
  line("service ");
  name(scope.service);
  if (scope.substitutes) {
    os << " for ";
    nodeName(*scope.substitutes);
  }
  bool isEmpty = scope.machines.empty() && scope.inputs.empty() &&
                 scope.capabilities.empty() && scope.operations.empty() &&
                 scope.workflows.empty() && scope.policies.empty() &&
                 scope.classes.count == 0;
  block(!isEmpty, [&] {
    for (const MachineSlot &slot : scope.machines)
      printSlot(slot, 1);
    printServiceMappings(scope);
    for (const Workflow &workflow : scope.workflows)
      printWorkflow(workflow);
    for (const PolicyTrigger &policy : scope.policies)
      printPolicy(policy);
    for (NodeClassId id : scope.classes.ids())
      printClass(graph.nodeClasses[id.index]);
  });
}

void GraphPrinter::printClass(const NodeClass &nodeClass) {
  uint32_t rows = nodeClass.nodes.count;
  line("class ");
  name(nodeClass.name);
  optionalType(nodeClass.type);
  uint32_t usualNext =
      rows ? graph.indexOfNode[nodeClass.nodes.first + rows - 1] + 1 : 0;
  if (nodeClass.nextIndex != usualNext)
    os << " next " << nodeClass.nextIndex;
  if (nodeClass.perContainer)
    os << " each " << *nodeClass.perContainer;
  if (!nodeClass.selected.empty()) {
    os << " select ";
    list(nodeClass.selected, [&](NodeId node) { nodeName(node); });
  }
  bool isEmpty = nodeClass.properties.empty() && nodeClass.attributes.empty() &&
                 nodeClass.capabilities.empty() && nodeClass.machines.empty() &&
                 nodeClass.relationships.count == 0;
  block(!isEmpty, [&] {
    printColumns("property ", nodeClass.properties, rows);
    printColumns("attribute ", nodeClass.attributes, rows);
    for (const CapabilityColumns &capability : nodeClass.capabilities)
      printCapability(capability, rows);
    for (const MachineSlot &slot : nodeClass.machines)
      printSlot(slot, rows);
    for (RelationshipClassId id : nodeClass.relationships.ids())
      printRequirement(id);
  });
  collectVarying(nodeClass);
  for (NodeId node : nodeClass.nodes.ids())
    printNode(nodeClass, node);
}

void GraphPrinter::printCapability(const CapabilityColumns &capability,
                                   uint32_t rows) {
  line("capability ");
  name(capability.name);
  optionalType(capability.type);
  bool isEmpty = capability.properties.empty() &&
                 capability.attributes.empty() && capability.remaining.empty();
  block(!isEmpty, [&] {
    printColumns("property ", capability.properties, rows);
    printColumns("attribute ", capability.attributes, rows);
    printColumns("remaining ", capability.remaining, rows);
  });
}

void GraphPrinter::printRequirement(RelationshipClassId id) {
  const RelationshipClass &requirement = graph.relationshipClasses[id.index];
  uint32_t rows = requirement.relationships.count;
  line("requirement ");
  label(requirement.requirement, requirementOrdinals[id.index]);
  optionalType(requirement.type);
  bool isEmpty = requirement.properties.empty() &&
                 requirement.attributes.empty() && requirement.machines.empty();
  block(!isEmpty, [&] {
    printColumns("property ", requirement.properties, rows);
    printColumns("attribute ", requirement.attributes, rows);
    for (const MachineSlot &slot : requirement.machines)
      printSlot(slot, rows);
  });
}

void GraphPrinter::printPresence(Presence presence) {
  if (presence != Presence::New)
    os << ' ' << spelling(presence);
}

void GraphPrinter::printNode(const NodeClass &nodeClass, NodeId node) {
  line("node ");
  name(nodeClass.name);
  os << '[' << graph.indexOfNode[node.index] << ']';
  printPresence(graph.presenceOf(node));
  printVarying(graph.row(node));
  os << '\n';
}

void GraphPrinter::printRelationship(RelationshipId id) {
  const RelationshipClass &requirement = graph.classOf(id);
  NodeId target = graph.target[id.index];
  line("relationship ");
  nodeName(graph.source[id.index]);
  os << '.';
  label(requirement.requirement,
        requirementOrdinals[graph.classOfRelationship[id.index].index]);
  os << '[' << graph.indexOfRelationship[id.index] << "] -> ";
  nodeName(target);
  os << '.';
  name(graph.classOf(target).capabilities[graph.capability[id.index]].name);
  printPresence(graph.presenceOf(id));
  printVarying(graph.row(id));
  os << '\n';
}
