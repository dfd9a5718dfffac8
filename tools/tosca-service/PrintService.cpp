//===- PrintService.cpp - The checked service as text ---------------------===//

#include "PrintService.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

namespace {

class Printer {
public:
  Printer(const CheckedProgram &program, llvm::raw_ostream &os)
      : program(program), os(os) {}

  void print(const Service &service);

private:
  void print(const NodeTemplate &node);
  void print(const Capability &capability);
  void print(const Requirement &requirement);
  void print(const Relationship &relationship);
  void print(const Substitution &substitution);
  void print(const ir::Workflow &workflow);
  void print(const ir::Activity &activity);
  void printAll(StringRef noun, llvm::ArrayRef<Assignment> assignments);
  void print(const MappedRequirement &mapping);
  void printAll(StringRef noun, llvm::ArrayRef<MappedValue> mappings);
  void printAll(llvm::ArrayRef<ir::MachineId> machines);
  void printAll(llvm::ArrayRef<ir::Argument> arguments);
  void printTypes(StringRef noun, llvm::ArrayRef<ir::TypeId> types);

  llvm::raw_ostream &line() { return os.indent(2 * indent); }
  StringRef nameOf(ir::TypeId type) const {
    return type ? program.types[type.index].name.str() : "?";
  }
  /// ` word value`, unless there is none.
  void part(StringRef word, const Expr *value) {
    if (value)
      os << " " << word << " " << *value;
  }
  void part(StringRef word, StringRef text) {
    if (!text.empty())
      os << " " << word << " " << text;
  }
  void flag(StringRef word, bool isSet) {
    if (isSet)
      os << " " << word;
  }

  const CheckedProgram &program;
  llvm::raw_ostream &os;
  unsigned indent = 0;
  const Service *service = nullptr;
};

} // namespace

void Printer::printAll(StringRef noun, llvm::ArrayRef<Assignment> assignments) {
  for (const Assignment &assignment : assignments) {
    line() << noun << " " << assignment.name.str() << " : "
           << typeName(*assignment.type);
    flag("optional", !assignment.required);
    flag("sensitive", assignment.sensitive);
    part("=", assignment.value);
    os << "\n";
  }
}

void Printer::printTypes(StringRef noun, llvm::ArrayRef<ir::TypeId> types) {
  if (types.empty())
    return;
  line() << noun;
  for (ir::TypeId type : types)
    os << " " << nameOf(type);
  os << "\n";
}

void Printer::printAll(llvm::ArrayRef<ir::MachineId> machines) {
  for (ir::MachineId id : machines)
    line() << "machine " << id.index << " "
           << program.machines[id.index].interface.str() << "\n";
}

void Printer::printAll(llvm::ArrayRef<ir::Argument> arguments) {
  for (const ir::Argument &argument : arguments) {
    line() << "input " << argument.name.str();
    flag("optional", !argument.required);
    part("=", argument.value);
    os << "\n";
  }
}

void Printer::print(const Capability &capability) {
  line() << "capability " << capability.name.str() << " : "
         << nameOf(capability.type);
  flag("internal", capability.internalOnly);
  flag("external", capability.externalOnly);
  os << "\n";
  ++indent;
  printAll("property", capability.properties);
  printAll("attribute", capability.attributes);
  printTypes("sources", capability.validSources);
  printTypes("relationships", capability.validRelationships);
  --indent;
}

void Printer::print(const Relationship &relationship) {
  line() << "relationship : " << nameOf(relationship.type) << "\n";
  ++indent;
  printAll("property", relationship.properties);
  printAll("attribute", relationship.attributes);
  for (llvm::ArrayRef<ir::TypeId> types : relationship.validTargets)
    printTypes("targets", types);
  for (llvm::ArrayRef<ir::TypeId> types : relationship.validSources)
    printTypes("sources", types);
  for (llvm::ArrayRef<ir::TypeId> types : relationship.validCapabilities)
    printTypes("capabilities", types);
  printAll(relationship.machines);
  --indent;
}

void Printer::print(const Requirement &requirement) {
  line() << "requirement " << requirement.name.str() << " ["
         << requirement.minCount << ", ";
  if (requirement.maxCount == ~0u)
    os << "UNBOUNDED]";
  else
    os << requirement.maxCount << "]";
  flag("implicit", requirement.implicit);
  flag("optional", requirement.optional);
  part("count", requirement.count);
  if (requirement.node)
    part("node", service->nodes[*requirement.node].name.str());
  part("index", requirement.nodeIndex);
  if (requirement.nodeType)
    part("type", nameOf(requirement.nodeType));
  part("capability", requirement.capability.str());
  if (requirement.capabilityType)
    part("capability-type", nameOf(requirement.capabilityType));
  flag("internal", requirement.mayBeInternal);
  flag("external", requirement.mayBeExternal);
  flag("prefers-external", requirement.prefersExternal);
  os << "\n";
  ++indent;
  for (const Expr *filter : requirement.filters)
    line() << "filter " << *filter << "\n";
  for (const Allocation &allocation : requirement.allocations)
    line() << "allocate " << allocation.property.str() << " "
           << *allocation.amount << "\n";
  print(requirement.relationship);
  --indent;
}

void Printer::print(const NodeTemplate &node) {
  line() << "node " << node.name.str() << " : " << nameOf(node.type);
  static constexpr StringRef words[] = {"create", "select", "substitute"};
  for (Directive directive : node.directives)
    flag(words[static_cast<size_t>(directive)], true);
  part("count", node.count);
  part("filter", node.filter);
  os << "\n";
  ++indent;
  printAll("property", node.properties);
  printAll("attribute", node.attributes);
  for (const Capability &capability : node.capabilities)
    print(capability);
  for (const Requirement &requirement : node.requirements)
    print(requirement);
  printAll(node.machines);
  for (const auto &[name, id] : node.artifacts) {
    const ir::Artifact &artifact = program.artifacts[id.index];
    line() << "artifact " << name.str() << " : " << artifact.type.str() << " "
           << artifact.file << "\n";
  }
  --indent;
}

void Printer::printAll(StringRef noun, llvm::ArrayRef<MappedValue> mappings) {
  for (const MappedValue &mapping : mappings)
    line() << noun << " " << *mapping.outer << " " << mapping.inner.str()
           << "\n";
}

void Printer::print(const MappedRequirement &mapping) {
  line() << "requirement " << mapping.outer.str();
  if (mapping.count)
    os << " count " << *mapping.count;
  for (const MappedRequirement::Target &target : mapping.targets) {
    part("->", service->nodes[target.node].name.str());
    if (target.requirement)
      os << "." << target.requirement.str();
  }
  os << "\n";
}

void Printer::print(const Substitution &substitution) {
  line() << "substitutes " << nameOf(substitution.nodeType);
  part("filter", substitution.filter);
  os << "\n";
  ++indent;
  printAll("property", substitution.properties);
  printAll("attribute", substitution.attributes);
  for (const MappedCapability &mapping : substitution.capabilities)
    line() << "capability " << mapping.outer.str() << " -> "
           << service->nodes[mapping.node].name.str() << "."
           << mapping.inner.str() << "\n";
  for (const MappedRequirement &mapping : substitution.requirements)
    print(mapping);
  for (const MappedOperation &mapping : substitution.operations)
    line() << "operation " << mapping.interface.str() << "."
           << mapping.operation.str() << " -> " << mapping.workflow.str()
           << "\n";
  --indent;
}

void Printer::print(const ir::Activity &activity) {
  static constexpr StringRef words[] = {"call", "set", "delegate", "inline"};
  line() << words[static_cast<size_t>(activity.kind)];
  part("interface", activity.interface.str());
  part("operation", activity.operation.str());
  part("workflow", activity.workflow.str());
  if (!activity.value.isNil())
    os << " = " << activity.value;
  os << "\n";
  ++indent;
  printAll(activity.inputs);
  --indent;
}

void Printer::print(const ir::Workflow &workflow) {
  line() << "workflow " << workflow.name.str();
  part("precondition", workflow.precondition);
  os << "\n";
  ++indent;
  printAll(workflow.inputs);
  for (const ir::WorkflowStep &step : workflow.steps) {
    line() << "step " << step.name.str();
    part("target", step.target.str());
    part("relationship", step.targetRelationship.str());
    part("filter", step.filter);
    for (uint32_t next : step.onSuccess)
      part("success", workflow.steps[next].name.str());
    for (uint32_t next : step.onFailure)
      part("failure", workflow.steps[next].name.str());
    os << "\n";
    ++indent;
    for (const ir::Activity &activity : step.activities)
      print(activity);
    --indent;
  }
  --indent;
}

void Printer::print(const Service &printed) {
  service = &printed;
  line() << "service " << service->name.str() << "\n";
  ++indent;
  for (const ir::Mark &mark : service->metadata)
    line() << "mark " << mark.key.str() << " " << mark.value << "\n";
  for (const InputDefinition &input : service->inputs) {
    line() << "input " << input.name.str() << " : " << typeName(*input.type);
    flag("optional", !input.required);
    flag("sensitive", input.sensitive);
    flag("fixed", input.isFixed);
    part("=", input.defaultValue);
    part("#", input.description);
    os << "\n";
  }
  for (const OutputDefinition &output : service->outputs) {
    line() << "output " << output.name.str() << " : " << typeName(*output.type);
    flag("sensitive", output.sensitive);
    part("=", output.value);
    os << "\n";
  }
  for (const NodeTemplate &node : service->nodes)
    print(node);
  for (const Group &group : service->groups) {
    line() << "group " << group.name.str() << " : " << nameOf(group.type);
    for (uint32_t node : group.nodes)
      part("node", service->nodes[node].name.str());
    for (Name inner : group.groups)
      part("group", inner.str());
    os << "\n";
    ++indent;
    printAll("property", group.properties);
    --indent;
  }
  printAll(service->machines);
  for (const ir::Workflow &workflow : service->workflows)
    print(workflow);
  for (const ir::PolicyTrigger &policy : service->policies) {
    line() << "policy " << policy.name.str() << " event " << policy.event.str();
    for (Name target : policy.targets)
      part("target", target.str());
    part("condition", policy.condition);
    os << "\n";
    ++indent;
    for (const ir::Activity &action : policy.actions)
      print(action);
    --indent;
  }
  if (service->substitution)
    print(*service->substitution);
  --indent;
}

void printServices(const CheckedProgram &program, llvm::raw_ostream &os) {
  Printer printer(program, os);
  for (const Service &service : program.services)
    printer.print(service);
  for (const ir::Artifact &artifact : program.artifacts)
    os << "file " << artifact.file << " : " << artifact.type.str() << "\n";
}
