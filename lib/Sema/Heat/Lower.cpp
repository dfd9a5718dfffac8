//===- Lower.cpp - From a stack to the checked service --------------------===//
///
/// \file
/// A nested stack is a node that depends on its parts; the parts wait for what
/// the stack itself refers to. Only those parts that wait for no other part
/// need to be told so.
///
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Dependencies.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Sema/Heat/Analyze.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Node;

namespace {

/// What nodes of a stack are like, be they there or gone.
class ResourceModels : public sema::ObsoleteModels {
public:
  ResourceModels(sema::Profile &profile, NameTable &names,
                 sema::CheckedProgram &program)
      : names(names), program(program), plugin(profile.node("Plugin")),
        stack(profile.node("Stack")) {}

  /// A node of the type \p type; \p isPlugin: one of Heat's own.
  sema::NodeTemplate like(StringRef type, bool isPlugin);
  /// Null: the profile has none.
  const sema::Requirement *dependency() const {
    return findRequirement(plugin, "dependency");
  }

  /// One that was only referred to keeps its deletion policy, which spares it.
  std::optional<sema::NodeTemplate>
  node(uint32_t, const sema::RecordedPart &part) override {
    return like(part.type, isBuiltinType(part.type) &&
                               part.type != "OS::Heat::ResourceGroup" &&
                               part.type != "OS::Heat::ResourceChain" &&
                               part.type != "OS::Heat::None");
  }
  std::optional<sema::Requirement>
  requirement(uint32_t, const sema::NodeTemplate &,
              const sema::RecordedPart &) override {
    return *dependency();
  }

private:
  NameTable &names;
  sema::CheckedProgram &program;
  sema::NodeTemplate plugin, stack;
  llvm::StringMap<ir::TypeId> types;
};

class StackLowering {
public:
  StackLowering(Composer &composer, ResourceModels &models)
      : composer(composer), models(models) {}

  /// Nothing after a report.
  std::optional<sema::Service> lower(Stack &stack);

private:
  void addStack(Stack &stack);
  void addResource(StackResource &resource);

  sema::NodeTemplate lowerNode(const StackNode &node);
  const Expr *definitionOf(const StackNode &source);
  const Expr *lowerProperties(StackResource &resource, const Scope &scope);
  const Expr *lowerDeletionPolicy(const StackResource &resource,
                                  const Scope &scope);
  void lowerInputs(Stack &stack, sema::Service &service);
  void lowerOutputs(Stack &stack, sema::Service &service);

  Scope scopeOf(StackResource &resource) {
    return {*resource.stack, resource.index.empty() ? nullptr : &resource};
  }

  Composer &composer;
  ResourceModels &models;
  std::vector<StackNode> nodes;
};

} // namespace

/// Whether there is something to do for \p resource itself.
static bool isPlugin(const StackResource &resource) {
  return !resource.implementation.file && !resource.hasMembers() &&
         resource.implementation.name != "OS::Heat::None" &&
         !resource.definition->externalId;
}

/// The type \p type of its own, with that of the model as its parent.
sema::NodeTemplate ResourceModels::like(StringRef type, bool isPlugin) {
  sema::NodeTemplate node = isPlugin ? plugin : stack;
  auto [known, isNew] = types.try_emplace(type);
  if (isNew) {
    known->second = {static_cast<uint32_t>(program.types.size())};
    program.types.push_back(
        {ir::TypeInfo::Kind::Node, names.intern(type), node.type, {}});
  }
  node.type = known->second;
  return node;
}

//===----------------------------------------------------------------------===//
// Resources and what they refer to
//===----------------------------------------------------------------------===//

/// All but the definition of a group's members, which each of them has.
const Expr *StackLowering::lowerProperties(StackResource &resource,
                                           const Scope &scope) {
  const Node *properties = resource.definition->properties;
  if (!properties || !properties->isMapping())
    return composer.map({}, resource.definition->name.range);
  if (!resource.hasMembers())
    return composer.evaluate(*properties, scope);
  llvm::SmallVector<const Expr *> parts;
  for (const syntax::Entry &entry : properties->entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (key == "resource_def" || key == "resource_properties")
      continue;
    parts.push_back(composer.evaluate(entry.key, scope));
    parts.push_back(composer.evaluate(entry.value, scope));
    if (!parts.back())
      return nullptr;
  }
  return composer.map(parts, properties->range());
}

const Expr *StackLowering::lowerDeletionPolicy(const StackResource &resource,
                                               const Scope &scope) {
  const Node *node = resource.definition->deletionPolicy;
  // What somebody else made is left to them.
  if (resource.definition->externalId)
    return composer.literal(Value::string("Retain"));
  const Expr *value = node ? composer.evaluate(*node, scope)
                           : composer.literal(Value::string("Delete"));
  if (!value || !value->isLiteral())
    return value;
  auto policy = llvm::StringSwitch<StringRef>(textOf(value->value()))
                    .CaseLower("delete", "Delete")
                    .CaseLower("retain", "Retain")
                    .CaseLower("snapshot", "Snapshot")
                    .Default("");
  if (!policy.empty())
    return composer.literal(Value::string(policy), value->range());
  composer.diags.report(node->range(), diag::HeatShape,
                        "'deletion_policy' of '" + resource.path + "'",
                        "Delete, Retain or Snapshot", toText(*value));
  return nullptr;
}

/// Evaluates all that \p resource says, and notes what that refers to.
void StackLowering::addResource(StackResource &resource) {
  StackNode node{&resource};
  Scope scope = scopeOf(resource);
  scope.uses = &node.uses;
  node.properties = lowerProperties(resource, scope);
  const Resource &definition = *resource.definition;
  node.metadata = definition.metadata
                      ? composer.evaluate(*definition.metadata, scope)
                      : composer.map({}, definition.name.range);
  node.deletionPolicy = lowerDeletionPolicy(resource, scope);
  if (definition.updatePolicy)
    composer.evaluate(*definition.updatePolicy, scope);
  for (const Word &name : definition.dependsOn) {
    if (StackResource *target = resource.stack->find(name.text))
      node.uses.insert(target);
    else if (!resource.stack->source->findResource(name.text))
      composer.diags.report(name.range, diag::HeatUndefined, "resource",
                            name.text);
  }
  nodes.push_back(std::move(node));
  for (auto &member : resource.members)
    addResource(*member);
  if (resource.nested)
    addStack(*resource.nested);
}

void StackLowering::addStack(Stack &stack) {
  Scope scope{stack};
  for (auto &[name, parameter] : stack.parameters)
    composer.parameterValue(parameter, scope);
  for (auto &resource : stack.resources)
    addResource(*resource);
  // Those of nested stacks are evaluated where they are asked for, too; here
  // also those that nobody asks for are looked at.
  for (const Output &output : stack.source->outputs)
    if (output.value && stack.facade)
      if (!output.condition ||
          composer.evaluateCondition(*output.condition, scope) != Truth::False)
        composer.evaluate(*output.value, scope);
}

//===----------------------------------------------------------------------===//
// The service
//===----------------------------------------------------------------------===//

static void assign(sema::NodeTemplate &node, StringRef name, const Expr *value,
                   NameTable &names, bool isAnything = true) {
  auto found =
      llvm::find_if(node.properties, [&](const sema::Assignment &property) {
        return property.name.str() == name;
      });
  if (found == node.properties.end())
    found = node.properties.insert(found, sema::Assignment{names.intern(name)});
  found->value = value;
  found->range = value->range();
  found->type = &builtinType(isAnything ? TypeKind::Any : TypeKind::String);
}

/// A text that changes with what is written of the resource, whether or not
/// all of that is known yet: an update compares it.
const Expr *StackLowering::definitionOf(const StackNode &source) {
  std::string text;
  llvm::raw_string_ostream(text) << *source.properties << *source.metadata;
  std::string digest = *hexDigest("sha256", text);
  return composer.literal(
      composer.arena.string(StringRef(digest).take_front(16)),
      source.resource->definition->name.range);
}

sema::NodeTemplate StackLowering::lowerNode(const StackNode &source) {
  const StackResource &resource = *source.resource;
  bool isOwn = isPlugin(resource);
  StringRef typeName = resource.implementation.file
                           ? resource.definition->type.text
                           : StringRef(resource.implementation.name);
  sema::NodeTemplate node = models.like(typeName, isOwn);
  node.name = composer.names.intern(StringRef(resource.path).drop_front());
  node.range = resource.definition->name.range;
  const Expr *type =
      composer.literal(composer.arena.string(resource.implementation.name),
                       resource.definition->type.range);
  assign(node, "resource_type", type, composer.names, /*isAnything=*/false);
  assign(node, "properties", source.properties, composer.names);
  assign(node, "metadata", source.metadata, composer.names);
  assign(node, "deletion_policy", source.deletionPolicy, composer.names,
         /*isAnything=*/false);
  if (isOwn)
    assign(node, "definition", definitionOf(source), composer.names,
           /*isAnything=*/false);
  sema::Requirement model = *models.dependency();
  node.requirements.clear();
  model.range = node.range;
  for (uint32_t target : source.dependencies) {
    model.node = target;
    node.requirements.push_back(model);
  }
  return node;
}

void StackLowering::lowerInputs(Stack &stack, sema::Service &service) {
  Scope scope{stack};
  scope.reveals = true;
  for (auto &[name, parameter] : stack.parameters) {
    sema::InputDefinition input;
    input.name = composer.names.intern(name);
    input.type = &builtinType(TypeKind::Any);
    input.sensitive = parameter.definition->hidden;
    input.description = parameter.definition->description;
    input.range = parameter.definition->name.range;
    input.defaultValue = composer.parameterValue(parameter, scope);
    service.inputs.push_back(input);
  }
}

void StackLowering::lowerOutputs(Stack &stack, sema::Service &service) {
  Scope scope{stack};
  for (const Output &output : stack.source->outputs) {
    bool isOff =
        output.condition &&
        composer.evaluateCondition(*output.condition, scope) == Truth::False;
    if (isOff || !output.value)
      continue;
    sema::OutputDefinition result;
    result.name = composer.names.intern(output.name.text);
    result.type = &builtinType(TypeKind::Any);
    result.range = output.name.range;
    result.value = composer.evaluate(*output.value, scope);
    service.outputs.push_back(result);
  }
}

std::optional<sema::Service> StackLowering::lower(Stack &stack) {
  sema::Service service;
  service.name = composer.names.intern(stack.name);
  service.hasSingles = true;
  addStack(stack);
  lowerInputs(stack, service);
  lowerOutputs(stack, service);
  if (composer.diags.hasErrors())
    return std::nullopt;
  addImplicitDependencies(nodes);
  if (!bindDependencies(nodes, composer.diags))
    return std::nullopt;
  for (const StackNode &node : nodes)
    service.nodes.push_back(lowerNode(node));
  return service;
}

std::unique_ptr<sema::ObsoleteModels>
heat::analyze(const ComposeInput &input, Library &library,
              sema::Profile &profile, NameTable &names, DiagnosticEngine &diags,
              sema::CheckedProgram &program) {
  auto models = std::make_unique<ResourceModels>(profile, names, program);
  if (!diags.hasErrors() && !models->dependency())
    diags.report({}, diag::UnknownName, "requirement", "dependency",
                 "; node type 'Plugin' of the profile has none");
  if (diags.hasErrors())
    return nullptr;
  Composer composer(input, Detail::Values, library, names, *program.arena,
                    diags);
  auto stack = composer.composeAll();
  if (!stack)
    return nullptr;
  std::optional<sema::Service> service =
      StackLowering(composer, *models).lower(*stack);
  if (!service)
    return nullptr;
  program.services.push_back(std::move(*service));
  program.hasEntry = true;
  return models;
}
