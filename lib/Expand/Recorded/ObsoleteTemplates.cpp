//===- ObsoleteTemplates.cpp - Templates that files have lost -------------===//

#include "toscac/Expand/ObsoleteTemplates.h"

#include "toscac/Basic/Name.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using llvm::StringRef;

namespace {

/// What is recorded, as Sema understands it.
class RecordedParts {
public:
  explicit RecordedParts(const state::Deployment &recorded)
      : recorded(recorded) {
    for (const state::Entity &entity : recorded.entities)
      if (auto outer = outerOf(entity.name);
          entity.kind == state::EntityKind::Node && !outer.empty())
        outerTypes[outer];
    for (const state::Entity &entity : recorded.entities)
      if (auto outer = outerTypes.find(entity.name); outer != outerTypes.end())
        outer->second = entity.type;
  }

  sema::RecordedPart part(const state::Entity &entity) const {
    bool isNode = entity.kind == state::EntityKind::Node;
    StringRef node = isNode ? entity.name : entity.source;
    return {entity.name,
            entity.origin,
            entity.type,
            outerTypes.lookup(outerOf(node)),
            outerTypes.contains(entity.name),
            node,
            entity.properties,
            entity.attributes};
  }
  /// What the template \p name, or requirement, ran of its own.
  const Value *operationsOf(StringRef name) const {
    return recorded.operations.isMap() ? recorded.operations.find(name)
                                       : nullptr;
  }

private:
  static StringRef outerOf(StringRef node) {
    return node.contains('/') ? node.rsplit('/').first : StringRef();
  }

  const state::Deployment &recorded;
  /// Types of nodes that others are inside of.
  llvm::DenseMap<StringRef, StringRef> outerTypes;
};

/// Adds what one service had.
class ObsoleteParts {
public:
  ObsoleteParts(const RecordedParts &recorded, sema::ObsoleteModels &models,
                NameTable &names, sema::CheckedProgram &program, uint32_t index)
      : recorded(recorded), models(models), names(names), index(index),
        service(program.services[index]),
        zero(program.arena->make(Expr::literal(Value::integer(0)))) {
    for (auto [i, node] : llvm::enumerate(service.nodes)) {
      templates[node.name.str()] = i;
      for (const sema::Requirement &requirement : node.requirements)
        known.insert({i, requirement.name.str()});
    }
  }

  void addNode(const state::Entity &entity);
  void addRequirement(const state::Entity &entity);

private:
  const RecordedParts &recorded;
  sema::ObsoleteModels &models;
  NameTable &names;
  uint32_t index;
  sema::Service &service;
  const Expr *zero;
  /// Indices of nodes by their names, and by those of their instances.
  llvm::DenseMap<StringRef, uint32_t> templates;
  llvm::DenseMap<StringRef, uint32_t> instances;
  /// Requirements by index of the node, and name.
  llvm::DenseSet<std::pair<uint32_t, StringRef>> known;
};

} // namespace

/// Nothing is missing that only a template could give.
static void makeOptional(std::vector<sema::Assignment> &assignments) {
  for (sema::Assignment &assignment : assignments)
    assignment.required = false;
}

void ObsoleteParts::addNode(const state::Entity &entity) {
  sema::RecordedPart part = recorded.part(entity);
  if (!models.concerns(index, part))
    return;
  auto [place, isNew] =
      templates.try_emplace(entity.origin, service.nodes.size());
  if (isNew) {
    part.operations = recorded.operationsOf(entity.origin);
    std::optional<sema::NodeTemplate> node = models.node(index, part);
    if (!node) {
      templates.erase(place);
      return;
    }
    node->name = names.intern(entity.origin);
    node->count = zero;
    node->range = {};
    node->requirements.clear();
    makeOptional(node->properties);
    for (sema::Capability &capability : node->capabilities)
      makeOptional(capability.properties);
    service.nodes.push_back(std::move(*node));
  }
  instances[entity.name] = templates.lookup(entity.origin);
}

void ObsoleteParts::addRequirement(const state::Entity &entity) {
  sema::RecordedPart part = recorded.part(entity);
  if (!models.concerns(index, part))
    return;
  auto source = instances.find(entity.source);
  auto target = instances.find(entity.target);
  if (source == instances.end() || target == instances.end() ||
      !known.insert({source->second, entity.origin}).second)
    return;
  sema::NodeTemplate &node = service.nodes[source->second];
  part.operations =
      recorded.operationsOf((node.name.str() + "." + entity.origin).str());
  std::optional<sema::Requirement> requirement =
      models.requirement(index, node, part);
  if (!requirement)
    return;
  requirement->name = names.intern(entity.origin);
  requirement->node = target->second;
  requirement->nodeIndex = nullptr;
  requirement->count = zero;
  requirement->optional = true;
  requirement->range = node.range;
  makeOptional(requirement->relationship.properties);
  node.requirements.push_back(std::move(*requirement));
}

bool toscac::mayHaveObsolete(const state::Deployment &recorded,
                             const sema::Service &service) {
  using Origin = std::pair<StringRef, StringRef>;
  llvm::DenseSet<Origin> known;
  for (const sema::NodeTemplate &node : service.nodes) {
    known.insert({node.name.str(), ""});
    for (const sema::Requirement &requirement : node.requirements)
      known.insert({node.name.str(), requirement.name.str()});
  }
  // Entities that are alike mostly stand together.
  Origin last;
  for (const state::Entity &entity : recorded.entities) {
    if (entity.kind == state::EntityKind::Service)
      continue;
    bool isNode = entity.kind == state::EntityKind::Node;
    StringRef node = isNode ? entity.name : entity.source;
    Origin own{node.take_until([](char c) { return c == '[' || c == ':'; }),
               isNode ? StringRef() : entity.origin};
    if (own == last || node.substr(own.first.size()).starts_with(":"))
      continue;
    if (!known.contains(own) || node.contains('/'))
      return true;
    last = own;
  }
  return false;
}

/// What decides about a service inside of them is as it was.
static void restoreProperties(const state::Deployment &recorded,
                              ValueArena &arena, sema::Service &service) {
  for (sema::NodeTemplate &node : service.nodes) {
    if (!node.isObsolete ||
        !llvm::is_contained(node.directives, sema::Directive::Substitute))
      continue;
    llvm::SmallVector<const state::Entity *> instances;
    for (const state::Entity &entity : recorded.entities)
      if (entity.kind == state::EntityKind::Node &&
          entity.origin == node.name.str() && !entity.name.contains('/')) {
        instances.resize(std::max<size_t>(instances.size(), entity.index + 1));
        instances[entity.index] = &entity;
      }
    for (sema::Assignment &property : node.properties) {
      llvm::SmallVector<const Expr *> each;
      for (const state::Entity *entity : instances) {
        const Value *value = entity && entity->properties.isMap()
                                 ? entity->properties.find(property.name.str())
                                 : nullptr;
        each.push_back(value ? arena.make(Expr::literal(*value))
                             : property.value);
      }
      if (!llvm::is_contained(each, nullptr))
        property.each = arena.save(llvm::ArrayRef<const Expr *>(each));
    }
  }
}

void toscac::addObsolete(const state::Deployment &recorded,
                         sema::ObsoleteModels &models, NameTable &names,
                         sema::CheckedProgram &program) {
  if (program.services.empty() ||
      !mayHaveObsolete(recorded, program.services.front()))
    return;
  RecordedParts known(recorded);
  for (uint32_t i = 0; i != program.services.size(); ++i) {
    if (i != 0 && !program.services[i].substitution)
      continue;
    ObsoleteParts parts(known, models, names, program, i);
    for (const state::Entity &entity : recorded.entities)
      if (entity.kind == state::EntityKind::Node)
        parts.addNode(entity);
    for (const state::Entity &entity : recorded.entities)
      if (entity.kind == state::EntityKind::Relationship)
        parts.addRequirement(entity);
  }
  restoreProperties(recorded, *program.arena, program.services.front());
  models.finish();
}

std::vector<std::pair<std::string, uint32_t>>
toscac::obsoleteTemplates(const sema::Service &service,
                          const state::Deployment &recorded) {
  std::vector<std::pair<std::string, uint32_t>> obsolete;
  llvm::DenseSet<StringRef> known;
  for (const sema::Group &group : service.groups)
    known.insert(group.name.str());
  for (const sema::NodeTemplate &node : service.nodes) {
    if (!node.isObsolete)
      known.insert(node.name.str());
    for (const sema::Requirement &requirement : node.requirements)
      if (requirement.isObsolete)
        obsolete.emplace_back(
            (node.name.str() + "." + requirement.name.str()).str(), 0);
  }
  if (recorded.nextIndex.isMap())
    for (const MapEntry &entry : recorded.nextIndex.entries())
      if (!known.contains(entry.key.asString()) && entry.value.isInteger())
        obsolete.emplace_back(entry.key.asString().str(),
                              uint32_t(entry.value.asInteger()));
  return obsolete;
}
