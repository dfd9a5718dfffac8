//===- LowerTemplates.cpp - Node templates and groups ---------------------===//

#include "Lower.h"

#include "LowerMachines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

static const Node *valueAt(const Field *field) {
  return field ? field->value : nullptr;
}

static std::vector<Directive> lowerDirectives(const Template &node) {
  std::vector<Directive> result;
  if (const Field *field = node.find(Key::Directives))
    for (const Node &word : field->value->items())
      result.push_back(llvm::StringSwitch<Directive>(word.text())
                           .Case("select", Directive::Select)
                           .Case("substitute", Directive::Substitute)
                           .Default(Directive::Create));
  return result;
}

static Capability lowerCapability(Lowering &lowering, const Site &site,
                                  const Flat &definition,
                                  const Entity *assigned) {
  auto find = [&](Key key) {
    return valueAt(assigned ? assigned->find(key) : nullptr);
  };
  Capability result;
  result.name = definition.name;
  result.type = lowerType(lowering, definition.type);
  result.range = assigned ? assigned->range() : definition.range();
  result.properties =
      lowerAssignments(lowering, site, definition.members(Key::Properties),
                       find(Key::Properties));
  result.attributes =
      lowerAssignments(lowering, site, definition.members(Key::Attributes),
                       find(Key::Attributes));
  result.validSources = lowerTypeList(
      lowering, definition, Key::ValidSourceNodeTypes, EntityKind::NodeType);
  result.validRelationships =
      lowerTypeList(lowering, definition, Key::ValidRelationshipTypes,
                    EntityKind::RelationshipType);
  if (const Node *directives = find(Key::Directives)) {
    auto says = [&](StringRef word) {
      return llvm::any_of(directives->items(), [&](const Node &item) {
        return item.text() == word;
      });
    };
    result.internalOnly = says("internal") && !says("external");
    result.externalOnly = says("external") && !says("internal");
    result.mayBeExternal = says("external");
  }
  return result;
}

static std::vector<Capability>
lowerCapabilities(Lowering &lowering, const Site &site, const Template &node) {
  llvm::ArrayRef<Entity> assigned;
  if (const Field *field = node.find(Key::Capabilities))
    assigned = field->entities;
  std::vector<Capability> result;
  for (const auto &entry : node.flat()->members(Key::Capabilities)) {
    const Entity *entity = llvm::find_if(assigned, [&](const Entity &other) {
      return other.name.str() == entry.first;
    });
    result.push_back(
        lowerCapability(lowering, site, *entry.second,
                        entity == assigned.end() ? nullptr : entity));
  }
  return result;
}

/// Those of the type, then those that the template adds; its own take the
/// place of the type's.
static std::vector<std::pair<Name, ir::ArtifactId>>
lowerArtifacts(Lowering &lowering, const ServiceScope &service,
               const Template &node) {
  llvm::MapVector<StringRef, std::pair<Name, ir::ArtifactId>> result;
  for (const auto &[name, artifact] : node.flat()->members(Key::Artifacts)) {
    const Layer &layer = artifact->layers.front();
    result[name] = {artifact->name,
                    lowerArtifact(lowering, *layer.scope, *layer.entity)};
  }
  if (const Field *field = node.find(Key::Artifacts))
    for (const Entity &artifact : field->entities)
      result[artifact.name.str()] = {
          artifact.name, lowerArtifact(lowering, service.scope, artifact)};
  auto artifacts = llvm::make_second_range(result);
  return {artifacts.begin(), artifacts.end()};
}

static void lowerMachines(Lowering &lowering, const ServiceScope &service,
                          const Template &node, NodeTemplate &result) {
  InterfaceOwner owner{service, Origin::Node, *node.flat()};
  owner.node = &node;
  if (const Field *interfaces = node.find(Key::Interfaces))
    owner.assignments.push_back(interfaces);
  owner.artifacts = node.find(Key::Artifacts);
  result.machines = lowerInterfaces(lowering, owner);
  result.machineOrigin = machineOrigin(owner);
}

NodeTemplate sema::lowerNodeTemplate(Lowering &lowering,
                                     const ServiceScope &service,
                                     const Template &node) {
  const Flat &type = *node.flat();
  Site site = siteOf(service, Origin::Node, &type);
  NodeTemplate result;
  result.name = node.entity->name;
  result.type = lowerType(lowering, node.type);
  result.range = node.entity->range();
  result.directives = lowerDirectives(node);
  if (const Field *count = node.find(Key::Count))
    result.count = lowerValue(lowering, site, *count->value,
                              builtinType(TypeKind::Integer));
  if (const Field *filter = node.find(Key::NodeFilter))
    result.filter = lowerCondition(lowering, site, *filter->value);
  result.properties =
      lowerAssignments(lowering, site, type.members(Key::Properties),
                       valueAt(node.find(Key::Properties)));
  result.attributes =
      lowerAssignments(lowering, site, type.members(Key::Attributes),
                       valueAt(node.find(Key::Attributes)));
  result.capabilities = lowerCapabilities(lowering, site, node);
  result.requirements = lowerRequirements(lowering, service, node);
  lowerMachines(lowering, service, node, result);
  result.artifacts = lowerArtifacts(lowering, service, node);
  result.metadata = lowerMetadata(lowering, *node.entity);
  return result;
}

/// What stands for a template of \p type that nobody has written.
static Entity unwritten(EntityKind kind, const TypeDecl &type) {
  Entity empty;
  empty.kind = kind;
  empty.node = type.entity->node;
  return empty;
}

NodeTemplate sema::lowerNodeType(Lowering &lowering,
                                 const ServiceScope &service, TypeDecl &type,
                                 bool isModel) {
  Entity empty = unwritten(EntityKind::NodeTemplate, type);
  Template node;
  node.entity = &empty;
  node.type = &type;
  Site site = siteOf(service, Origin::Node, type.flat);
  NodeTemplate result;
  result.name = lowering.intern(type.entity->name.str());
  result.type = lowerType(lowering, &type);
  result.range = type.entity->range();
  result.properties = lowerAssignments(
      lowering, site, type.flat->members(Key::Properties), nullptr);
  result.attributes = lowerAssignments(
      lowering, site, type.flat->members(Key::Attributes), nullptr);
  result.capabilities = lowerCapabilities(lowering, site, node);
  if (isModel)
    result.requirements = lowerModelRequirements(lowering, service, node);
  lowerMachines(lowering, service, node, result);
  if (isModel)
    result.artifacts = lowerArtifacts(lowering, service, node);
  return result;
}

Group sema::lowerGroupModel(Lowering &lowering, const ServiceScope &service,
                            TypeDecl &type) {
  Entity empty = unwritten(EntityKind::Group, type);
  Template group;
  group.entity = &empty;
  group.type = &type;
  return lowerGroup(lowering, service, group);
}

Group sema::lowerGroup(Lowering &lowering, const ServiceScope &service,
                       const Template &group) {
  Group result;
  result.name = group.entity->name;
  result.type = lowerType(lowering, group.type);
  result.range = group.entity->range();
  result.properties =
      lowerAssignments(lowering, siteOf(service, Origin::Service, group.flat()),
                       group.flat()->members(Key::Properties),
                       valueAt(group.find(Key::Properties)));
  const Field *members = group.find(Key::Members);
  if (!members)
    return result;
  for (const Node &name : members->value->items()) {
    auto node = service.nodes.find(name.text());
    if (node != service.nodes.end())
      result.nodes.push_back(node - service.nodes.begin());
    else
      result.groups.push_back(lowering.intern(name.text()));
  }
  return result;
}
