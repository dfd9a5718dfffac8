//===- LowerFormer.cpp - What templates do not have any more --------------===//
///
/// \file
/// What a deployment has of node templates and requirements that are gone: its
/// types say what it is like, and the state which operations were not theirs.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "toscac/Sema/Former.h"
#include "toscac/Sema/OwnOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace {

class FormerLowering {
public:
  FormerLowering(Lowering &lowering, const state::Deployment &recorded)
      : lowering(lowering), recorded(recorded) {
    empty.kind = EntityKind::NodeTemplate;
    for (const state::Entity &entity : recorded.entities) {
      StringRef outer = entity.name.rsplit('/').first;
      if (entity.kind == state::EntityKind::Node && outer != entity.name)
        outerTypes[outer];
    }
    for (const state::Entity &entity : recorded.entities)
      if (auto outer = outerTypes.find(entity.name); outer != outerTypes.end())
        outer->second =
            lowerType(lowering, findType(EntityKind::NodeType, entity.type));
  }

  void run(const ServiceScope &service, uint32_t index);

private:
  bool concerns(const state::Entity &entity, uint32_t index) const;
  void restoreProperties(Service &service);
  std::optional<NodeTemplate> likeNode(const ServiceScope &service,
                                       const state::Entity &entity);
  std::optional<Requirement> likeRequirement(const ServiceScope &service,
                                             const NodeTemplate &source,
                                             const state::Entity &entity);
  TypeDecl *findType(EntityKind kind, StringRef name) const;
  TypeDecl *typeOf(const NodeTemplate &node) const;
  /// Machines as the template \p name had them; false where nobody knows.
  bool restore(StringRef name, std::vector<ir::MachineId> &machines,
               MachineOrigin &origin);
  ir::ArtifactId findArtifact(StringRef type, StringRef file);
  std::string locationOf(StringRef file) const;

  Lowering &lowering;
  const state::Deployment &recorded;
  /// Of recorded nodes that others are inside of; no type: it is gone.
  llvm::DenseMap<StringRef, ir::TypeId> outerTypes;
  /// What stands for templates that nobody has written.
  Entity empty;
};

} // namespace

TypeDecl *FormerLowering::findType(EntityKind kind, StringRef name) const {
  for (TypeDecl &type : lowering.program.types)
    if (type.kind == kind && type.flat && type.name.str() == name)
      return &type;
  return nullptr;
}

TypeDecl *FormerLowering::typeOf(const NodeTemplate &node) const {
  for (TypeDecl &type : lowering.program.types)
    if (auto id = lowering.typeIds.find(&type);
        id != lowering.typeIds.end() && id->second == node.type)
      return &type;
  return nullptr;
}

/// Files of profiles are named by the profile.
std::string FormerLowering::locationOf(StringRef file) const {
  const tosca::Package &package = lowering.program.package;
  StringRef rest = file;
  if (rest.consume_front("profile:"))
    for (const auto &[from, profile] : lowering.profiles)
      if (StringRef inside = rest; !profile.name.empty() &&
                                   inside.consume_front(profile.name) &&
                                   inside.consume_front("/"))
        return (profile.folder + "/" + inside).str();
  auto location = tosca::locate(file, *package.files[package.entries.front()]);
  return location ? location->path : std::string();
}

ir::ArtifactId FormerLowering::findArtifact(StringRef type, StringRef file) {
  std::vector<ir::Artifact> &artifacts = lowering.result.artifacts;
  for (auto [i, artifact] : llvm::enumerate(artifacts))
    if (artifact.type.str() == type && artifact.file == file)
      return {static_cast<uint32_t>(i)};
  ValueArena &arena = lowering.program.arena;
  ir::Artifact &added = artifacts.emplace_back();
  added.type = lowering.intern(type);
  added.file = arena.save(file);
  added.location = arena.save(StringRef(locationOf(file)));
  return {static_cast<uint32_t>(artifacts.size() - 1)};
}

bool FormerLowering::restore(StringRef name,
                             std::vector<ir::MachineId> &machines,
                             MachineOrigin &origin) {
  const Value *own =
      recorded.operations.isMap() ? recorded.operations.find(name) : nullptr;
  if (!own)
    return true;
  origin = MachineOrigin::OwnOperations;
  return restoreOperations(
      lowering.result, *own,
      [&](StringRef type, StringRef file) { return findArtifact(type, file); },
      lowering.program.names, machines);
}

/// Nothing is missing that only a template could give.
static void makeOptional(std::vector<Assignment> &assignments) {
  for (Assignment &assignment : assignments)
    assignment.required = false;
}

std::optional<NodeTemplate>
FormerLowering::likeNode(const ServiceScope &service,
                         const state::Entity &entity) {
  TypeDecl *type = findType(EntityKind::NodeType, entity.type);
  if (!type)
    return std::nullopt;
  NodeTemplate node = lowerNodeType(lowering, service, *type);
  node.isFormer = true;
  if (!restore(entity.origin, node.machines, node.machineOrigin))
    return std::nullopt;
  makeOptional(node.properties);
  for (Capability &capability : node.capabilities)
    makeOptional(capability.properties);
  if (outerTypes.contains(entity.name))
    node.directives = {Directive::Substitute};
  return node;
}

std::optional<Requirement>
FormerLowering::likeRequirement(const ServiceScope &service,
                                const NodeTemplate &source,
                                const state::Entity &entity) {
  Template node;
  node.entity = &empty;
  node.type = typeOf(source);
  const Flat *definition =
      node.type ? node.flat()->member(Key::Requirements, entity.origin)
                : nullptr;
  TypeDecl *type = findType(EntityKind::RelationshipType, entity.type);
  if (!definition || (!type && !entity.type.empty()))
    return std::nullopt;
  Requirement result =
      lowerFormerRequirement(lowering, service, node, *definition, type);
  makeOptional(result.relationship.properties);
  std::string name = (source.name.str() + "." + entity.origin).str();
  if (!restore(name, result.relationship.machines,
               result.relationship.machineOrigin))
    return std::nullopt;
  return result;
}

/// Whether \p entity is one of the service, or of what such a service may have
/// stood for.
bool FormerLowering::concerns(const state::Entity &entity,
                              uint32_t index) const {
  StringRef node = entity.kind == state::EntityKind::Relationship
                       ? entity.source
                       : entity.name;
  // Nodes of other deployments are named by these.
  if (node.contains(':'))
    return false;
  if (!node.contains('/'))
    return index == 0;
  const auto &offer = lowering.result.services[index].substitution;
  auto outer = outerTypes.find(node.rsplit('/').first);
  return offer && outer != outerTypes.end() && outer->second &&
         ir::isDerivedFrom(lowering.result.types, outer->second,
                           offer->nodeType);
}

/// What decides about a service inside of them is as it was.
void FormerLowering::restoreProperties(Service &service) {
  ValueArena &arena = lowering.program.arena;
  for (NodeTemplate &node : service.nodes) {
    llvm::SmallVector<const state::Entity *> instances;
    for (const state::Entity &entity : recorded.entities)
      if (node.isFormer && entity.kind == state::EntityKind::Node &&
          entity.origin == node.name.str() && !entity.name.contains('/')) {
        instances.resize(std::max<size_t>(instances.size(), entity.index + 1));
        instances[entity.index] = &entity;
      }
    for (Assignment &property : node.properties) {
      llvm::SmallVector<const Expr *> each;
      for (const state::Entity *entity : instances) {
        const Value *value = entity && entity->properties.isMap()
                                 ? entity->properties.find(property.name.str())
                                 : nullptr;
        each.push_back(value ? arena.make(Expr::literal(*value))
                             : property.value);
      }
      if (!llvm::is_contained(each, nullptr))
        property.each = lowering.save(each);
    }
  }
}

void FormerLowering::run(const ServiceScope &service, uint32_t index) {
  auto node = [&](const state::Entity &entity) {
    return likeNode(service, entity);
  };
  auto requirement = [&](const NodeTemplate &source,
                         const state::Entity &entity) {
    return likeRequirement(service, source, entity);
  };
  auto isConcerned = [&](const state::Entity &entity) {
    return concerns(entity, index);
  };
  Service &result = lowering.result.services[index];
  addFormer(recorded, {node, requirement, isConcerned}, lowering.program.names,
            lowering.program.arena, result);
  if (index == 0)
    restoreProperties(result);
}

void sema::lowerFormer(Lowering &lowering,
                       const std::deque<ServiceScope> &services,
                       const state::Deployment &recorded) {
  if (services.empty() ||
      !mayHaveFormer(recorded, lowering.result.services.front()))
    return;
  FormerLowering former(lowering, recorded);
  for (auto [index, service] : llvm::enumerate(services))
    if (index == 0 || lowering.result.services[index].substitution)
      former.run(service, index);
}
