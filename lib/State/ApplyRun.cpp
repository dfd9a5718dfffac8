//===- ApplyRun.cpp - A journal applied to a deployment -------------------===//
///
/// \file
/// Entities that the plan adds are there from the start of the run, and so are
/// new names and what the workflow itself has set in cells. What the plan
/// changes in properties of those that existed is true once they have been
/// taken down or told (`renewed`) or, where the plan does not say, once a step
/// has begun to work on them; or all of the plan is done.
///
//===----------------------------------------------------------------------===//

#include "toscac/State/ApplyRun.h"

using namespace toscac;
using namespace toscac::state;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

llvm::Error PlanEntities::add(StringRef lines, JSONReader &json) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    lines = rest;
    if (line.empty())
      continue;
    llvm::Expected<PlannedEntity> entity = readPlannedEntity(line, json, arena);
    if (!entity)
      return entity.takeError();
    items.push_back(*entity);
  }
  return llvm::Error::success();
}

llvm::Error PlanEntities::resolve() {
  for (PlannedEntity &item : items) {
    if (item.content.kind != EntityKind::Relationship)
      continue;
    if (item.source >= items.size() || item.target >= items.size())
      return llvm::createStringError("a relationship has an end that the plan "
                                     "does not list");
    item.content.source = items[item.source].content.name;
    item.content.target = items[item.target].content.name;
  }
  return llvm::Error::success();
}

namespace {

class Application {
public:
  Application(const PlanEntities &entities, const Journal &journal,
              LoadedDeployment &deployment, ValueArena &arena)
      : entities(entities), journal(journal), deployment(deployment),
        arena(arena) {}

  void place(bool isComplete);
  void writeCells(InFlight inFlight);
  /// Fails what a run that has ended was to carry out by other steps.
  void failLasting();
  void writeAttributes();
  void remove();

private:
  void placeOne(uint32_t id, bool isComplete);
  void placeCells(const Entity &planned, Entity &entity);
  void writeCellsOf(uint32_t id, ArrayRef<const CellWrite *> writes);
  void markUpdated(size_t row) {
    if (deployment.changes[row] == EntityChange::None)
      deployment.changes[row] = EntityChange::Updated;
  }
  Entity &entityAt(size_t row) { return deployment.content.entities[row]; }
  bool areDone(ArrayRef<uint32_t> steps) const;
  /// Whether the entity is what the plan makes of it.
  bool isRenewed(uint32_t id) const {
    if (std::optional<ArrayRef<uint32_t>> steps = entities.all()[id].renewed)
      return areDone(*steps);
    return id < journal.touched.size() && journal.touched.test(id);
  }

  const PlanEntities &entities;
  const Journal &journal;
  LoadedDeployment &deployment;
  ValueArena &arena;
  llvm::DenseMap<StringRef, size_t> known;
  /// Number in the plan → row.
  std::vector<size_t> rows;
};

} // namespace

bool Application::areDone(ArrayRef<uint32_t> steps) const {
  return llvm::all_of(steps, [&](uint32_t step) {
    auto ended = journal.ended.find(step);
    return ended != journal.ended.end() && ended->second != Outcome::Failed;
  });
}

void Application::placeOne(uint32_t id, bool isComplete) {
  const Entity &planned = entities.all()[id].content;
  StringRef movedFrom = entities.all()[id].movedFrom;
  auto found = known.find(movedFrom.empty() ? planned.name : movedFrom);
  // A run that goes on has moved it already.
  if (found == known.end() && !movedFrom.empty())
    found = known.find(planned.name);
  if (found == known.end()) {
    rows.push_back(deployment.content.entities.size());
    deployment.content.entities.push_back(planned);
    deployment.positions.push_back(0);
    deployment.changes.push_back(EntityChange::Added);
    return;
  }
  rows.push_back(found->second);
  Entity &entity = entityAt(found->second);
  entity.name = planned.name;
  entity.origin = planned.origin;
  entity.source = planned.source;
  entity.target = planned.target;
  placeCells(planned, entity);
  markUpdated(found->second);
  if (!isComplete && !isRenewed(id))
    return;
  Value attributes = entity.attributes, cells = entity.cells;
  entity = planned;
  entity.attributes = merge(planned.attributes, attributes, arena);
  entity.cells = cells;
}

/// The plan knows the cells as they were, those that a new type adds, and what
/// the workflow itself has set.
void Application::placeCells(const Entity &planned, Entity &entity) {
  if (!planned.cells.isMap())
    return;
  for (const MapEntry &interface : planned.cells.entries()) {
    const Value *before =
        entity.cells.isMap() ? entity.cells.find(interface.key) : nullptr;
    Value merged = merge(before ? *before : Value(), interface.value, arena);
    entity.cells = *withPart(entity.cells, interface.key, merged, arena);
  }
}

void Application::place(bool isComplete) {
  for (auto [row, entity] : llvm::enumerate(deployment.content.entities))
    if (deployment.changes[row] != EntityChange::Removed)
      known[entity.name] = row;
  for (uint32_t id = 0; id < entities.all().size(); ++id)
    placeOne(id, isComplete);
}

/// The entries of \p map in an order that does not tell which step was faster:
/// as in \p base, then those that are new, by name.
static Value inOrder(const Value &base, const Value &map, ValueArena &arena) {
  size_t known = base.isMap() ? base.entries().size() : 0;
  if (!map.isMap() || map.entries().size() <= known + 1)
    return map;
  SmallVector<MapEntry> entries(map.entries());
  // Changes keep the place of an entry, and new ones are added at the end.
  llvm::sort(entries.begin() + known, entries.end(),
             [](const MapEntry &a, const MapEntry &b) {
               return a.key.asString() < b.key.asString();
             });
  return arena.map(entries);
}

/// One new map for all writes to an entity: the last one to a cell counts.
void Application::writeCellsOf(uint32_t id,
                               ArrayRef<const CellWrite *> writes) {
  Entity &entity = entityAt(rows[id]);
  SmallVector<MapEntry, 4> interfaces;
  if (entity.cells.isMap())
    llvm::append_range(interfaces, entity.cells.entries());
  for (const CellWrite *write : writes) {
    auto *same = llvm::find_if(interfaces, [&](const MapEntry &entry) {
      return entry.key.asString() == write->interface;
    });
    if (same == interfaces.end())
      interfaces.push_back({Value::string(write->interface), write->cells});
    else
      same->value = merge(same->value, write->cells, arena);
  }
  Value base = entity.cells;
  for (MapEntry &interface : interfaces) {
    const Value *before = base.isMap() ? base.find(interface.key) : nullptr;
    interface.value =
        inOrder(before ? *before : Value(), interface.value, arena);
  }
  entity.cells = inOrder(base, arena.map(interfaces), arena);
  markUpdated(rows[id]);
}

void Application::writeCells(InFlight inFlight) {
  std::vector<const CellWrite *> writes;
  for (const CellWrite &write : journal.cells)
    writes.push_back(&write);
  if (inFlight == InFlight::Failed)
    for (const auto &entry : journal.inFlight)
      if (entry.second.hasFailure)
        writes.push_back(&entry.second.failure);
  llvm::stable_sort(writes, [](const CellWrite *a, const CellWrite *b) {
    return a->entity < b->entity;
  });
  ArrayRef<const CellWrite *> rest = writes;
  while (!rest.empty()) {
    uint32_t id = rest.front()->entity;
    ArrayRef<const CellWrite *> same = rest.take_while(
        [&](const CellWrite *write) { return write->entity == id; });
    rest = rest.drop_front(same.size());
    if (id < rows.size())
      writeCellsOf(id, same);
  }
}

/// The part \p key of \p map; nil: there is none.
static Value partOf(const Value &map, const Value &key) {
  const Value *part = map.isMap() ? map.find(key) : nullptr;
  return part ? *part : Value();
}

void Application::failLasting() {
  for (auto [id, item] : llvm::enumerate(entities.all())) {
    if (!item.lasting.isList())
      continue;
    Entity &entity = entityAt(rows[id]);
    for (const Value &operation : item.lasting.items()) {
      Value interface = partOf(operation, Value::string("interface"));
      Value entry = partOf(operation, Value::string("entry"));
      Value now = partOf(entity.cells, interface);
      bool isOn = entry.isMap() && now.isMap() &&
                  llvm::all_of(entry.entries(), [&](const MapEntry &cell) {
                    return partOf(now, cell.key) == cell.value;
                  });
      if (!isOn)
        continue;
      Value failure = partOf(operation, Value::string("failure"));
      entity.cells =
          *withPart(entity.cells, interface, merge(now, failure, arena), arena);
      markUpdated(rows[id]);
    }
  }
}

void Application::writeAttributes() {
  llvm::MapVector<size_t, Value> bases;
  for (const AttributeWrite &write : journal.attributes) {
    if (write.entity >= rows.size())
      continue;
    Entity &entity = entityAt(rows[write.entity]);
    bases.insert({rows[write.entity], entity.attributes});
    if (std::optional<Value> changed =
            withPart(entity.attributes, write.path, write.value, arena))
      entity.attributes = *changed;
    markUpdated(rows[write.entity]);
  }
  for (const auto &[row, base] : bases)
    entityAt(row).attributes = inOrder(base, entityAt(row).attributes, arena);
}

void Application::remove() {
  for (auto [id, item] : llvm::enumerate(entities.all()))
    if (item.gone && areDone(*item.gone))
      deployment.changes[rows[id]] = EntityChange::Removed;
}

void LoadedDeployment::dropRemoved() {
  std::vector<Entity> kept;
  for (auto [entity, change] : llvm::zip(content.entities, changes))
    if (change != EntityChange::Removed)
      kept.push_back(entity);
  content.entities = std::move(kept);
}

void state::applyRun(const PlanEntities &entities, const Journal &journal,
                     bool isComplete, InFlight inFlight,
                     LoadedDeployment &deployment, ValueArena &arena) {
  Application application(entities, journal, deployment, arena);
  application.place(isComplete);
  application.writeCells(inFlight);
  if (inFlight == InFlight::Failed)
    application.failLasting();
  application.writeAttributes();
  application.remove();
}
