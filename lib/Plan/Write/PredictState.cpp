//===- PredictState.cpp - The state after a plan --------------------------===//

#include "toscac/Plan/PredictState.h"

#include "ListedEntities.h"
#include "NodeGroups.h"
#include "Steps/StepInputs.h"
#include "toscac/State/Journal.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class Predictor {
public:
  Predictor(const PlanData &plan, const state::Deployment *before,
            ValueArena &arena)
      : plan(plan), graph(plan.graph()), nodeGroups(graph), arena(arena) {
    if (before)
      for (const state::Entity &entity : before->entities)
        recorded[entity.name] = &entity;
  }

  Value inputs();
  Value nextIndices(llvm::ArrayRef<InstanceNumbers> numbers);
  Value counts(llvm::ArrayRef<InstanceNumbers> numbers);
  state::Entity entity(ir::EntityId id);
  /// What was there before comes first, as it was.
  void sort(std::vector<state::Entity> &entities) const;

private:
  void describe(ir::NodeId node, state::Entity &entity);
  void describe(ir::RelationshipId relationship, state::Entity &entity);
  Value columns(ArrayRef<ir::ValueColumn> columns, uint32_t row,
                ir::EntityId id);
  Value cells(ir::EntityId id);
  ArrayRef<llvm::StringRef> groups(ir::NodeId node);
  llvm::StringRef typeName(ir::TypeId type) const {
    return type ? graph.types[type.index].name.str() : "";
  }

  const PlanData &plan;
  const ir::Graph &graph;
  NodeGroups nodeGroups;
  ValueArena &arena;
  llvm::DenseMap<llvm::StringRef, const state::Entity *> recorded;
};

} // namespace

Value Predictor::inputs() {
  llvm::SmallVector<MapEntry, 8> entries;
  for (const ir::InputValue &input : graph.inputs)
    if (!input.sensitive && input.value && input.value->isLiteral())
      entries.push_back(
          {Value::string(input.name.str()), input.value->value()});
  return arena.map(entries);
}

Value Predictor::nextIndices(ArrayRef<InstanceNumbers> numbers) {
  llvm::SmallVector<MapEntry, 8> entries;
  for (const InstanceNumbers &each : numbers)
    entries.push_back(
        {arena.string(each.name), Value::integer(each.nextIndex)});
  return arena.map(entries);
}

Value Predictor::counts(ArrayRef<InstanceNumbers> numbers) {
  llvm::SmallVector<MapEntry, 8> entries;
  for (const InstanceNumbers &each : numbers)
    if (each.count)
      entries.push_back({arena.string(each.name), Value::integer(*each.count)});
  return arena.map(entries);
}

/// Whether one of \p entities is of \p origin, a template or a requirement of
/// one.
static bool hasInstance(ArrayRef<state::Entity> entities,
                        llvm::StringRef origin) {
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

/// What is gone and has nothing left is not needed any more.
static Value operationsAfter(const ir::Deployment &before,
                             ArrayRef<state::Entity> entities,
                             ValueArena &arena) {
  if (!before.operations.isMap())
    return Value();
  llvm::SmallVector<MapEntry, 8> entries;
  for (const MapEntry &entry : before.operations.entries()) {
    llvm::StringRef name = entry.key.asString();
    bool isObsolete = llvm::any_of(before.obsolete, [&](const auto &gone) {
      return gone.name == name || gone.name == name.split('.').first;
    });
    if (!isObsolete || hasInstance(entities, name))
      entries.push_back(entry);
  }
  return entries.empty() ? Value() : arena.map(entries);
}

Value Predictor::columns(ArrayRef<ir::ValueColumn> columns, uint32_t row,
                         ir::EntityId id) {
  llvm::SmallVector<MapEntry, 8> entries;
  for (const ir::ValueColumn &column : columns) {
    const Expr *value = column.values.at(row);
    if (!value)
      continue;
    const Expr *known = residual(plan.run, *value, id, arena);
    if (known && known->isLiteral())
      entries.push_back({Value::string(column.name.str()), known->value()});
  }
  return arena.map(entries);
}

Value Predictor::cells(ir::EntityId id) {
  const Layout &layout = plan.system.layout;
  llvm::SmallVector<MapEntry, 2> interfaces;
  for (SlotId slot : layout.slotsOf(id).ids()) {
    const ir::Machine &machine = layout.machine(slot);
    if (machine.cells.empty())
      continue;
    llvm::SmallVector<MapEntry, 4> entries;
    for (auto [i, cell] : llvm::enumerate(machine.cells)) {
      CellId at = layout.cell(slot, layout.rowOf(slot, id), i);
      ValueId value = plan.run.history.value(at);
      if (value == atRunTime)
        value = plan.run.history.initial(at);
      entries.push_back(
          {Value::string(cell.name.str()), plan.system.values[value]});
    }
    interfaces.push_back(
        {Value::string(machine.interface.str()), arena.map(entries)});
  }
  return arena.map(interfaces);
}

ArrayRef<llvm::StringRef> Predictor::groups(ir::NodeId node) {
  llvm::SmallVector<llvm::StringRef, 1> names;
  for (const std::string &name : nodeGroups.of(node))
    names.push_back(arena.save(name));
  return arena.save(ArrayRef<llvm::StringRef>(names));
}

void Predictor::describe(ir::NodeId node, state::Entity &entity) {
  const ir::NodeClass &c = graph.classOf(node);
  ir::EntityId id = graph.entity(node);
  entity.kind = state::EntityKind::Node;
  entity.index = graph.indexOfNode[node.index];
  entity.origin = c.name.str();
  entity.type = typeName(c.type);
  entity.groups = groups(node);
  entity.properties = columns(c.properties, graph.row(node), id);
  entity.attributes = columns(c.attributes, graph.row(node), id);
}

void Predictor::describe(ir::RelationshipId relationship,
                         state::Entity &entity) {
  const ir::RelationshipClass &c = graph.classOf(relationship);
  ir::NodeId target = graph.target[relationship.index];
  ir::EntityId id = graph.entity(relationship);
  entity.kind = state::EntityKind::Relationship;
  entity.index = graph.indexOfRelationship[relationship.index];
  entity.origin = c.requirement.str();
  entity.type = typeName(c.type);
  entity.source = arena.save(graph.nameOf(graph.source[relationship.index]));
  entity.target = arena.save(graph.nameOf(target));
  entity.capability = graph.classOf(target)
                          .capabilities[graph.capability[relationship.index]]
                          .name.str();
  entity.properties = columns(c.properties, graph.row(relationship), id);
  entity.attributes = columns(c.attributes, graph.row(relationship), id);
}

void Predictor::sort(std::vector<state::Entity> &entities) const {
  if (recorded.empty())
    return;
  // Entities of one deployment stand in one array.
  auto place = [&](const state::Entity &entity) {
    auto found = recorded.find(entity.name);
    return std::pair(found == recorded.end(),
                     found == recorded.end() ? nullptr : found->second);
  };
  llvm::stable_sort(entities,
                    [&](const state::Entity &a, const state::Entity &b) {
                      return place(a) < place(b);
                    });
}

state::Entity Predictor::entity(ir::EntityId id) {
  state::Entity entity;
  entity.name = arena.save(graph.nameOf(id));
  if (graph.isNode(id))
    describe(graph.node(id), entity);
  else if (graph.isRelationship(id))
    describe(graph.relationship(id), entity);
  else
    entity.kind = state::EntityKind::Service;
  entity.cells = cells(id);
  // What an earlier run has left in attributes that nobody defines.
  if (auto before = recorded.find(entity.name); before != recorded.end())
    entity.attributes =
        state::merge(before->second->attributes, entity.attributes, arena);
  return entity;
}

state::Deployment toscac::plan::predictState(const Plan &plan,
                                             const state::Deployment *before,
                                             ValueArena &arena) {
  const ir::Graph &graph = plan->graph();
  Predictor predictor(*plan, before, arena);
  state::Deployment deployment;
  const ir::Deployment &told = graph.deployment;
  deployment.name = told.name.empty() ? "default" : arena.save(told.name);
  if (graph.subgraphs.empty())
    return deployment;
  deployment.service = graph.subgraphs[0].service.str();
  if (!told.files.empty())
    deployment.templateDigest = arena.save(told.files.front().digest);
  deployment.inputs = predictor.inputs();
  std::vector<InstanceNumbers> numbers = instanceNumbers(graph);
  deployment.nextIndex = predictor.nextIndices(numbers);
  deployment.counts = predictor.counts(numbers);
  if (auto shared = sharedAfter(graph, arena))
    deployment.shared = std::move(*shared);
  else if (before)
    deployment.shared = before->shared;
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if ((!graph.isService({i}) || !graph.machinesOf({i}).empty()) &&
        !leaves(*plan, {i}))
      deployment.entities.push_back(predictor.entity({i}));
  predictor.sort(deployment.entities);
  deployment.operations = operationsAfter(told, deployment.entities, arena);
  return deployment;
}
