//===- EntityFacts.cpp - The entities of a plan for pages -----------------===//

#include "EntityFacts.h"

#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace toscac;
using namespace toscac::planfile;
using state::EntityKind;
using state::PlannedChange;

/// With more entities, only the first of each family are told.
static constexpr size_t maxToldEntities = 1500;
static constexpr size_t maxOfFamily = 24;
/// Entities that are read before their memory is used again.
static constexpr uint32_t batch = 1024;

namespace {

/// Where relationships of a family lead.
struct Bundle {
  uint32_t count = 0;
  llvm::DenseMap<uint32_t, uint32_t> bySource;
  llvm::DenseMap<uint32_t, uint32_t> byTarget;
};

struct Family {
  std::vector<uint32_t> entities;
  std::string type;
  std::string capability;
  /// By family.
  std::map<uint32_t, Bundle> targets;
};

class EntityFacts {
public:
  EntityFacts(Plan &plan, const FoldedNames &names, JSONWriter &json)
      : plan(plan), names(names), json(json), families(names.numPatterns()) {}

  llvm::Error write();

private:
  using Use = llvm::function_ref<void(uint32_t, state::PlannedEntity &)>;
  llvm::Error forEach(llvm::function_ref<bool(uint32_t)> isMeant, Use use);
  llvm::Error collect();
  void writeFamily(uint32_t number);
  void writeChanges(const Family &family);
  void writeTargets(const Family &family);
  void writeEntity(uint32_t id, const state::PlannedEntity &entity);

  Plan &plan;
  const FoldedNames &names;
  JSONWriter &json;
  std::vector<Family> families;
};

} // namespace

llvm::Error EntityFacts::forEach(llvm::function_ref<bool(uint32_t)> isMeant,
                                 Use use) {
  for (uint32_t first = 0; first < plan.numEntities(); first += batch) {
    ValueArena arena;
    NameTable interned;
    JSONReader reader(arena, interned);
    for (uint32_t i = first;
         i != std::min<uint32_t>(first + batch, plan.numEntities()); ++i) {
      if (!isMeant(i))
        continue;
      llvm::Expected<state::PlannedEntity> entity =
          plan.entity(i, reader, arena);
      if (!entity)
        return entity.takeError();
      use(i, *entity);
    }
  }
  return llvm::Error::success();
}

llvm::Error EntityFacts::collect() {
  for (uint32_t i = 0; i != plan.numEntities(); ++i)
    families[names.pattern(i)].entities.push_back(i);
  // Of nodes, the first knows all that is asked for.
  auto isMeant = [&](uint32_t i) {
    return plan.entities()[i].kind == EntityKind::Relationship ||
           families[names.pattern(i)].entities.front() == i;
  };
  return forEach(isMeant, [&](uint32_t i, state::PlannedEntity &entity) {
    Family &family = families[names.pattern(i)];
    family.type = entity.content.type.str();
    if (plan.entities()[i].kind != EntityKind::Relationship)
      return;
    family.capability = entity.content.capability.str();
    Bundle &bundle = family.targets[names.pattern(entity.target)];
    ++bundle.count;
    ++bundle.bySource[entity.source];
    ++bundle.byTarget[entity.target];
  });
}

void EntityFacts::writeChanges(const Family &family) {
  std::map<PlannedChange, uint32_t> changes;
  for (uint32_t entity : family.entities)
    ++changes[plan.entities()[entity].change];
  changes.erase(PlannedChange::None);
  if (changes.empty())
    return;
  json.attributeBegin("changes");
  json.object([&] {
    for (auto [change, count] : changes)
      json.attribute(change == PlannedChange::Gone ? "gone" : spelling(change),
                     count);
  });
}

/// How many each has, if all have as many; 0: they differ.
static uint32_t uniform(const llvm::DenseMap<uint32_t, uint32_t> &counts) {
  uint32_t each = counts.begin()->second;
  for (auto [end, count] : counts)
    if (count != each)
      return 0;
  return each;
}

void EntityFacts::writeTargets(const Family &family) {
  json.attributeBegin("targets");
  json.array([&] {
    for (const auto &[target, bundle] : family.targets)
      json.object([&, target = target, &bundle = bundle] {
        json.attribute("family", target);
        json.attribute("count", bundle.count);
        json.attribute("sources", uint64_t(bundle.bySource.size()));
        json.attribute("targets", uint64_t(bundle.byTarget.size()));
        json.attribute("per_source", uniform(bundle.bySource));
        json.attribute("per_target", uniform(bundle.byTarget));
      });
  });
}

void EntityFacts::writeFamily(uint32_t number) {
  const Family &family = families[number];
  json.newLine();
  json.objectBegin();
  json.attribute("name", names.text(number));
  if (!family.entities.empty()) {
    const EntityHead &head = plan.entities()[family.entities.front()];
    json.attribute("kind", state::spelling(head.kind));
    json.attribute("own", plan.text(head.origin));
    json.attribute("type", family.type);
    json.attribute("folded", names.fold(family.entities));
    if (head.kind == EntityKind::Relationship) {
      json.attribute("source", names.pattern(head.source));
      json.attribute("capability", family.capability);
      writeTargets(family);
    }
  }
  json.attribute("count", uint64_t(family.entities.size()));
  writeChanges(family);
  json.objectEnd();
}

void EntityFacts::writeEntity(uint32_t id, const state::PlannedEntity &entity) {
  const EntityHead &head = plan.entities()[id];
  auto attribute = [&](llvm::StringRef key, const Value &value) {
    if (!value.isMap() || value.entries().empty())
      return;
    json.attributeBegin(key);
    writeJSON(json, value);
  };
  json.newLine();
  json.objectBegin();
  json.attribute("id", id);
  json.attribute("name", plan.entityName(id));
  json.attribute("family", names.pattern(id));
  if (head.kind == EntityKind::Relationship)
    json.attribute("target", plan.entityName(entity.target));
  if (llvm::StringRef change = spelling(head.change); !change.empty())
    json.attribute("change", change);
  if (head.reason != none)
    json.attribute("reason", plan.text(head.reason));
  if (!entity.content.groups.empty()) {
    json.attributeBegin("groups");
    json.array([&] {
      for (llvm::StringRef group : entity.content.groups)
        json.value(group);
    });
  }
  attribute("properties", entity.content.properties);
  attribute("attributes", entity.content.attributes);
  attribute("cells", entity.content.cells);
  json.objectEnd();
}

llvm::Error EntityFacts::write() {
  if (llvm::Error error = collect())
    return error;
  json.newLine();
  json.attributeBegin("families");
  json.array([&] {
    for (uint32_t i = 0; i != families.size(); ++i)
      writeFamily(i);
  });
  llvm::BitVector told(plan.numEntities());
  for (const Family &family : families)
    for (uint32_t entity :
         plan.numEntities() <= maxToldEntities
             ? llvm::ArrayRef(family.entities)
             : llvm::ArrayRef(family.entities)
                   .take_front(std::min(maxOfFamily, family.entities.size())))
      told.set(entity);
  json.newLine();
  json.attributeBegin("entities");
  json.arrayBegin();
  llvm::Error error = forEach([&](uint32_t i) { return told.test(i); },
                              [&](uint32_t i, state::PlannedEntity &entity) {
                                writeEntity(i, entity);
                              });
  json.arrayEnd();
  return error;
}

llvm::Error planfile::writeEntityFacts(Plan &plan, const FoldedNames &names,
                                       JSONWriter &json) {
  return EntityFacts(plan, names, json).write();
}
