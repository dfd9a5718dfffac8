//===- Lower.cpp - From checked templates to the checked service ----------===//

#include "Lower.h"

#include "LowerMachines.h"
#include "TOSCA/Machines/PolicyEvents.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Sema/TemplateMarks.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

/// Metadata of the service template, and of its file.
static std::vector<ir::Mark> metadataOf(Lowering &lowering,
                                        const ServiceScope &service) {
  std::vector<ir::Mark> marks = lowerMetadata(lowering, service.entity);
  llvm::append_range(marks, lowerMetadata(lowering, service.scope.file->root));
  return marks;
}

static Name nameOf(Lowering &lowering, const ServiceScope &service,
                   llvm::ArrayRef<ir::Mark> metadata) {
  for (const ir::Mark &mark : metadata)
    if (mark.key.str() == "template_name")
      return lowering.intern(mark.value);
  return lowering.intern(llvm::sys::path::stem(service.scope.file->path));
}

static InputDefinition lowerInput(Lowering &lowering,
                                  const ServiceScope &service,
                                  const Flat &definition) {
  InputDefinition result;
  result.name = definition.name;
  result.type = &typeOf(lowering.program, definition);
  result.required = isRequired(definition);
  result.sensitive = isSensitive(definition);
  result.range = definition.range();
  if (Flat::Found description = definition.find(Key::Description))
    result.description = description.field->value->text();
  Flat::Found value = definition.find(Key::Value);
  result.isFixed = static_cast<bool>(value);
  if (!value)
    value = definition.find(Key::Default);
  if (value)
    result.defaultValue = lowerValue(lowering, siteOf(service, Origin::Service),
                                     *value.field->value, *result.type);
  return result;
}

static OutputDefinition lowerOutput(Lowering &lowering,
                                    const ServiceScope &service,
                                    const Flat &definition) {
  OutputDefinition result;
  result.name = definition.name;
  result.type = &typeOf(lowering.program, definition);
  result.sensitive = isSensitive(definition);
  result.shared = isMarked(definition, "shared");
  result.range = definition.range();
  Flat::Found value = definition.find(Key::Value);
  if (!value)
    value = definition.find(Key::Default);
  if (value)
    result.value = lowerValue(lowering, siteOf(service, Origin::Service),
                              *value.field->value, *result.type);
  return result;
}

static Service lowerService(Lowering &lowering, const ServiceScope &service) {
  Service result;
  result.metadata = metadataOf(lowering, service);
  result.name = nameOf(lowering, service, result.metadata);
  result.range = service.entity.range();
  for (const auto &[name, input] : service.inputs)
    result.inputs.push_back(lowerInput(lowering, service, *input));
  for (const auto &[name, output] : service.outputs)
    result.outputs.push_back(lowerOutput(lowering, service, *output));
  result.nodes.reserve(service.nodes.size());
  for (const auto &[name, node] : service.nodes)
    result.nodes.push_back(lowerNodeTemplate(lowering, service, node));
  for (const auto &[name, group] : service.groups)
    result.groups.push_back(lowerGroup(lowering, service, group));
  result.machines = lowerEvents(lowering, service);
  result.workflows = lowerWorkflows(lowering, service);
  for (const auto &[name, policy] : service.policies)
    llvm::append_range(result.policies, lowerPolicy(lowering, service, policy));
  llvm::append_range(result.machines,
                     lowerPolicyMachine(lowering, service, result.policies));
  result.substitution = lowerSubstitution(lowering, service);
  if (result.substitution)
    addMappedRequirements(lowering, service, result);
  return result;
}

/// Nodes that are selected may be of types that no template names.
static void lowerTypesToSelect(Lowering &lowering) {
  bool selects = llvm::any_of(lowering.result.services, [](const Service &s) {
    return llvm::any_of(s.nodes, [](const NodeTemplate &node) {
      return llvm::is_contained(node.directives, Directive::Select);
    });
  });
  for (const TypeDecl &type : lowering.program.types)
    if (selects && type.kind == EntityKind::NodeType && type.entity)
      lowerType(lowering, &type);
}

/// The same of nodes that requirements lead to in other deployments; there, a
/// node has no template.
static void lowerTypesOutside(Lowering &lowering, const ServiceScope &service) {
  bool leads = llvm::any_of(lowering.result.services, [](const Service &s) {
    return llvm::any_of(s.nodes, [](const NodeTemplate &node) {
      return llvm::any_of(node.requirements, [](const Requirement &each) {
        return each.mayBeExternal;
      });
    });
  });
  for (TypeDecl &type : lowering.program.types)
    if (leads && type.kind == EntityKind::NodeType && type.entity && type.flat)
      lowering.result.nodeTypes.push_back(
          lowerNodeType(lowering, service, type));
}

void sema::lowerTypesOfOthers(Lowering &lowering,
                              const std::deque<ServiceScope> &services) {
  lowerTypesToSelect(lowering);
  if (!services.empty() && lowering.result.nodeTypes.empty())
    lowerTypesOutside(lowering, services.front());
}

void sema::lower(Lowering &lowering, const std::deque<ServiceScope> &services) {
  CheckedProgram &result = lowering.result;
  for (const ServiceScope &service : services)
    result.services.push_back(lowerService(lowering, service));
  checkUncalled(lowering);
  lowerTypesOfOthers(lowering, services);
  const tosca::Package &package = lowering.program.package;
  checkUnmoved(result, lowering.program.diags);
  checkTemplateMarks(result, lowering.program.diags);
  result.roles = workflowRoles(
      lowering.program, lowering.program.scopes[package.entries.front()]);
  result.hasEntry =
      !services.empty() && services.front().scope.file ==
                               package.files[package.entries.front()].get();
}
