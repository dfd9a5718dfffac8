//===- ResolveSteps.cpp - What steps do, resolved -------------------------===//

#include "ResolveSteps.h"

#include "Steps/Machines.h"
#include "Steps/StepInputs.h"
#include "System/CellOutputs.h"
#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::StringRef;
using planfile::StepBody;
using planfile::StepHandler;

static bool hasSecrets(const ir::Graph &graph) {
  auto isSecret = [](const ir::ValueColumn &column) {
    return column.sensitive;
  };
  return llvm::any_of(graph.nodeClasses,
                      [&](const ir::NodeClass &own) {
                        return llvm::any_of(own.attributes, isSecret) ||
                               llvm::any_of(
                                   own.capabilities,
                                   [&](const ir::CapabilityColumns &each) {
                                     return llvm::any_of(each.attributes,
                                                         isSecret);
                                   });
                      }) ||
         llvm::any_of(graph.relationshipClasses,
                      [&](const ir::RelationshipClass &own) {
                        return llvm::any_of(own.attributes, isSecret);
                      });
}

static bool setLiterals(const ir::Reaction &reaction) {
  return llvm::all_of(
      reaction.sets, [](const ir::Set &set) { return set.value->isLiteral(); });
}

namespace {

/// Makes one body.
class BodyMaker {
public:
  BodyMaker(const PlanData &plan, const Invocation &invocation,
            ArrayRef<uint32_t> entities, ArrayRef<uint32_t> artifacts,
            ValueArena &arena)
      : plan(plan), invocation(invocation), entities(entities),
        artifacts(artifacts), arena(arena) {}

  void make(const Expr *guard, StepBody &body);

private:
  const Expr *numbered(const Expr &expr) {
    return expr.isLiteral() ? &expr
                            : arena.make(renumber(expr, entities, arena));
  }
  void makeHandler(const ir::Operation &operation, const ir::Handler &handler,
                   StepHandler &made);
  void addOutput(const ir::OutputMapping &output, StepHandler &made);
  /// Whether the attribute that an output becomes is marked so.
  bool isSensitive(const ir::OutputMapping &output) const;
  /// The cell that an output becomes; null: it is an attribute.
  const ir::Cell *cellOf(const ir::OutputMapping &output) const;
  const Expr *makeSets(const ir::Machine &machine, ArrayRef<ir::Set> sets,
                       ir::EntityId entity);
  /// Names and values in turn; null: there are none.
  const Expr *makeMap(ArrayRef<std::pair<Name, const Expr *>> entries);

  const PlanData &plan;
  const Invocation &invocation;
  ArrayRef<uint32_t> entities;
  ArrayRef<uint32_t> artifacts;
  ValueArena &arena;
};

} // namespace

static bool isMarked(ArrayRef<ir::ValueColumn> columns, Name name) {
  return llvm::any_of(columns, [&](const ir::ValueColumn &column) {
    return column.name == name && column.sensitive;
  });
}

bool BodyMaker::isSensitive(const ir::OutputMapping &output) const {
  if (output.target.size() < 2)
    return false;
  const ir::Graph &graph = plan.graph();
  ir::EntityId entity = plan.system.layout.entityOf(invocation.event);
  StringRef start = output.target[0].str();
  if (graph.isRelationship(entity)) {
    ir::RelationshipId own = graph.relationship(entity);
    if (start != "SOURCE" && start != "TARGET")
      return isMarked(graph.classOf(own).attributes, output.target[1]);
    entity = graph.entity(start == "SOURCE" ? graph.source[own.index]
                                            : graph.target[own.index]);
  }
  if (!graph.isNode(entity))
    return false;
  const ir::NodeClass &nodes = graph.classOf(graph.node(entity));
  return isMarked(nodes.attributes, output.target[1]) ||
         (output.target.size() > 2 &&
          llvm::any_of(
              nodes.capabilities, [&](const ir::CapabilityColumns &capability) {
                return capability.name == output.target[1] &&
                       isMarked(capability.attributes, output.target[2]);
              }));
}

const ir::Cell *BodyMaker::cellOf(const ir::OutputMapping &output) const {
  const Layout &layout = plan.system.layout;
  const ir::Machine &machine =
      layout.machine(layout.place(invocation.event).slot);
  std::optional<uint32_t> cell = plan::cellOf(machine, output);
  return cell ? &machine.cells[*cell] : nullptr;
}

const Expr *
BodyMaker::makeMap(ArrayRef<std::pair<Name, const Expr *>> entries) {
  if (entries.empty())
    return nullptr;
  if (llvm::all_of(entries, [](const auto &entry) {
        return entry.second->isLiteral();
      })) {
    llvm::SmallVector<MapEntry, 4> values;
    for (const auto &[name, value] : entries)
      values.push_back({Value::string(name.str()), value->value()});
    return arena.make(Expr::literal(arena.map(values)));
  }
  llvm::SmallVector<Expr, 8> children;
  for (const auto &[name, value] : entries) {
    children.push_back(Expr::literal(Value::string(name.str())));
    children.push_back(*value);
  }
  return arena.make(Expr::map(arena.save(ArrayRef<Expr>(children))));
}

void BodyMaker::addOutput(const ir::OutputMapping &output, StepHandler &made) {
  if (output.target.empty())
    return;
  planfile::OutputMapping &mapping = made.outputs.emplace_back();
  mapping.name = output.output.str();
  llvm::SmallVector<Value, 4> path;
  for (Name word : output.target)
    path.push_back(Value::string(word.str()));
  mapping.path = arena.save(ArrayRef<Value>(path));
  const ir::Cell *cell = cellOf(output);
  TypeKind type = cell ? cell->type : output.type;
  if (type != TypeKind::Any)
    mapping.type = ir::nameOf(type);
  if (cell && cell->type != TypeKind::Boolean)
    mapping.values = cell->domain;
  mapping.sensitive = isSensitive(output);
}

void BodyMaker::makeHandler(const ir::Operation &operation,
                            const ir::Handler &handler, StepHandler &made) {
  made.artifact = artifacts[handler.artifact.index];
  for (ir::ArtifactId file : handler.files)
    made.files.push_back(artifacts[file.index]);
  llvm::SmallVector<std::pair<Name, const Expr *>, 4> inputs;
  for (const StepInput &input : inputsOf(plan.run, invocation, handler, arena))
    inputs.push_back({input.name, numbered(*input.value)});
  made.inputs = makeMap(inputs);
  if (std::optional<ir::NodeId> machine =
          machineOf(plan.graph(), plan.system.layout.entityOf(invocation.event),
                    handler.place))
    made.host = entities[plan.graph().entity(*machine).index];
  for (const ir::OutputMapping &output : handler.outputs)
    addOutput(output, made);
  // Outputs of the operation itself come from its last handler.
  if (&handler == &operation.handlers.back())
    for (const ir::OutputMapping &output : operation.outputs)
      addOutput(output, made);
}

const Expr *BodyMaker::makeSets(const ir::Machine &machine,
                                ArrayRef<ir::Set> sets, ir::EntityId entity) {
  llvm::SmallVector<std::pair<Name, const Expr *>, 4> entries;
  for (const ir::Set &set : sets) {
    const Expr *value = residual(plan.run, *set.value, entity, arena);
    entries.push_back(
        {machine.cells[set.cell].name, numbered(value ? *value : *set.value)});
  }
  return makeMap(entries);
}

/// What a step writes when it has succeeded. One that calls nothing is over at
/// once, and only that is carried out: what it wrote on entry stays.
static llvm::SmallVector<ir::Set, 4>
lastingSets(const ir::Operation &operation) {
  llvm::SmallVector<ir::Set, 4> sets(operation.success.sets);
  if (operation.handlers.empty())
    for (const ir::Set &entered : operation.entry.sets)
      if (llvm::none_of(operation.success.sets, [&](const ir::Set &set) {
            return set.cell == entered.cell;
          }))
        sets.push_back(entered);
  return sets;
}

/// Whether scripts of the step are shown properties that an entity has had.
static bool showsFormer(const PlanData &plan, const Invocation &invocation) {
  const ir::Graph &graph = plan.graph();
  const Layout &layout = plan.system.layout;
  if (!invocation.seesFormer || graph.former.empty() ||
      layout.operation(invocation.event).handlers.empty())
    return false;
  ir::EntityId entity = layout.entityOf(invocation.event);
  auto isFormer = [&](ir::EntityId id) {
    return graph.former.contains(id.index) &&
           graph.presenceOf(id) == ir::Presence::Replaced;
  };
  if (!graph.isRelationship(entity))
    return isFormer(entity);
  uint32_t relationship = graph.relationship(entity).index;
  return isFormer(entity) ||
         isFormer(graph.entity(graph.source[relationship])) ||
         isFormer(graph.entity(graph.target[relationship]));
}

void BodyMaker::make(const Expr *guard, StepBody &body) {
  const Layout &layout = plan.system.layout;
  EventPlace at = layout.place(invocation.event);
  const ir::Machine &machine = layout.machine(at.slot);
  const ir::Operation &operation = machine.operations[at.operation];
  ir::EntityId entity = layout.entity(at.slot, at.row);
  body.handlers.reserve(operation.handlers.size());
  for (const ir::Handler &handler : operation.handlers)
    makeHandler(operation, handler, body.handlers.emplace_back());
  body.entry = makeSets(machine, operation.entry.sets, entity);
  body.success = makeSets(machine, lastingSets(operation), entity);
  body.failure = makeSets(machine, operation.failure.sets, entity);
  if (guard)
    body.guard = numbered(*guard);
  body.timeout = operation.timeout;
  body.retries = operation.retries;
  body.showsFormer = showsFormer(plan, invocation);
}

StepResolver::StepResolver(const PlanData &plan, ArrayRef<uint32_t> entities,
                           ArrayRef<uint32_t> artifacts,
                           std::deque<StepBody> &bodies,
                           std::vector<bool> &isShared, ValueArena &arena)
    : plan(plan), entities(entities), artifacts(artifacts), bodies(bodies),
      isShared(isShared), arena(arena),
      known(plan.system.layout.set.machines.size()),
      hasSecretAttributes(hasSecrets(plan.graph())) {}

uint32_t StepResolver::add(const Invocation &invocation, const Expr *guard,
                           bool shared) {
  BodyMaker(plan, invocation, entities, artifacts, arena)
      .make(guard, bodies.emplace_back());
  isShared.push_back(shared);
  return bodies.size() - 1;
}

uint32_t StepResolver::resolve(const Invocation &invocation,
                               const Expr *guard) {
  const Layout &layout = plan.system.layout;
  EventPlace at = layout.place(invocation.event);
  std::vector<Known> &all = known[layout.slots[at.slot.index].machine.index];
  if (all.empty())
    all.resize(layout.machine(at.slot).operations.size());
  Known &own = all[at.operation];
  if (!own.isMade) {
    const ir::Operation &operation =
        layout.machine(at.slot).operations[at.operation];
    own.isAlike = !hasSecretAttributes &&
                  (operation.handlers.empty() || hasFixedInputs(operation)) &&
                  llvm::all_of(operation.handlers,
                               [](const ir::Handler &handler) {
                                 return handler.place == ir::HandlerPlace::Here;
                               }) &&
                  setLiterals(operation.entry) &&
                  setLiterals(operation.success) &&
                  setLiterals(operation.failure);
    own.isMade = true;
  }
  if (!own.isAlike || guard || invocation.hasInputs() ||
      showsFormer(plan, invocation))
    return add(invocation, guard, /*shared=*/false);
  if (own.body == ~0u)
    own.body = add(invocation, guard, /*shared=*/true);
  return own.body;
}
