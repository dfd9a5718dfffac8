//===- Lower.cpp - Blueprints as services ---------------------------------===//
///
/// \file
/// Every node template copies the model that the profile gives of a node or a
/// host, every relationship that of its kind. Types of the blueprint keep their
/// names and get those of the profile as their ancestors, whose marks hold for
/// them.
///
//===----------------------------------------------------------------------===//

#include "Workflows.h"
#include "toscac/Basic/DiagnosticsSema.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class BlueprintLowering : public CheckedBlueprint {
public:
  BlueprintLowering(std::unique_ptr<Model> bound, sema::Profile &profile,
                    NameTable &names, DiagnosticEngine &diags,
                    sema::CheckedProgram &program)
      : bound(std::move(bound)), model(*this->bound), profile(profile),
        names(names), diags(diags), program(program), arena(*program.arena),
        values(model, names, arena, diags),
        operations(model, values, names, diags, program) {}

  sema::Service lower();

  void reportUnused(StringRef executed) override {
    operations.reportUnused(executed);
  }
  void define(const WorkflowRequest &request) override;
  // What blueprints do not have any more: types say what it is like, and the
  // state which operations it has.
  std::optional<sema::NodeTemplate>
  node(uint32_t, const sema::RecordedPart &part) override;
  std::optional<sema::Requirement>
  requirement(uint32_t, const sema::NodeTemplate &source,
              const sema::RecordedPart &part) override;

private:
  /// The model of a node type of the profile.
  const sema::NodeTemplate &modelOf(StringRef type);
  sema::Requirement requirementOf(RelationshipKind kind);
  /// The one of \p machines that \p interface has.
  template <typename Ids>
  auto findMachine(Ids &machines, StringRef interface) {
    return llvm::find_if(machines, [&](ir::MachineId id) {
      return program.machines[id.index].interface.str() == interface;
    });
  }
  void lowerInputs();
  void lowerExternals(sema::Service &service);
  sema::NodeTemplate lowerNode(uint32_t node);
  sema::Requirement lowerRelationship(uint32_t source,
                                      const BoundRelationship &relationship);
  void lowerGroup(const BoundGroup &group);
  std::vector<sema::Assignment> recordedValues(const Value &recorded);
  void lowerOutputs();
  void addAttributes(sema::Service &service);
  const Expr *lowerRecord(const FlatType &type, const syntax::Node *given,
                          const Owner &owner);
  bool hasDefault(const Parameter &property) const;
  const Expr *lowerTyped(const Parameter *property, const syntax::Node *given,
                         const Owner &owner);
  std::vector<sema::Assignment> lowerProperties(ArrayRef<NamedValue> properties,
                                                ArrayRef<Parameter> definitions,
                                                const Owner &owner);
  void setScaling(std::vector<sema::Assignment> &properties,
                  const Scaling &scaling);
  const Expr *countOf(const syntax::Node *count);
  ir::TypeId rootOf(const FlatType &type, ir::TypeInfo::Kind kind);
  ir::TypeId typeOf(const FlatType &type, ir::TypeInfo::Kind kind);

  std::unique_ptr<Model> bound;
  const Model &model;
  sema::Profile &profile;
  NameTable &names;
  DiagnosticEngine &diags;
  sema::CheckedProgram &program;
  ValueArena &arena;
  /// By node type of the profile.
  llvm::StringMap<sema::NodeTemplate> models;
  sema::Service result;
  Values values;
  OperationLowering operations;
  llvm::DenseMap<const FlatType *, ir::TypeId> types;
};

} // namespace

const sema::NodeTemplate &BlueprintLowering::modelOf(StringRef type) {
  auto [known, isNew] = models.try_emplace(type);
  if (isNew)
    known->second = profile.node(type);
  return known->second;
}

static StringRef modelName(RelationshipKind kind) {
  switch (kind) {
  case RelationshipKind::ContainedIn:
    return "contained_in";
  case RelationshipKind::ConnectedTo:
    return "connected_to";
  case RelationshipKind::DependsOn:
  case RelationshipKind::Unknown:
    return "depends_on";
  }
  llvm_unreachable("all kinds are covered");
}

sema::Requirement BlueprintLowering::requirementOf(RelationshipKind kind) {
  StringRef name = modelName(kind);
  if (const sema::Requirement *found = findRequirement(modelOf("Node"), name))
    return *found;
  diags.report({}, diag::UnknownName, "requirement", name,
               "; node type 'Node' of the profile has none");
  return {};
}

/// The type of the profile whose marks hold for \p type and those derived from
/// it; not set where those of its parent do.
ir::TypeId BlueprintLowering::rootOf(const FlatType &type,
                                     ir::TypeInfo::Kind kind) {
  if (kind == ir::TypeInfo::Kind::Node) {
    bool isHost = type.isCompute && !(type.parent && type.parent->isCompute);
    if (isHost || !type.parent)
      return modelOf(isHost ? "Host" : "Node").type;
    return {};
  }
  if (type.parent && type.parent->kind == type.kind)
    return {};
  return requirementOf(type.kind).relationship.type;
}

/// The type \p type with its ancestors, those of the blueprint first.
ir::TypeId BlueprintLowering::typeOf(const FlatType &type,
                                     ir::TypeInfo::Kind kind) {
  llvm::SmallVector<const FlatType *> chain;
  for (const FlatType *at = &type; at && !types.contains(at); at = at->parent)
    chain.push_back(at);
  for (const FlatType *at : llvm::reverse(chain)) {
    ir::TypeId parent = rootOf(*at, kind);
    if (!parent)
      parent = types.lookup(at->parent);
    types[at] = {uint32_t(program.types.size())};
    program.types.push_back({kind, names.intern(at->name.text), parent, {}});
  }
  return types.lookup(&type);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A map of data type \p type: what is given, and defaults of what is not.
const Expr *BlueprintLowering::lowerRecord(const FlatType &type,
                                           const syntax::Node *given,
                                           const Owner &owner) {
  std::vector<Expr> parts;
  auto add = [&](const syntax::Node *key, StringRef name, const Expr *value) {
    SourceRange range = key ? key->range() : SourceRange();
    parts.push_back(Expr::literal(arena.string(name), range));
    if (value)
      parts.push_back(*value);
    return value;
  };
  auto definitionOf = [&](StringRef name) {
    auto found = llvm::find_if(type.properties, [&](const Parameter &each) {
      return each.name.text == name;
    });
    return found == type.properties.end() ? nullptr : &*found;
  };
  if (given)
    for (const syntax::Entry &entry : given->entries()) {
      StringRef name = entry.key.isScalar() ? entry.key.text() : "";
      if (!add(&entry.key, name,
               lowerTyped(definitionOf(name), &entry.value, owner)))
        return nullptr;
    }
  for (const Parameter &property : type.properties)
    if ((!given || !given->find(property.name.text)) && hasDefault(property) &&
        !add(nullptr, property.name.text,
             lowerTyped(&property, property.defaultValue, owner)))
      return nullptr;
  return arena.make(Expr::map(arena.save(ArrayRef<Expr>(parts)),
                              given ? given->range() : SourceRange()));
}

/// Whether there is a value for \p property where none is given.
bool BlueprintLowering::hasDefault(const Parameter &property) const {
  if (property.defaultValue)
    return true;
  const FlatType *data = model.findDataType(property.type.text);
  // A type that has itself inside says nothing about the inner one.
  return data && llvm::any_of(data->properties, [](const Parameter &inner) {
           return inner.defaultValue;
         });
}

/// \p given may be null where \p property is of a data type.
const Expr *BlueprintLowering::lowerTyped(const Parameter *property,
                                          const syntax::Node *given,
                                          const Owner &owner) {
  const FlatType *data =
      property ? model.findDataType(property->type.text) : nullptr;
  if (data && (!given || (given->isMapping() && !isCall(*given))))
    return lowerRecord(*data, given, owner);
  return values.lower(*given, owner);
}

/// Of what is wrong with a value, bindNodes() has spoken.
std::vector<sema::Assignment>
BlueprintLowering::lowerProperties(ArrayRef<NamedValue> properties,
                                   ArrayRef<Parameter> definitions,
                                   const Owner &owner) {
  std::vector<sema::Assignment> result;
  auto add = [&](const Word &name, const Parameter *property,
                 const syntax::Node *given) {
    const Expr *value = lowerTyped(property, given, owner);
    if (!value)
      return;
    sema::Assignment assignment{names.intern(name.text),
                                &builtinType(TypeKind::Any)};
    assignment.value = value;
    assignment.range = given ? given->range() : name.range;
    result.push_back(assignment);
  };
  llvm::StringMap<const Parameter *> byName;
  for (const Parameter &property : definitions)
    byName[property.name.text] = &property;
  for (const NamedValue &property : properties) {
    add(property.name, byName.lookup(property.name.text), property.value);
    byName.erase(property.name.text);
  }
  for (const Parameter &property : definitions)
    if (byName.contains(property.name.text) && hasDefault(property))
      add(property.name, &property, nullptr);
  return result;
}

const Expr *BlueprintLowering::countOf(const syntax::Node *count) {
  return count ? values.lower(*count, {}) : values.literal(Value::integer(1));
}

/// The number of instances and its bounds; no upper one is -1, or UNBOUNDED.
void BlueprintLowering::setScaling(std::vector<sema::Assignment> &properties,
                                   const Scaling &scaling) {
  auto set = [&](StringRef name, const syntax::Node *node) {
    const Expr *value = node ? values.lower(*node, {}) : nullptr;
    bool isUnbounded =
        value && value->isLiteral() &&
        (!value->value().isInteger() || value->value().asInteger() < 0);
    for (sema::Assignment &property : properties)
      if (property.name.str() == name && value && !isUnbounded) {
        property.value = value;
        property.range = node->range();
      }
  };
  set("default_instances", scaling.count);
  set("min_instances", scaling.min);
  set("max_instances", scaling.max);
}

void BlueprintLowering::lowerInputs() {
  for (const Parameter &written : model.blueprint.inputs) {
    sema::InputDefinition input;
    input.name = names.intern(written.name.text);
    input.type = &inputType(written, arena, diags);
    input.required = written.required;
    input.sensitive = written.hidden;
    input.description = written.description;
    input.range = written.name.range;
    if (written.defaultValue)
      input.defaultValue = values.lower(*written.defaultValue, {});
    result.inputs.push_back(input);
  }
}

/// What only a manager knows, a user must say.
void BlueprintLowering::lowerExternals(sema::Service &service) {
  for (auto [name, isSecret] : values.externals) {
    sema::InputDefinition input;
    input.name = names.intern(name);
    if (llvm::any_of(service.inputs, [&](const sema::InputDefinition &known) {
          return known.name == input.name;
        }))
      continue;
    input.type = &builtinType(TypeKind::Any);
    input.sensitive = isSecret;
    input.range = model.blueprint.range;
    service.inputs.push_back(input);
  }
}

void BlueprintLowering::lowerOutputs() {
  auto add = [&](const Output &written, const std::string &name) {
    sema::OutputDefinition output;
    output.name = names.intern(name);
    output.type = &builtinType(TypeKind::Any);
    output.range = written.name.range;
    output.value = values.lower(*written.value, {});
    if (output.value)
      result.outputs.push_back(output);
  };
  for (const Output &output : model.blueprint.outputs)
    add(output, output.name.text.str());
  for (const Output &capability : model.blueprint.capabilities)
    add(capability, ("capability." + capability.name.text).str());
}

//===----------------------------------------------------------------------===//
// Nodes, relationships, groups
//===----------------------------------------------------------------------===//

sema::Requirement
BlueprintLowering::lowerRelationship(uint32_t source,
                                     const BoundRelationship &relationship) {
  const BoundNode &node = model.nodes[source];
  sema::Requirement requirement = requirementOf(relationship.type->kind);
  requirement.name = names.intern(Values::requirementName(node, relationship));
  requirement.node = relationship.target;
  requirement.pairing = relationship.type->kind == RelationshipKind::ContainedIn
                            ? sema::Pairing::Container
                        : relationship.isAllToOne ? sema::Pairing::One
                                                  : sema::Pairing::All;
  requirement.range = relationship.written->range;
  sema::Relationship &own = requirement.relationship;
  own.type = typeOf(*relationship.type, ir::TypeInfo::Kind::Relationship);
  own.machineOrigin = sema::MachineOrigin::OwnOperations;
  Owner owner{source, &relationship};
  own.properties = lowerProperties(relationship.properties,
                                   relationship.type->properties, owner);
  operations.findUnused(relationship.sourceInterfaces, own.machines,
                        "relationship_lifecycle");
  operations.findUnused(relationship.targetInterfaces, own.machines,
                        "relationship_lifecycle");
  for (ir::MachineId &machine : own.machines) {
    StringRef side = program.machines[machine.index].interface.str();
    machine = operations.lower(
        machine, "relationship_lifecycle",
        side == "source" ? relationship.sourceInterfaces
                         : relationship.targetInterfaces,
        owner, side == "source" ? relationship.awaits : StringRef());
  }
  return requirement;
}

sema::NodeTemplate BlueprintLowering::lowerNode(uint32_t index) {
  const BoundNode &node = model.nodes[index];
  sema::NodeTemplate lowered = modelOf(modelFor(node));
  Owner owner{index, nullptr};
  lowered.name = names.intern(node.written->name.text);
  lowered.type = typeOf(*node.type, ir::TypeInfo::Kind::Node);
  lowered.machineOrigin = sema::MachineOrigin::OwnOperations;
  lowered.range = node.written->name.range;
  lowered.count = countOf(node.written->scaling.count);
  lowered.properties =
      lowerProperties(node.properties, node.type->properties, owner);
  for (sema::Capability &capability : lowered.capabilities)
    setScaling(capability.properties, node.written->scaling);
  if (isUpdating(node))
    for (StringRef interface : {"stay", "update"})
      *findMachine(lowered.machines, interface) =
          *findMachine(modelOf("UpdatingNode").machines, interface);
  operations.findUnused(node.interfaces, lowered.machines);
  for (ir::MachineId &machine : lowered.machines)
    machine = operations.lower(machine, operations.nameInBlueprints(machine),
                               node.interfaces, owner);
  lowered.requirements.clear();
  for (const BoundRelationship &relationship : node.relationships)
    lowered.requirements.push_back(lowerRelationship(index, relationship));
  return lowered;
}

void BlueprintLowering::lowerGroup(const BoundGroup &group) {
  sema::Group lowered = profile.group(group.policy ? "ScalingGroup" : "Group");
  lowered.name = names.intern(group.written->name.text);
  lowered.range = group.written->name.range;
  lowered.nodes = group.nodes;
  lowered.groups.clear();
  for (uint32_t inner : group.groups)
    lowered.groups.push_back(
        names.intern(model.groups[inner].written->name.text));
  if (group.policy)
    setScaling(lowered.properties, group.policy->scaling);
  result.groups.push_back(lowered);
}

/// Operations may leave anything; what somebody asks for is an attribute, and
/// the property of that name until then.
void BlueprintLowering::addAttributes(sema::Service &service) {
  for (auto [node, asked] : llvm::zip(service.nodes, values.attributes))
    for (StringRef name : asked) {
      sema::Assignment attribute{names.intern(name),
                                 &builtinType(TypeKind::Any)};
      if (llvm::any_of(node.attributes, [&](const sema::Assignment &known) {
            return known.name == attribute.name;
          }))
        continue;
      attribute.range = node.range;
      if (llvm::any_of(node.properties, [&](const sema::Assignment &property) {
            return property.name == attribute.name;
          }))
        attribute.value =
            values.query(Function::GetProperty, {"SELF", name}, node.range);
      node.attributes.push_back(attribute);
    }
}

/// Expansion gives each instance its own.
std::vector<sema::Assignment>
BlueprintLowering::recordedValues(const Value &recorded) {
  std::vector<sema::Assignment> result;
  if (!recorded.isMap())
    return result;
  for (const MapEntry &entry : recorded.entries()) {
    sema::Assignment assignment{names.intern(entry.key.asString()),
                                &builtinType(TypeKind::Any)};
    assignment.required = false;
    result.push_back(assignment);
  }
  return result;
}

std::optional<sema::NodeTemplate>
BlueprintLowering::node(uint32_t, const sema::RecordedPart &part) {
  auto type = model.nodeTypes.find(part.type);
  if (type == model.nodeTypes.end())
    return std::nullopt;
  Value own = part.operations ? *part.operations : Value();
  StringRef plain = type->second->isCompute ? "Host" : "Node";
  sema::NodeTemplate node = modelOf(wasAttended(own) ? "AttendedHost" : plain);
  node.type = typeOf(*type->second, ir::TypeInfo::Kind::Node);
  node.isObsolete = true;
  node.properties = recordedValues(part.properties);
  node.attributes = recordedValues(part.attributes);
  node.machineOrigin = sema::MachineOrigin::OwnOperations;
  if (!operations.restore(own, node.machines))
    return std::nullopt;
  return node;
}

std::optional<sema::Requirement>
BlueprintLowering::requirement(uint32_t, const sema::NodeTemplate &source,
                               const sema::RecordedPart &part) {
  auto type = model.relationshipTypes.find(part.type);
  if (type == model.relationshipTypes.end())
    return std::nullopt;
  RelationshipKind kind = type->second->kind;
  sema::Requirement requirement = requirementOf(kind);
  if (source.isObsolete && kind == RelationshipKind::ContainedIn)
    requirement.pairing = sema::Pairing::Container;
  requirement.isObsolete = true;
  requirement.minCount = 0;
  sema::Relationship &own = requirement.relationship;
  own.type = typeOf(*type->second, ir::TypeInfo::Kind::Relationship);
  own.properties = recordedValues(part.properties);
  own.machineOrigin = sema::MachineOrigin::OwnOperations;
  if (!operations.restore(part.operations ? *part.operations : Value(),
                          own.machines))
    return std::nullopt;
  return requirement;
}

sema::Service BlueprintLowering::lower() {
  result.name = names.intern(model.blueprint.name);
  result.range = model.blueprint.range;
  result.countsPerContainer = true;
  values.attributes.resize(model.nodes.size());
  for (const auto &[name, artifact] : modelOf("Node").artifacts)
    if (name.str() == "plugin")
      operations.pluginRunner = artifact;
  modelOf("Host");
  if (diags.hasErrors())
    return {};
  lowerInputs();
  for (uint32_t i = 0; i != model.nodes.size(); ++i)
    result.nodes.push_back(lowerNode(i));
  for (const BoundGroup &group : model.groups)
    lowerGroup(group);
  lowerOutputs();
  lowerExternals(result);
  addAttributes(result);
  return std::move(result);
}

void BlueprintLowering::define(const WorkflowRequest &request) {
  sema::Service &service = program.services.front();
  lowerWorkflows(model, request, operations, names, diags, program, service);
  lowerExternals(service);
  addAttributes(service);
}

std::unique_ptr<CheckedBlueprint>
cloudify::analyze(const Blueprint &blueprint, sema::Profile &profile,
                  NameTable &names, DiagnosticEngine &diags,
                  sema::CheckedProgram &program) {
  auto model = std::make_unique<Model>(blueprint);
  flattenTypes(*model, diags);
  bindNodes(*model, diags);
  bindGroups(*model, diags);
  // Values of half a blueprint would only confuse.
  if (diags.hasErrors())
    return nullptr;
  auto lowering = std::make_unique<BlueprintLowering>(std::move(model), profile,
                                                      names, diags, program);
  sema::Service service = lowering->lower();
  if (diags.hasErrors())
    return nullptr;
  program.services.push_back(std::move(service));
  program.hasEntry = true;
  return lowering;
}
