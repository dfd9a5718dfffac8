//===- ListedEntities.cpp - What a plan says of entities ------------------===//

#include "ListedEntities.h"

#include "Steps/Guards.h"
#include "Steps/Machines.h"
#include "Steps/StepInputs.h"
#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class Lister {
public:
  explicit Lister(const PlanData &plan)
      : plan(plan), graph(plan.graph()), layout(plan.system.layout),
        isListed(graph.numEntities()) {}

  llvm::BitVector find();
  void findGone(llvm::DenseMap<uint32_t, std::vector<uint32_t>> &gone);
  void keepContainers(llvm::DenseMap<uint32_t, std::vector<uint32_t>> &gone);
  void findRenewed(llvm::DenseMap<uint32_t, std::vector<uint32_t>> &renewed);

private:
  bool hasPlace(ir::EntityId entity) const {
    return !graph.isService(entity) || layout.slotsOf(entity).count;
  }
  llvm::BitVector findChanged() const;
  bool isRenamed(ir::EntityId entity) const;
  void add(ir::EntityId entity);
  void addMentioned(const Expr *expr);
  void addMentioned(ir::EntityId entity);
  void addColumns(ArrayRef<ir::ValueColumn> columns, uint32_t row,
                  ir::EntityId entity);
  void addMentioned(const Invocation &invocation, const Expr *guard);

  const PlanData &plan;
  const ir::Graph &graph;
  const Layout &layout;
  llvm::BitVector isListed;
  std::vector<ir::EntityId> added;
  ValueArena arena;
};

} // namespace

/// Those that have cells which the plan changes.
llvm::BitVector Lister::findChanged() const {
  const History &history = plan.run.history;
  llvm::BitVector changed(graph.numEntities());
  for (const Write &write : history.writes)
    if (history.value(write.cell) != history.initial(write.cell))
      changed.set(layout.entityOf(write.cell).index);
  return changed;
}

/// Whether it, or an end of it, is called something else where it is recorded.
bool Lister::isRenamed(ir::EntityId entity) const {
  return graph.formerNameOf(entity) ||
         (graph.isRelationship(entity) &&
          graph.formerNameOf(
              graph.entity(graph.target[graph.relationship(entity).index])));
}

void Lister::add(ir::EntityId entity) {
  if (isListed.test(entity.index) || !hasPlace(entity))
    return;
  isListed.set(entity.index);
  added.push_back(entity);
}

void Lister::addMentioned(const Expr *expr) {
  if (!expr)
    return;
  if (expr->isCall(Function::GetAttribute) || expr->isCall(Function::GetState))
    if (const Expr &first = expr->children().front();
        first.isLiteral() && first.value().isInteger())
      add({uint32_t(first.value().asInteger())});
  for (const Expr &child : expr->children())
    addMentioned(&child);
}

void Lister::addColumns(ArrayRef<ir::ValueColumn> columns, uint32_t row,
                        ir::EntityId entity) {
  for (const ir::ValueColumn &column : columns)
    if (const Expr *value = column.values.at(row); value && !value->isLiteral())
      addMentioned(residual(plan.run, *value, entity, arena));
}

void Lister::addMentioned(ir::EntityId entity) {
  if (graph.isNode(entity)) {
    const ir::NodeClass &own = graph.classOf(graph.node(entity));
    addColumns(own.properties, graph.rowOf(entity), entity);
    addColumns(own.attributes, graph.rowOf(entity), entity);
  } else if (graph.isRelationship(entity)) {
    ir::RelationshipId id = graph.relationship(entity);
    const ir::RelationshipClass &own = graph.classOf(id);
    addColumns(own.properties, graph.rowOf(entity), entity);
    addColumns(own.attributes, graph.rowOf(entity), entity);
    add(graph.entity(graph.source[id.index]));
    add(graph.entity(graph.target[id.index]));
  }
}

void Lister::addMentioned(const Invocation &invocation, const Expr *guard) {
  const ir::Operation &operation = layout.operation(invocation.event);
  ir::EntityId entity = layout.entityOf(invocation.event);
  add(entity);
  if (!hasFixedInputs(operation) || invocation.hasInputs())
    for (const ir::Handler &handler : operation.handlers)
      for (const StepInput &input :
           inputsOf(plan.run, invocation, handler, arena))
        addMentioned(input.value);
  for (const ir::Handler &handler : operation.handlers)
    if (std::optional<ir::NodeId> machine =
            machineOf(graph, entity, handler.place))
      add(graph.entity(*machine));
  for (const ir::Reaction *reaction :
       {&operation.entry, &operation.success, &operation.failure})
    for (const ir::Set &set : reaction->sets)
      addMentioned(residual(plan.run, *set.value, entity, arena));
  addMentioned(guard);
}

llvm::BitVector Lister::find() {
  llvm::BitVector isChanged;
  if (graph.hasRecorded)
    isChanged = findChanged();
  bool hasMoved = llvm::any_of(graph.nodeClasses, [](const ir::NodeClass &own) {
    return bool(own.movedFrom);
  });
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (!graph.hasRecorded || isChanged.test(i) ||
        graph.presenceOf(ir::EntityId{i}) != ir::Presence::Kept ||
        (hasMoved && isRenamed({i})))
      add({i});
  if (isListed.all() || !graph.hasRecorded)
    return isListed;
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (!plan.steps.isJoin({i}))
      addMentioned(invocationOf(plan.run, plan.origins[i]),
                   guardOf(plan, plan.origins[i], arena));
  for (const FailureStep &step : plan.failureSteps)
    addMentioned(step.invocation, step.guard);
  for (const ir::OutputValue &output : graph.outputs)
    if (output.value)
      addMentioned(residual(plan.run, *output.value,
                            graph.entity(ir::SubgraphId{0}), arena));
  // What is mentioned may add more. NOLINTNEXTLINE(modernize-loop-convert)
  for (size_t i = 0; i != added.size(); ++i)
    addMentioned(added[i]);
  return isListed;
}

/// A relationship leaves when it has been taken down or, if it has nothing to
/// do, with the node that leaves. A node leaves after its relationships, so
/// that none is ever without an end.
void Lister::findGone(llvm::DenseMap<uint32_t, std::vector<uint32_t>> &gone) {
  for (uint32_t i = 0; i != graph.numEntities(); ++i)
    if (leaves(plan, {i}) && hasPlace({i}))
      gone[i];
  if (gone.empty())
    return;
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> own;
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (!plan.steps.isJoin({i}))
      if (uint32_t entity =
              layout.entityOf(EventId{plan.steps.event({i})}).index;
          gone.contains(entity))
        own[entity].push_back(i);
  for (uint32_t i = 0; i != graph.numRelationships(); ++i) {
    uint32_t entity = graph.entity(ir::RelationshipId{i}).index;
    if (!gone.contains(entity))
      continue;
    uint32_t source = graph.source[i].index, target = graph.target[i].index;
    std::vector<uint32_t> steps = own.lookup(entity);
    if (steps.empty())
      steps = own.lookup(gone.contains(source) ? source : target);
    for (uint32_t node : {source, target})
      if (gone.contains(node))
        llvm::append_range(gone[node], steps);
    gone[entity] = std::move(steps);
  }
  for (auto &[entity, steps] : gone)
    if (!graph.isRelationship({entity}))
      llvm::append_range(steps, own.lookup(entity));
  keepContainers(gone);
  for (auto &[entity, steps] : gone) {
    llvm::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  }
}

/// What is inside of a node leaves before it, and until then is known to be
/// inside: a run that is interrupted leaves nothing that nobody looks after.
void Lister::keepContainers(
    llvm::DenseMap<uint32_t, std::vector<uint32_t>> &gone) {
  auto contents = [&](ir::NodeId node, auto visit) {
    for (ir::RelationshipId id : graph.incomingOf(node))
      if (gone.contains(graph.entity(id).index) &&
          gone.contains(graph.source[id.index].index) &&
          ir::findMark(graph.types, graph.classOf(id).type, "containment") ==
              "true")
        visit(graph.entity(id).index, graph.source[id.index]);
  };
  llvm::BitVector isOpened(graph.numNodes()), isClosed(graph.numNodes());
  std::vector<ir::NodeId> open;
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    if (gone.contains(i))
      open.push_back({i});
  while (!open.empty()) {
    ir::NodeId node = open.back();
    if (!isOpened.test(node.index)) {
      isOpened.set(node.index);
      contents(node, [&](uint32_t, ir::NodeId inside) {
        if (!isOpened.test(inside.index))
          open.push_back(inside);
      });
      continue;
    }
    open.pop_back();
    if (isClosed.test(node.index))
      continue;
    isClosed.set(node.index);
    contents(node, [&](uint32_t relationship, ir::NodeId inside) {
      gone[relationship] = gone[inside.index];
      llvm::append_range(gone[node.index], gone[relationship]);
    });
  }
}

/// What is replaced is what it was until it has been taken down; what is
/// updated, until it has been told.
void Lister::findRenewed(
    llvm::DenseMap<uint32_t, std::vector<uint32_t>> &renewed) {
  for (const auto &[entity, properties] : graph.former)
    renewed[entity];
  if (renewed.empty())
    return;
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    if (plan.steps.isJoin({i}))
      continue;
    EventPlace at = layout.place(EventId{plan.steps.event({i})});
    auto own = renewed.find(layout.entity(at.slot, at.row).index);
    if (own == renewed.end())
      continue;
    bool isUpdated =
        graph.presenceOf(ir::EntityId{own->first}) == ir::Presence::Updated;
    if (isUpdated
            ? layout.machine(at.slot).roles.updateOperation == at.operation
            : plan.run.isOnWayDown(plan.origins[i]))
      own->second.push_back(i);
  }
}

std::vector<InstanceNumbers>
toscac::plan::instanceNumbers(const ir::Graph &graph) {
  std::vector<InstanceNumbers> result;
  if (graph.subgraphs.empty())
    return result;
  for (ir::NodeClassId id : graph.subgraphs[0].classes.ids()) {
    const ir::NodeClass &own = graph.nodeClasses[id.index];
    uint32_t count = llvm::count_if(own.nodes.ids(), [&](ir::NodeId node) {
      return graph.presenceOf(node) != ir::Presence::Leaving;
    });
    result.push_back({own.name.str(), std::max(own.nextIndex, own.nodes.count),
                      own.perContainer.value_or(count)});
  }
  for (const ir::Group &group : graph.groups)
    if (group.nextIndex || group.perContainer)
      result.push_back({group.name.str(), group.nextIndex,
                        group.perContainer.value_or(group.instances.size())});
  for (const auto &[gone, nextIndex] : graph.deployment.obsolete) {
    llvm::StringRef name = gone;
    auto known = llvm::find_if(
        result, [&](const InstanceNumbers &each) { return each.name == name; });
    if (known != result.end())
      known->count.reset();
    else if (nextIndex)
      result.push_back({name, nextIndex, std::nullopt});
  }
  return result;
}

bool toscac::plan::leaves(const PlanData &plan, ir::EntityId entity) {
  const ir::Graph &graph = plan.graph();
  if (!graph.isService(entity))
    return graph.presenceOf(entity) == ir::Presence::Leaving;
  // A service is there as long as one of its nodes.
  return graph.hasRecorded &&
         llvm::all_of(graph.presenceOfNode, [](ir::Presence presence) {
           return presence == ir::Presence::Leaving;
         });
}

ListedEntities::ListedEntities(const PlanData &plan)
    : numbers(plan.graph().numEntities()) {
  Lister lister(plan);
  llvm::BitVector found = lister.find();
  for (unsigned i : found.set_bits()) {
    numbers[i] = listed.size();
    listed.push_back({i});
  }
  lister.findGone(gone);
  lister.findRenewed(renewed);
}
