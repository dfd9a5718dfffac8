//===- PredictState.cpp - The state after a plan --------------------------===//
///
/// \file
/// What a run of the plan would record if each step succeeded, applied to the
/// state as the store applies real runs.
///
//===----------------------------------------------------------------------===//

#include "toscac/Plan/PredictState.h"

#include "toscac/State/ApplyRun.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class Predictor {
public:
  Predictor(Plan &plan, ValueArena &arena)
      : plan(plan), arena(arena), json(arena, names) {}

  llvm::Expected<state::Deployment> predict(const state::Deployment *before);

private:
  llvm::Error readEntities();
  llvm::Error playSteps();
  void write(uint32_t entity, StringRef interface, const Expr *cells);
  llvm::Error readHeader(state::Deployment &deployment);
  llvm::Error readMap(StringRef text, Value &result);
  Value known(const Value &map);
  Value operationsAfter(const Value &operations,
                        const state::Deployment &deployment);

  Plan &plan;
  ValueArena &arena;
  NameTable names;
  JSONReader json;
  state::PlanEntities entities{arena};
  state::Journal journal;
};

} // namespace

/// Whether \p value, as a plan says it, is all there: nothing in it becomes
/// known only by a run.
static bool isKnown(const Value &value) {
  if (value.isList())
    return llvm::all_of(value.items(), isKnown);
  if (!value.isMap())
    return true;
  if (value.entries().size() == 1) {
    const Value &key = value.entries().front().key;
    if (key.isString() && key.asString().starts_with("$") &&
        !key.asString().starts_with("$$"))
      return false;
  }
  return llvm::all_of(value.entries(), [](const MapEntry &entry) {
    return isKnown(entry.value);
  });
}

/// The entries of \p map that are known.
Value Predictor::known(const Value &map) {
  if (!map.isMap())
    return map;
  llvm::SmallVector<MapEntry> entries;
  for (const MapEntry &entry : map.entries())
    if (isKnown(entry.value))
      entries.push_back(entry);
  return entries.size() == map.entries().size() ? map : arena.map(entries);
}

llvm::Error Predictor::readEntities() {
  for (uint32_t i = 0; i != plan.numEntities(); ++i) {
    llvm::Expected<state::PlannedEntity> entity = plan.entity(i, json, arena);
    if (!entity)
      return entity.takeError();
    entity->content.properties = known(entity->content.properties);
    entity->content.attributes = known(entity->content.attributes);
    entities.add(*entity);
  }
  return entities.resolve();
}

void Predictor::write(uint32_t entity, StringRef interface, const Expr *cells) {
  if (!cells)
    return;
  if (cells->isLiteral()) {
    if (cells->value().isMap())
      journal.cells.push_back({entity, interface, cells->value()});
    return;
  }
  llvm::SmallVector<MapEntry> entries;
  ArrayRef<Expr> parts = cells->children();
  for (; parts.size() > 1; parts = parts.drop_front(2))
    if (parts[0].isLiteral() && parts[1].isLiteral())
      entries.push_back({parts[0].value(), parts[1].value()});
  if (!entries.empty())
    journal.cells.push_back({entity, interface, arena.map(entries)});
}

/// Steps stand in an order in which they can run, and the order of others does
/// not matter.
llvm::Error Predictor::playSteps() {
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    journal.ended[i] = state::Outcome::Done;
    const StepHead &head = plan.steps()[i];
    if (head.kind == StepKind::Join || head.entity == none)
      continue;
    llvm::Expected<Step> step = plan.step(i, json, arena);
    if (!step)
      return step.takeError();
    StringRef interface = plan.text(head.interface);
    write(head.entity, interface, step->entry);
    write(head.entity, interface, step->success);
  }
  return llvm::Error::success();
}

llvm::Error Predictor::readMap(StringRef text, Value &result) {
  llvm::Expected<Value> map = json.value(text);
  if (!map)
    return map.takeError();
  result = *map;
  return llvm::Error::success();
}

/// Whether one of \p entities is of \p origin, a template or a requirement of
/// one.
static bool hasInstance(ArrayRef<state::Entity> entities, StringRef origin) {
  auto [node, requirement] = origin.split('.');
  return llvm::any_of(entities, [&, node = node, requirement = requirement](
                                    const state::Entity &entity) {
    return requirement.empty()
               ? entity.kind == state::EntityKind::Node && entity.origin == node
               : entity.kind == state::EntityKind::Relationship &&
                     entity.origin == requirement &&
                     entity.source.rsplit('[').first == node;
  });
}

/// Those of a template that the file does not have any more are not needed when
/// its last instance has gone.
Value Predictor::operationsAfter(const Value &operations,
                                 const state::Deployment &deployment) {
  if (!operations.isMap())
    return Value();
  llvm::SmallVector<MapEntry> entries;
  for (const MapEntry &entry : operations.entries()) {
    StringRef name = entry.key.asString();
    bool isCounted = deployment.counts.isMap() &&
                     deployment.counts.find(name.split('.').first);
    if (isCounted || hasInstance(deployment.entities, name))
      entries.push_back(entry);
  }
  return entries.empty() ? Value() : arena.map(entries);
}

llvm::Error Predictor::readHeader(state::Deployment &deployment) {
  const PlanHeader &header = plan.header();
  deployment.name = header.deployment;
  deployment.service = header.service;
  if (!header.inputs.empty())
    deployment.templateDigest = header.inputs.front().second;
  deployment.inputs = knownInputs(header, arena);
  deployment.knownDigest = {};
  llvm::Error error =
      llvm::joinErrors(readMap(header.nextIndex, deployment.nextIndex),
                       readMap(header.counts, deployment.counts));
  if (error || header.shared.empty())
    return error;
  llvm::Expected<Value> shared = json.value(header.shared);
  if (!shared)
    return shared.takeError();
  deployment.shared.clear();
  for (const Value &link : shared->items()) {
    auto textOf = [&](StringRef key) {
      const Value *text = link.isMap() ? link.find(key) : nullptr;
      return text && text->isString() ? text->asString() : StringRef();
    };
    const Value *content = link.isMap() ? link.find("content") : nullptr;
    deployment.shared.push_back({textOf("name"), textOf("type"),
                                 textOf("provider"),
                                 content ? *content : Value()});
  }
  return error;
}

llvm::Expected<state::Deployment>
Predictor::predict(const state::Deployment *before) {
  state::LoadedDeployment loaded;
  if (before)
    loaded.content = *before;
  loaded.positions.resize(loaded.content.entities.size());
  loaded.changes.resize(loaded.content.entities.size());
  state::Deployment &after = loaded.content;
  if (llvm::Error error = readHeader(after))
    return error;
  if (llvm::Error error = readEntities())
    return error;
  if (llvm::Error error = playSteps())
    return error;
  applyRun(entities, journal, /*isComplete=*/true, state::InFlight::Running,
           loaded, arena);
  loaded.dropRemoved();
  Value operations;
  if (llvm::Error error = readMap(plan.header().operations, operations))
    return error;
  after.operations = operationsAfter(operations, after);
  return std::move(after);
}

llvm::Expected<state::Deployment>
planfile::predictState(Plan &plan, const state::Deployment *before,
                       ValueArena &arena) {
  return Predictor(plan, arena).predict(before);
}
