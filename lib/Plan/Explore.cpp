//===- Explore.cpp - All orders of completion of a small system -----------===//

#include "Explore.h"

#include "GraphEnvironment.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

static constexpr uint32_t maxEvents = 128;
static constexpr uint32_t maxCells = 512;
/// How often a rule or an event may be looked at in all.
static constexpr uint64_t maxLooks = 4'000'000;

namespace {

/// Between two acts.
struct State {
  std::vector<ValueId> cells;
  /// By event.
  std::vector<uint8_t> started;
  std::vector<uint8_t> ended;
  std::vector<bool> held;
  /// Of Exploration::visits.
  uint32_t visit = 0;

  bool isRunning(EventId event) const {
    return started[event.index] != ended[event.index];
  }
};

class Explorer {
public:
  Explorer(const Start &start, const Run &run)
      : start(start), run(run), system(run.system), layout(system.layout) {}

  Exploration explore();

private:
  bool holds(const State &state, TermId term, ir::EntityId self);
  bool evaluate(const State &state, TermId term,
                llvm::SmallVectorImpl<ir::EntityId> &bound);
  bool evaluateOther(const State &state, uint32_t other, ir::EntityId self);
  bool deliver(State &state, EventId event);
  void apply(State &state, EventId event, ArrayRef<ir::Set> sets);
  void send(State &state, ir::EntityId entity, ArrayRef<ir::Trigger> triggers);
  /// Fires the rules that rose, in whatever order; adds what comes out.
  void settle(State state, std::vector<State> &settled);
  std::vector<RuleId> risen(State &state);
  void end(State &state, EventId event);
  void prepare();
  void note(const State &state);
  void noteEnd(const State &state);
  bool isNew(const State &state);

  const Start &start;
  const Run &run;
  EventSystem &system;
  const Layout &layout;
  Exploration result;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> seen;
  uint32_t size = 0;
  uint64_t looks = 0;
  bool failed = false;
};

} // namespace

bool Explorer::evaluate(const State &state, TermId id,
                        llvm::SmallVectorImpl<ir::EntityId> &bound) {
  const Term &term = system.conditions[id];
  auto part = [&](TermId child) { return evaluate(state, child, bound); };
  switch (term.kind) {
  case Term::Kind::True:
    return true;
  case Term::Kind::False:
    return false;
  case Term::Kind::And:
    return llvm::all_of(system.conditions.childrenOf(term), part);
  case Term::Kind::Or:
    return llvm::any_of(system.conditions.childrenOf(term), part);
  case Term::Kind::Not:
    return !part(system.conditions.childrenOf(term).front());
  case Term::Kind::Atom: {
    Atom &atom = system.conditions.atoms[term.first];
    CellId cell = findCell(layout, atom.cell, bound);
    return cell ? system.conditions.test(atom, state.cells[cell.index])
                : atom.whereNothing;
  }
  case Term::Kind::Loop: {
    const Loop &loop = system.conditions.loops[term.first];
    bool all = true;
    bound.resize(loop.depth);
    forEachEntity(layout, loop.route, bound, [&](ir::EntityId element) {
      bound.resize(loop.depth);
      bound.push_back(element);
      all = evaluate(state, loop.body, bound);
      bound.resize(loop.depth);
      return all;
    });
    return all;
  }
  case Term::Kind::Static:
  case Term::Kind::General:
    return evaluateOther(state, term.first, bound.front());
  }
  llvm_unreachable("all kinds are handled");
}

bool Explorer::evaluateOther(const State &state, uint32_t other,
                             ir::EntityId self) {
  auto cells = [&](CellId cell) {
    return &system.values[state.cells[cell.index]];
  };
  GraphEnvironment environment(layout, self, cells, system.conditions.names);
  ValueArena arena;
  Evaluation answer = toscac::evaluate(*system.conditions.others[other].expr,
                                       environment, arena);
  // What only the run knows is taken to hold, as in the plan.
  return answer.isUnknown() || (answer.isKnown() && answer.value().isTrue());
}

bool Explorer::holds(const State &state, TermId term, ir::EntityId self) {
  llvm::SmallVector<ir::EntityId, 4> bound{self};
  return evaluate(state, term, bound);
}

void Explorer::apply(State &state, EventId event, ArrayRef<ir::Set> sets) {
  EventPlace at = layout.place(event);
  for (const ir::Set &set : sets) {
    ValueId &cell = state.cells[layout.cell(at.slot, at.row, set.cell).index];
    if (set.value->isLiteral()) {
      cell = system.values.intern(set.value->value());
      continue;
    }
    auto cells = [&](CellId id) {
      return &system.values[state.cells[id.index]];
    };
    GraphEnvironment environment(layout, layout.entityOf(event), cells,
                                 system.conditions.names);
    Evaluation value =
        toscac::evaluate(*set.value, environment, system.conditions.arena);
    failed |= !value.isKnown();
    if (value.isKnown())
      cell = system.values.intern(value.value());
  }
}

void Explorer::send(State &state, ir::EntityId entity,
                    ArrayRef<ir::Trigger> triggers) {
  for (const ir::Trigger &trigger : triggers) {
    TermId condition = system.conditions.compile(trigger.condition,
                                                 layout.graph.kindOf(entity));
    if (holds(state, condition, entity))
      system.forEachReceiver(entity, trigger,
                             [&](EventId event) { deliver(state, event); });
  }
}

bool Explorer::deliver(State &state, EventId event) {
  ir::EntityId entity = layout.entityOf(event);
  if (state.isRunning(event) ||
      !holds(state, system.precondition(event), entity))
    return false;
  for (uint32_t other = 0; other != size; ++other)
    if (state.isRunning({other}))
      result.during[event.index].set(other);
  // Nobody needs to know what comes after so many.
  failed |= ++state.started[event.index] > 100;
  const ir::Operation &operation = layout.operation(event);
  apply(state, event, operation.entry.sets);
  send(state, entity, operation.entry.triggers);
  return true;
}

void Explorer::end(State &state, EventId event) {
  ++state.ended[event.index];
  const ir::Operation &operation = layout.operation(event);
  apply(state, event, operation.success.sets);
  send(state, layout.entityOf(event), operation.success.triggers);
}

std::vector<RuleId> Explorer::risen(State &state) {
  std::vector<RuleId> rules;
  for (uint32_t i = 0; i != system.numRules(); ++i) {
    RulePlace at = system.place({i});
    ir::EntityId sender = layout.entity(at.block->slot, at.row);
    bool now = holds(state, at.block->condition, sender) &&
               holds(state, system.precondition(at.receiver),
                     layout.entityOf(at.receiver));
    if (!now)
      state.held[i] = false;
    else if (!state.held[i] && !state.isRunning(at.receiver))
      rules.push_back({i});
  }
  return rules;
}

bool Explorer::isNew(const State &state) {
  std::string bytes;
  auto add = [&](const auto &items) {
    bytes.append(reinterpret_cast<const char *>(items.data()),
                 items.size() * sizeof(items[0]));
  };
  add(state.cells);
  add(state.started);
  add(state.ended);
  for (bool held : state.held)
    bytes += char(held);
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  // The two highest are DenseSet's own.
  return seen.insert({hash.low64 >> 2, hash.high64 >> 2}).second;
}

void Explorer::settle(State first, std::vector<State> &settled) {
  std::vector<State> open;
  open.push_back(std::move(first));
  while (!open.empty() && !failed) {
    State state = std::move(open.back());
    open.pop_back();
    std::vector<RuleId> rules = risen(state);
    if (!isNew(state))
      continue;
    looks += size + system.numRules();
    failed |= looks > maxLooks;
    if (rules.empty())
      settled.push_back(state);
    for (RuleId rule : rules) {
      State after = state;
      after.held[rule.index] = true;
      deliver(after, system.place(rule).receiver);
      open.push_back(std::move(after));
    }
  }
}

void Explorer::note(const State &state) {
  llvm::BitVector missing(result.ended.size());
  for (uint32_t i = 0; i != size; ++i)
    for (uint32_t turn = state.ended[i]; turn < result.numTurns({i}); ++turn)
      missing.set(result.indexOf({{i}, turn + 1}));
  for (uint32_t i = 0; i != result.ended.size(); ++i)
    if (!missing.test(i))
      result.ended[i] |= missing;
}

void Explorer::noteEnd(const State &state) {
  result.terminals.emplace_back(state.visit, state.started);
  for (uint32_t i = 0; i != size; ++i) {
    uint32_t count = state.started[i];
    result.fewest[i] = std::min(result.fewest[i], count);
    result.most[i] = std::max(result.most[i], count);
    result.differs |= count != result.planned[i];
  }
  for (uint32_t i = 0; i != state.cells.size(); ++i)
    result.differs |= state.cells[i] != run.history.value({i});
}

void Explorer::prepare() {
  result.fewest.assign(size, ~0u);
  result.most.resize(size);
  result.planned.resize(size);
  for (uint32_t i = 0; i != run.steps.size(); ++i)
    if (!run.steps.isJoin({i}))
      ++result.planned[run.steps.event({i})];
  for (uint32_t planned : result.planned)
    result.firstTurns.push_back(result.firstTurns.back() + planned + 1);
  uint32_t turns = result.firstTurns.back();
  result.ended.assign(turns, llvm::BitVector(turns));
  result.during.assign(size, llvm::BitVector(size));
}

Exploration Explorer::explore() {
  size = layout.numEvents();
  // Tasks are not events.
  if (!start.tasks.empty() || size > maxEvents || layout.numCells() > maxCells)
    return std::move(result);
  prepare();
  State first;
  for (uint32_t i = 0; i != layout.numCells(); ++i)
    first.cells.push_back(run.history.initial({i}));
  first.started.resize(size);
  first.ended.resize(size);
  first.held.resize(system.numRules());
  for (const CellGoal &goal : start.goals)
    first.cells[goal.desired.index] = goal.value;
  for (EventId event : start.events)
    deliver(first, event);
  std::vector<State> open;
  settle(std::move(first), open);
  while (!open.empty() && !failed) {
    State state = std::move(open.back());
    open.pop_back();
    note(state);
    bool isLast = true;
    for (uint32_t i = 0; i != size; ++i) {
      if (!state.isRunning({i}))
        continue;
      isLast = false;
      State after = state;
      after.visit = result.visits.size();
      result.visits.push_back({state.visit, {i}});
      end(after, {i});
      settle(std::move(after), open);
    }
    if (isLast)
      noteEnd(state);
  }
  result.isComplete = !failed;
  return std::move(result);
}

std::vector<Turn>
Exploration::orderThatLoses(EventId event, EventId missed,
                            llvm::function_ref<bool(EventId)> isSender) const {
  std::vector<Turn> order;
  for (const auto &[terminal, started] : terminals) {
    if (started[event.index] >= planned[event.index])
      continue;
    order.clear();
    for (uint32_t at = terminal; at != 0; at = visits[at].parent)
      order.push_back({visits[at].ended});
    std::reverse(order.begin(), order.end());
    llvm::DenseMap<uint32_t, uint32_t> counts;
    for (Turn &turn : order)
      turn.number = ++counts[turn.event.index];
    for (auto [i, turn] : llvm::enumerate(order)) {
      if (turn.event == missed)
        break;
      if (isSender(turn.event)) {
        order.resize(i + 1);
        return order;
      }
    }
  }
  return {};
}

Exploration toscac::plan::explore(const Start &start, const Run &run) {
  return Explorer(start, run).explore();
}
