//===- PrintGraph.cpp - Graphs as text ------------------------------------===//

#include "toscac/IR/PrintGraph.h"

#include "GraphPrinter.h"
#include "WriteExpr.h"
#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::raw_ostream;
using llvm::StringRef;

void ir::printGraph(const Graph &graph, raw_ostream &os) {
  PrintedText printed(graph, os);
  GraphPrinter(printed).print();
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
    machines.printMachine({i});
  for (const Subgraph &subgraph : graph.subgraphs)
    printService(subgraph);
  for (const RelationshipClass &requirement : graph.relationshipClasses) {
    instances.collectVarying(requirement);
    for (RelationshipId id : requirement.relationships.ids())
      printRelationship(id);
  }
  for (const Group &group : graph.groups)
    printGroup(group);
  if (!graph.deployment.name.empty())
    printDeployment();
  if (graph.goal.workflow)
    printGoal();
}

void GraphPrinter::printType(TypeId id) {
  const TypeInfo &type = graph.types[id.index];
  line("type ") << nameOf(type.kind) << ' ';
  label(type.name, printed.typeOrdinals[id.index]);
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
  if (printed.artifactOrdinals[id.index] > 1)
    os << '#' << printed.artifactOrdinals[id.index];
  if (!artifact.sha256.empty()) {
    os << " sha256 ";
    writeString(os, artifact.sha256);
  }
  if (!artifact.placeBeside.empty()) {
    os << " as ";
    writeString(os, artifact.placeBeside);
  }
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
  os << (shared.isRecord ? " record" : "");
  value(shared.value);
  os << '\n';
}

void GraphPrinter::printGroup(const Group &group) {
  line("group ");
  name(group.name);
  if (auto outer = graph.subgraphs[group.subgraph.index].substitutes) {
    os << " for ";
    nodeName(*outer);
  }
  optionalType(group.type);
  os << " members ";
  names(group.members);
  uint32_t usualNext =
      group.instances.empty() ? 0 : group.instances.back().index + 1;
  if (group.nextIndex != usualNext)
    os << " next " << group.nextIndex;
  if (group.perContainer)
    os << " each " << *group.perContainer;
  block(!group.properties.empty() || !group.instances.empty(), [&] {
    instances.printColumns("property ", group.properties, 1);
    for (const Group::Instance &instance : group.instances) {
      line("instance [") << instance.index << "] ";
      list(instance.nodes, [&](NodeId node) { nodeName(node); });
      os << '\n';
    }
  });
}

void GraphPrinter::printDeployment() {
  const Deployment &deployment = graph.deployment;
  line("deployment ");
  name(deployment.name);
  os << " {\n  root ";
  writeString(os, deployment.root);
  for (const Deployment::File &file : deployment.files) {
    os << "\n  file ";
    writeString(os, file.name);
    os << ' ';
    writeString(os, file.digest);
  }
  if (!deployment.state.empty()) {
    os << "\n  state ";
    writeString(os, deployment.state);
  }
  if (deployment.tellsShared)
    os << "\n  shares";
  if (!deployment.operations.isNil()) {
    os << "\n  operations ";
    writeExpr(os, Expr::literal(deployment.operations));
  }
  for (const Deployment::Obsolete &obsolete : deployment.obsolete) {
    os << "\n  obsolete ";
    writeString(os, obsolete.name);
    os << ' ' << obsolete.nextIndex;
  }
  os << "\n}\n";
}

void GraphPrinter::printGoal() {
  const Goal &goal = graph.goal;
  line("goal ");
  name(goal.workflow);
  os << (goal.mayBeMissing ? " usual" : "");
  if (goal.reach != Goal::Reach::Defined)
    os << (goal.reach == Goal::Reach::Change   ? " change"
           : goal.reach == Goal::Reach::Update ? " update"
                                               : " check");
  block(!goal.parameters.empty(), [&] {
    for (const InputValue &parameter : goal.parameters)
      printInput(parameter);
  });
}

/// How a service and the node that it stands for belong together.
void GraphPrinter::printServiceMappings(const Subgraph &subgraph) {
  for (const InputValue &input : subgraph.inputs)
    printInput(input);
  for (const Subgraph::CapabilityMapping &mapping : subgraph.capabilities) {
    line("capability ");
    name(mapping.outer);
    os << " -> ";
    name(mapping.node);
    os << ' ';
    name(mapping.inner);
    os << '\n';
  }
  for (const Subgraph::OperationMapping &mapping : subgraph.operations) {
    line("operation ");
    name(mapping.interface);
    os << ' ';
    name(mapping.operation);
    os << " -> ";
    name(mapping.workflow);
    os << '\n';
  }
}

void GraphPrinter::printService(const Subgraph &subgraph) {
  line("service ");
  name(subgraph.service);
  if (subgraph.substitutes) {
    os << " for ";
    nodeName(*subgraph.substitutes);
  }
  bool isEmpty = subgraph.machines.empty() && subgraph.inputs.empty() &&
                 subgraph.capabilities.empty() && subgraph.operations.empty() &&
                 subgraph.workflows.empty() && subgraph.policies.empty() &&
                 subgraph.classes.count == 0;
  block(!isEmpty, [&] {
    for (const MachineSlot &slot : subgraph.machines)
      instances.printSlot(slot, 1);
    printServiceMappings(subgraph);
    for (const Workflow &workflow : subgraph.workflows)
      machines.printWorkflow(workflow);
    for (const PolicyTrigger &policy : subgraph.policies)
      machines.printPolicy(policy);
    for (NodeClassId id : subgraph.classes.ids())
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
  if (nodeClass.movedFrom) {
    os << " moved ";
    name(nodeClass.movedFrom);
  }
  if (nodeClass.maxUnavailable)
    os << " down " << *nodeClass.maxUnavailable;
  if (!nodeClass.selected.empty()) {
    os << " select ";
    list(nodeClass.selected, [&](NodeId node) { nodeName(node); });
  }
  bool isEmpty = nodeClass.properties.empty() && nodeClass.attributes.empty() &&
                 nodeClass.capabilities.empty() && nodeClass.machines.empty() &&
                 nodeClass.relationships.count == 0;
  block(!isEmpty, [&] {
    instances.printColumns("property ", nodeClass.properties, rows);
    instances.printColumns("attribute ", nodeClass.attributes, rows);
    for (const CapabilityColumns &capability : nodeClass.capabilities)
      printCapability(capability, rows);
    for (const MachineSlot &slot : nodeClass.machines)
      instances.printSlot(slot, rows);
    for (RelationshipClassId id : nodeClass.relationships.ids())
      printRequirement(id);
  });
  instances.collectVarying(nodeClass);
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
    instances.printColumns("property ", capability.properties, rows);
    instances.printColumns("attribute ", capability.attributes, rows);
    instances.printColumns("remaining ", capability.remaining, rows);
  });
}

void GraphPrinter::printRequirement(RelationshipClassId id) {
  const RelationshipClass &requirement = graph.relationshipClasses[id.index];
  uint32_t rows = requirement.relationships.count;
  line("requirement ");
  label(requirement.requirement, printed.requirementOrdinals[id.index]);
  optionalType(requirement.type);
  bool isEmpty = requirement.properties.empty() &&
                 requirement.attributes.empty() && requirement.machines.empty();
  block(!isEmpty, [&] {
    instances.printColumns("property ", requirement.properties, rows);
    instances.printColumns("attribute ", requirement.attributes, rows);
    for (const MachineSlot &slot : requirement.machines)
      instances.printSlot(slot, rows);
  });
}

/// What becomes of it, and why.
void GraphPrinter::printChange(EntityId entity) {
  Presence presence = graph.presenceOf(entity);
  if (presence != Presence::New)
    os << ' ' << spelling(presence);
  if (auto reason = graph.reasons.find(entity.index);
      reason != graph.reasons.end()) {
    os << " because ";
    writeString(os, reason->second);
  }
  if (auto former = graph.former.find(entity.index);
      former != graph.former.end()) {
    os << " former ";
    writeExpr(os, Expr::literal(former->second));
  }
}

void GraphPrinter::printNode(const NodeClass &nodeClass, NodeId node) {
  line("node ");
  name(nodeClass.name);
  os << '[' << graph.indexOfNode[node.index] << ']';
  printChange(graph.entity(node));
  instances.printVarying(graph.row(node));
  os << '\n';
}

void GraphPrinter::printRelationship(RelationshipId id) {
  const RelationshipClass &requirement = graph.classOf(id);
  NodeId target = graph.target[id.index];
  line("relationship ");
  nodeName(graph.source[id.index]);
  os << '.';
  label(requirement.requirement,
        printed.requirementOrdinals[graph.classOfRelationship[id.index].index]);
  os << '[' << graph.indexOfRelationship[id.index] << "] -> ";
  nodeName(target);
  os << '.';
  name(graph.classOf(target).capabilities[graph.capability[id.index]].name);
  printChange(graph.entity(id));
  instances.printVarying(graph.row(id));
  os << '\n';
}
