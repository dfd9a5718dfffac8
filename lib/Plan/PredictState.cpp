//===- PredictState.cpp - The state after a plan --------------------------===//

#include "toscac/Plan/PredictState.h"

#include "PlanData.h"
#include "StepInputs.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class Predictor {
public:
  Predictor(const PlanData &plan, ValueArena &arena)
      : plan(plan), graph(plan.graph()), arena(arena) {}

  Value inputs();
  Value indices(llvm::function_ref<uint32_t(const ir::NodeClass &)> of);
  state::Entity entity(ir::EntityId id);

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
  ValueArena &arena;
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

Value Predictor::indices(
    llvm::function_ref<uint32_t(const ir::NodeClass &)> of) {
  llvm::SmallVector<MapEntry, 8> entries;
  for (ir::NodeClassId id : graph.scopes[0].classes.ids()) {
    const ir::NodeClass &c = graph.nodeClasses[id.index];
    entries.push_back({Value::string(c.name.str()), Value::integer(of(c))});
  }
  return arena.map(entries);
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
      entries.push_back({Value::string(cell.name.str()),
                         plan.system.values[plan.run.history.value(at)]});
    }
    interfaces.push_back(
        {Value::string(machine.interface.str()), arena.map(entries)});
  }
  return arena.map(interfaces);
}

ArrayRef<llvm::StringRef> Predictor::groups(ir::NodeId node) {
  llvm::SmallVector<llvm::StringRef, 1> names;
  for (const ir::Group &group : graph.groups)
    for (const ir::Group::Instance &instance : group.instances)
      if (llvm::binary_search(instance.nodes, node))
        names.push_back(arena.save(
            (group.name.str() + "[" + llvm::Twine(instance.index) + "]")
                .str()));
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
  return entity;
}

state::Deployment toscac::plan::predictState(const Plan &plan,
                                             const PlanHeader &header,
                                             ValueArena &arena) {
  const ir::Graph &graph = plan->graph();
  Predictor predictor(*plan, arena);
  state::Deployment deployment;
  deployment.name = arena.save(header.deployment);
  if (graph.scopes.empty())
    return deployment;
  deployment.service = graph.scopes[0].service.str();
  if (!header.inputs.empty())
    deployment.templateDigest = arena.save(header.inputs.front().second);
  deployment.inputs = predictor.inputs();
  deployment.nextIndex = predictor.indices([](const ir::NodeClass &c) {
    return std::max(c.nextIndex, c.nodes.count);
  });
  deployment.counts =
      predictor.indices([](const ir::NodeClass &c) { return c.nodes.count; });
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (!graph.isService({i}) || !graph.machinesOf({i}).empty())
      deployment.entities.push_back(predictor.entity({i}));
  return deployment;
}
