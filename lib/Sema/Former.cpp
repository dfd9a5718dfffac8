//===- Former.cpp - What a deployment still has ---------------------------===//

#include "toscac/Sema/Former.h"

#include "toscac/Basic/Name.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

namespace {

class FormerParts {
public:
  FormerParts(const FormerModels &models, NameTable &names, ValueArena &arena,
              Service &service)
      : models(models), names(names), service(service),
        zero(arena.make(Expr::literal(Value::integer(0)))) {
    for (auto [index, node] : llvm::enumerate(service.nodes)) {
      templates[node.name.str()] = index;
      for (const Requirement &requirement : node.requirements)
        known.insert({index, requirement.name.str()});
    }
  }

  void addNode(const state::Entity &entity);
  void addRequirement(const state::Entity &entity);

private:
  const FormerModels &models;
  NameTable &names;
  Service &service;
  const Expr *zero;
  /// Indices of nodes by their names, and by those of their instances.
  llvm::DenseMap<StringRef, uint32_t> templates;
  llvm::DenseMap<StringRef, uint32_t> instances;
  /// Requirements by index of the node, and name.
  llvm::DenseSet<std::pair<uint32_t, StringRef>> known;
};

} // namespace

void FormerParts::addNode(const state::Entity &entity) {
  auto [place, isNew] =
      templates.try_emplace(entity.origin, service.nodes.size());
  if (isNew) {
    std::optional<NodeTemplate> node = models.node(entity);
    if (!node) {
      templates.erase(place);
      return;
    }
    node->name = names.intern(entity.origin);
    node->count = zero;
    node->range = {};
    node->requirements.clear();
    service.nodes.push_back(std::move(*node));
  }
  instances[entity.name] = templates.lookup(entity.origin);
}

void FormerParts::addRequirement(const state::Entity &entity) {
  auto source = instances.find(entity.source);
  auto target = instances.find(entity.target);
  if (source == instances.end() || target == instances.end() ||
      !known.insert({source->second, entity.origin}).second)
    return;
  NodeTemplate &node = service.nodes[source->second];
  std::optional<Requirement> requirement = models.requirement(node, entity);
  if (!requirement)
    return;
  requirement->name = names.intern(entity.origin);
  requirement->node = target->second;
  requirement->nodeIndex = nullptr;
  requirement->count = zero;
  requirement->optional = true;
  requirement->range = node.range;
  node.requirements.push_back(std::move(*requirement));
}

bool sema::mayHaveFormer(const state::Deployment &recorded,
                         const Service &service) {
  using Origin = std::pair<StringRef, StringRef>;
  llvm::DenseSet<Origin> known;
  for (const NodeTemplate &node : service.nodes) {
    known.insert({node.name.str(), ""});
    for (const Requirement &requirement : node.requirements)
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

void sema::addFormer(const state::Deployment &recorded,
                     const FormerModels &models, NameTable &names,
                     ValueArena &arena, Service &service) {
  FormerParts parts(models, names, arena, service);
  auto concerns = [&](const state::Entity &entity, state::EntityKind kind) {
    return entity.kind == kind && (!models.concerns || models.concerns(entity));
  };
  for (const state::Entity &entity : recorded.entities)
    if (concerns(entity, state::EntityKind::Node))
      parts.addNode(entity);
  for (const state::Entity &entity : recorded.entities)
    if (concerns(entity, state::EntityKind::Relationship))
      parts.addRequirement(entity);
}

std::vector<std::pair<std::string, uint32_t>>
sema::formerTemplates(const Service &service,
                      const state::Deployment &recorded) {
  std::vector<std::pair<std::string, uint32_t>> former;
  llvm::DenseSet<StringRef> known;
  for (const Group &group : service.groups)
    known.insert(group.name.str());
  for (const NodeTemplate &node : service.nodes) {
    if (!node.isFormer)
      known.insert(node.name.str());
    for (const Requirement &requirement : node.requirements)
      if (requirement.isFormer)
        former.emplace_back(
            (node.name.str() + "." + requirement.name.str()).str(), 0);
  }
  if (recorded.nextIndex.isMap())
    for (const MapEntry &entry : recorded.nextIndex.entries())
      if (!known.contains(entry.key.asString()) && entry.value.isInteger())
        former.emplace_back(entry.key.asString().str(),
                            uint32_t(entry.value.asInteger()));
  return former;
}
