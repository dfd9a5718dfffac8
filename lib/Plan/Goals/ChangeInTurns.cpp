//===- ChangeInTurns.cpp - Instances that change in turn ------------------===//

#include "ChangeInTurns.h"

#include "System/ActivityMachines.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using namespace toscac::plan;
using ir::Presence;
using Way = ir::Intent::Way;

static bool changes(Presence presence) {
  return presence == Presence::Replaced || presence == Presence::Updated;
}

/// Whether what is recorded of \p node has reached what a workflow that brings
/// up wants.
static bool isUp(const ir::Graph &graph, ir::NodeId node) {
  const ir::NodeClass &own =
      graph.nodeClasses[graph.classOfNode[node.index].index];
  uint32_t row = node.index - own.nodes.first;
  return llvm::all_of(own.machines, [&](const ir::MachineSlot &slot) {
    const ir::Machine &machine = graph.machines[slot.machine.index];
    return llvm::all_of(machine.intents, [&](const ir::Intent &intent) {
      const Expr *now = slot.cells[intent.goal].at(row);
      return intent.way != Way::Up ||
             (now && now->isLiteral()
                  ? now->value()
                  : machine.cells[intent.goal].initial) == intent.value;
    });
  });
}

/// Whether \p node, which does not change, is down; an update brings it up.
static bool isDownAnyway(const ir::Graph &graph, ir::NodeId node) {
  return graph.presenceOf(node) == Presence::Kept && !isUp(graph, node);
}

bool toscac::plan::hasTurns(const ir::Graph &graph) {
  if (graph.goal.reach != Goal::Reach::Change &&
      graph.goal.reach != Goal::Reach::Update)
    return false;
  return llvm::any_of(graph.nodeClasses, [&](const ir::NodeClass &own) {
    if (!own.maxUnavailable)
      return false;
    uint32_t changing = 0, down = 0;
    for (ir::NodeId node : own.nodes.ids()) {
      changing += changes(graph.presenceOf(node));
      down += isDownAnyway(graph, node);
    }
    return changing > 0 && changing + down > *own.maxUnavailable;
  });
}

namespace {

/// Which turn each node is in.
class TurnFinder {
public:
  explicit TurnFinder(EventSystem &system)
      : graph(system.layout.graph), diags(system.conditions.diags),
        turns(graph.numNodes(), none), isInside(graph.numNodes()) {}

  /// False after a report.
  bool find();

  static constexpr uint32_t none = ~0u;
  uint32_t numTurns = 1;
  uint32_t of(ir::NodeId node) const { return turns[node.index]; }

private:
  using Counts = llvm::MapVector<uint32_t, uint32_t>;
  void findTogether();
  void countDown();
  bool place(llvm::ArrayRef<ir::NodeId> together);
  uint32_t &usedOf(uint32_t turn, uint32_t nodeClass) {
    return used[{turn, nodeClass}];
  }
  uint32_t capacity(uint32_t nodeClass) const;

  const ir::Graph &graph;
  DiagnosticEngine &diags;
  std::vector<uint32_t> turns;
  /// Nodes that go down with what they are in.
  llvm::BitVector isInside;
  /// Nodes that go down together, by the first of them.
  llvm::MapVector<uint32_t, std::vector<ir::NodeId>> units;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> used;
  /// By class: instances that are down, and stay so.
  llvm::DenseMap<uint32_t, uint32_t> stuck;
  /// By class: the first turn that may have room.
  llvm::DenseMap<uint32_t, uint32_t> firstOpen;
};

} // namespace

/// What is inside of a node that is replaced is replaced, too.
void TurnFinder::findTogether() {
  llvm::EquivalenceClasses<uint32_t> together;
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    if (changes(graph.presenceOf(ir::NodeId{i})))
      together.insert(i);
  auto isReplaced = [&](ir::NodeId node) {
    return graph.presenceOf(node) == Presence::Replaced;
  };
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    if (isReplaced(graph.source[i]) && isReplaced(graph.target[i]) &&
        ir::findMark(graph.types, graph.classOf(ir::RelationshipId{i}).type,
                     "containment") == "true") {
      together.unionSets(graph.source[i].index, graph.target[i].index);
      isInside.set(graph.source[i].index);
    }
  for (const ir::Subgraph &inside : graph.subgraphs)
    if (inside.substitutes && isReplaced(*inside.substitutes))
      for (ir::NodeClassId id : inside.classes.ids())
        for (ir::NodeId node : graph.nodeClasses[id.index].nodes.ids())
          if (isReplaced(node)) {
            together.unionSets(inside.substitutes->index, node.index);
            isInside.set(node.index);
          }
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    if (changes(graph.presenceOf(ir::NodeId{i})))
      units[together.getLeaderValue(i)].push_back({i});
}

/// What is down already takes room: of the first turn, if it comes up in that,
/// else of all.
void TurnFinder::countDown() {
  for (auto [i, own] : llvm::enumerate(graph.nodeClasses)) {
    if (!own.maxUnavailable)
      continue;
    for (ir::NodeId node : own.nodes.ids()) {
      bool comesUp = changes(graph.presenceOf(node)) ||
                     graph.goal.reach == Goal::Reach::Update;
      if (changes(graph.presenceOf(node)) ? !isUp(graph, node)
                                          : isDownAnyway(graph, node))
        ++(comesUp ? usedOf(0, i) : stuck[i]);
    }
  }
}

/// How many of those that change may be down at once.
uint32_t TurnFinder::capacity(uint32_t nodeClass) const {
  uint32_t bound = *graph.nodeClasses[nodeClass].maxUnavailable;
  uint32_t down = stuck.lookup(nodeClass);
  return bound > down ? bound - down : 1;
}

/// Puts nodes that go down together into the first turn that has room for all
/// of them. Nodes that are down already, and those without a bound, are in the
/// first turn.
bool TurnFinder::place(llvm::ArrayRef<ir::NodeId> together) {
  Counts counts;
  uint32_t turn = 0;
  for (ir::NodeId node : together) {
    uint32_t id = graph.classOfNode[node.index].index;
    if (graph.nodeClasses[id].maxUnavailable && isUp(graph, node))
      ++counts[id];
  }
  for (auto [id, count] : counts) {
    const ir::NodeClass &own = graph.nodeClasses[id];
    turn = std::max(turn, firstOpen.lookup(id));
    if (count <= capacity(id))
      continue;
    auto isOutside = [&](ir::NodeId node) { return !isInside[node.index]; };
    const ir::NodeId *outermost = llvm::find_if(together, isOutside);
    diags.report(own.range, diag::DownTogether, own.name.str(),
                 *own.maxUnavailable, count,
                 graph.nameOf(outermost == together.end() ? together.front()
                                                          : *outermost));
    return false;
  }
  auto isFull = [&](const auto &each) {
    return usedOf(turn, each.first) + each.second > capacity(each.first);
  };
  while (llvm::any_of(counts, isFull))
    ++turn;
  for (auto [id, count] : counts) {
    usedOf(turn, id) += count;
    uint32_t &open = firstOpen[id];
    while (usedOf(open, id) >= capacity(id))
      ++open;
  }
  for (ir::NodeId node : together)
    turns[node.index] = turn;
  numTurns = std::max(numTurns, turn + 1);
  return true;
}

bool TurnFinder::find() {
  findTogether();
  countDown();
  for (const auto &[first, together] : units)
    if (!place(together))
      return false;
  return true;
}

namespace {

class TurnTasks {
public:
  TurnTasks(const Goal &goal, EventSystem &system, const TurnFinder &turns)
      : goal(goal), system(system), layout(system.layout), graph(layout.graph),
        turns(turns), down(turns.numTurns), up(turns.numTurns) {}

  Start build();

private:
  void addNode(ir::NodeId node);
  void addRelationship(ir::RelationshipId relationship);
  /// Events of one half of a turn, down or up, and the goals that it ends with.
  /// Whether a relationship is unlinked, or a node brought up, depends on
  /// intents of what it is connected with, which have to be set before: nodes
  /// get their events first on the way down, and last on the way up.
  struct Half {
    std::vector<EventId> nodes, relationships;
    std::vector<CellGoal> goals;
  };
  void addUpdates(ir::NodeId node, Half &half);
  /// Sends \p entity what the workflow for \p way wants of it.
  void add(ir::EntityId entity, Way way, bool isAwaited, Half &half);
  void append(llvm::ArrayRef<EventId> events, TaskGraph &tasks);
  void append(Half &half, bool nodesFirst, TaskGraph &tasks);
  bool isThere(ir::EntityId entity) const;
  void addLeaving(ir::EntityId entity);

  const Goal &goal;
  EventSystem &system;
  const Layout &layout;
  const ir::Graph &graph;
  const TurnFinder &turns;
  std::vector<Half> down, up;
  std::vector<CellGoal> leaving;
};

} // namespace

void TurnTasks::add(ir::EntityId entity, Way way, bool isAwaited, Half &half) {
  std::vector<EventId> &events =
      graph.isNode(entity) ? half.nodes : half.relationships;
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    const ir::Machine &machine = layout.machine(slot);
    uint32_t row = layout.rowOf(slot, entity);
    Name sent;
    for (const ir::Intent &intent : machine.intents) {
      if (intent.way != way)
        continue;
      if (sent != intent.workflow)
        if (auto event = layout.findEvent(
                entity, machine.interface,
                delegateName(intent.workflow, system.conditions.names)))
          events.push_back(*event);
      sent = intent.workflow;
      if (isAwaited)
        half.goals.push_back({layout.cell(slot, row, intent.cell),
                              layout.cell(slot, row, intent.goal),
                              system.values.intern(intent.value)});
    }
  }
}

/// Whether all machines are up, and nobody wants anything else of them.
bool TurnTasks::isThere(ir::EntityId entity) const {
  for (SlotId slot : layout.slotsOf(entity).ids())
    for (const ir::Intent &intent : layout.machine(slot).intents)
      for (uint32_t cell : {intent.cell, intent.goal})
        if (intent.way == Way::Up &&
            layout.initial(layout.cell(slot, layout.rowOf(slot, entity),
                                       cell)) != intent.value)
          return false;
  return true;
}

void TurnTasks::addLeaving(ir::EntityId entity) {
  Half half;
  add(entity, Way::Down, /*isAwaited=*/true, half);
  llvm::append_range(leaving, half.goals);
}

void TurnTasks::addUpdates(ir::NodeId node, Half &half) {
  ir::EntityId entity = graph.entity(node);
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    const ir::Machine &machine = layout.machine(slot);
    std::optional<uint32_t> update = machine.roles.updateOperation;
    if (update && !machine.roles.updateRequest &&
        !machine.operations[*update].handlers.empty())
      half.nodes.push_back(
          layout.event(slot, layout.rowOf(slot, entity), *update));
  }
}

void TurnTasks::addNode(ir::NodeId node) {
  ir::EntityId entity = graph.entity(node);
  uint32_t turn = turns.of(node);
  switch (graph.presenceOf(node)) {
  case Presence::Leaving:
    return addLeaving(entity);
  case Presence::Replaced:
    add(entity, Way::Down, /*isAwaited=*/true, down[turn]);
    return add(entity, Way::Up, /*isAwaited=*/true, up[turn]);
  case Presence::New:
    return add(entity, Way::Up, /*isAwaited=*/true, up[0]);
  case Presence::Updated:
    addUpdates(node, up[turn]);
    [[fallthrough]];
  case Presence::Kept:
    if (goal.reach == Goal::Reach::Update && !isThere(entity))
      add(entity, Way::Up, /*isAwaited=*/true, up[0]);
  }
}

/// A relationship is taken down and brought up in the turn of each of its ends;
/// a new one is brought up in the first turn.
void TurnTasks::addRelationship(ir::RelationshipId relationship) {
  ir::EntityId entity = graph.entity(relationship);
  ir::NodeId source = graph.source[relationship.index];
  ir::NodeId target = graph.target[relationship.index];
  Presence presence = graph.presenceOf(relationship);
  if (presence == Presence::Leaving)
    return addLeaving(entity);
  llvm::SmallVector<uint32_t, 2> own;
  for (ir::NodeId end : {source, target})
    if (graph.presenceOf(end) == Presence::Replaced &&
        !llvm::is_contained(own, turns.of(end)))
      own.push_back(turns.of(end));
  if (own.empty() && presence == Presence::Replaced)
    own.push_back(0);
  auto isUpIn = [&](ir::NodeId end, uint32_t turn) {
    return graph.presenceOf(end) == Presence::New || isUp(graph, end) ||
           turns.of(end) <= turn;
  };
  bool isFirst = llvm::is_contained(own, 0u);
  bool isWanted = presence == Presence::New ||
                  (goal.reach == Goal::Reach::Update && !isThere(entity));
  if (isWanted && !isFirst)
    add(entity, Way::Up, isUpIn(source, 0) && isUpIn(target, 0), up[0]);
  for (uint32_t turn : own) {
    if (presence != Presence::New || turn != 0)
      add(entity, Way::Down, /*isAwaited=*/true, down[turn]);
    add(entity, Way::Up, isUpIn(source, turn) && isUpIn(target, turn),
        up[turn]);
  }
}

/// A task that follows the one before it.
void TurnTasks::append(llvm::ArrayRef<EventId> events, TaskGraph &tasks) {
  if (events.empty())
    return;
  TaskId id{uint32_t(tasks.tasks.size())};
  if (id.index > 0)
    tasks.tasks.back().followers.push_back(id);
  Task &task = tasks.tasks.emplace_back();
  task.waitsFor = id.index > 0;
  task.events.assign(events.begin(), events.end());
}

void TurnTasks::append(Half &half, bool nodesFirst, TaskGraph &tasks) {
  append(nodesFirst ? half.nodes : half.relationships, tasks);
  append(nodesFirst ? half.relationships : half.nodes, tasks);
  if (!half.nodes.empty() || !half.relationships.empty())
    tasks.tasks.back().goals.assign(half.goals.begin(), half.goals.end());
}

Start TurnTasks::build() {
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    addNode({i});
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    addRelationship({i});
  Start start;
  for (uint32_t turn = 0; turn != turns.numTurns; ++turn) {
    append(down[turn], /*nodesFirst=*/true, start.tasks);
    append(up[turn], /*nodesFirst=*/false, start.tasks);
  }
  start.goals = std::move(leaving);
  start.tasksAreLater = !start.goals.empty();
  return start;
}

std::optional<Start> toscac::plan::startInTurns(const Goal &goal,
                                                EventSystem &system) {
  TurnFinder turns(system);
  if (!turns.find())
    return std::nullopt;
  return TurnTasks(goal, system, turns).build();
}

void toscac::plan::noteTurns(SymbolicRun &run) {
  const Layout &layout = run.system.layout;
  if (!hasTurns(layout.graph))
    return;
  NameTable &names = run.system.conditions.names;
  for (uint32_t i = 0; i != run.steps.size(); ++i) {
    if (run.steps.isJoin({i}))
      continue;
    EventPlace at = layout.place(run.event({i}));
    const ir::Machine &machine = layout.machine(at.slot);
    Name operation = machine.operations[at.operation].name;
    ir::EntityId entity = layout.entity(at.slot, at.row);
    for (const ir::Intent &intent : machine.intents)
      if (intent.way == Way::Up &&
          operation == delegateName(intent.workflow, names) &&
          layout.graph.presenceOf(entity) == Presence::Replaced)
        run.comesUp[entity.index] = i;
  }
}
