//===- Ground.cpp - An event system spelt out -----------------------------===//

#include "Grounder.h"

#include "GraphEnvironment.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

static constexpr uint32_t maxOperations = 100000;
static constexpr size_t maxFormulas = 4000000;
static constexpr size_t maxValues = 64;
/// Combinations of cells that a condition which compares cells is tried with.
static constexpr size_t maxCombinations = 4096;

Grounder::Grounder(const Start &start, const Run &run, Part part)
    : start(start), run(run), goals(start.goals), events(start.events),
      end(run.later), system(run.system), layout(system.layout) {
  if (part == Part::First)
    return;
  goals = start.laterGoals;
  events = start.laterEvents;
  begin = run.later;
  end = std::nullopt;
}

void Grounder::addValue(CellId cell, ValueId value) {
  std::vector<ValueId> &values = all.cells[cell.index].values;
  if (!llvm::is_contained(values, value))
    values.push_back(value);
  if (values.size() > maxValues)
    problem = "'" + layout.nameOf(cell) + "' can have too many values";
}

/// What \p set writes, where that does not depend on cells.
std::optional<ValueId> Grounder::valueOf(const ir::Set &set, EventId event) {
  if (set.value->isLiteral())
    return system.values.intern(set.value->value());
  GraphEnvironment environment(
      layout, layout.entityOf(event), [](CellId) { return nullptr; },
      system.conditions.names);
  Evaluation value = evaluate(*set.value, environment, system.conditions.arena);
  if (value.isKnown())
    return system.values.intern(value.value());
  problem =
      "'" + layout.nameOf(event) + "' writes a value that depends on the order";
  return std::nullopt;
}

ValueId Grounder::valueAt(CellId cell, std::optional<Boundary> boundary) const {
  const History &history = run.history;
  return boundary ? history.valueAfter(
                        cell, history.lastWrite(cell, boundary->moment))
                  : history.value(cell);
}

void Grounder::collectValues() {
  auto initial = [&](CellId cell) {
    return begin ? valueAt(cell, begin) : run.history.initial(cell);
  };
  for (uint32_t i = 0; i != layout.numCells(); ++i) {
    all.cells.push_back({{i}, {}, 0, 0});
    addValue({i}, initial({i}));
  }
  for (const CellGoal &goal : goals)
    addValue(goal.desired, goal.value);
  for (uint32_t i = 0; i != layout.numEvents(); ++i) {
    EventPlace at = layout.place(EventId{i});
    const ir::Operation &operation = layout.operation({i});
    for (const ir::Reaction *reaction : {&operation.entry, &operation.success})
      for (const ir::Set &set : reaction->sets)
        if (auto value = valueOf(set, {i}))
          addValue(layout.cell(at.slot, at.row, set.cell), *value);
  }
  for (GroundCell &cell : all.cells) {
    cell.initial = indexOf(cell.id, initial(cell.id));
    atFirst.push_back(cell.initial);
    ValueId final = valueAt(cell.id, end);
    if (!llvm::is_contained(cell.values, final))
      addValue(cell.id, final);
    cell.expected = indexOf(cell.id, final);
  }
  for (const CellGoal &goal : goals)
    all.cells[goal.desired.index].initial = indexOf(goal.desired, goal.value);
}

uint8_t Grounder::indexOf(CellId cell, ValueId value) const {
  ArrayRef<ValueId> values = all.cells[cell.index].values;
  return llvm::find(values, value) - values.begin();
}

FormulaId Grounder::add(Formula formula) {
  all.formulas.push_back(std::move(formula));
  if (all.formulas.size() > maxFormulas)
    problem = "its conditions are too many";
  return {uint32_t(all.formulas.size() - 1)};
}

FormulaId Grounder::compile(TermId term, ir::EntityId self) {
  llvm::SmallVector<ir::EntityId, 4> bound{self};
  return build(term, bound, /*wanted=*/true);
}

FormulaId Grounder::build(TermId id, Bound &bound, bool wanted) {
  if (!problem.empty())
    return constant(false);
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
  case Term::Kind::False:
    return constant((term.kind == Term::Kind::True) == wanted);
  case Term::Kind::And:
  case Term::Kind::Or:
    return buildParts(term, bound, wanted);
  case Term::Kind::Not:
    return build(system.conditions.childrenOf(term).front(), bound, !wanted);
  case Term::Kind::Atom:
    return buildAtom(term.first, bound, wanted);
  case Term::Kind::Loop:
    return buildLoop(term.first, bound, wanted);
  case Term::Kind::Static:
  case Term::Kind::General:
    return buildOther(term.first, bound.front(), wanted);
  }
  llvm_unreachable("all kinds are handled");
}

FormulaId Grounder::buildParts(const Term &term, Bound &bound, bool wanted) {
  bool isAnd = (term.kind == Term::Kind::And) == wanted;
  Formula formula{isAnd ? Formula::Kind::And : Formula::Kind::Or};
  for (TermId child : system.conditions.childrenOf(term))
    formula.parts.push_back(build(child, bound, wanted));
  return add(std::move(formula));
}

FormulaId Grounder::buildAtom(uint32_t id, Bound &bound, bool wanted) {
  Atom &atom = system.conditions.atoms[id];
  CellId cell = findCell(layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  Formula formula{Formula::Kind::Test, cell.index};
  for (auto [i, value] : llvm::enumerate(all.cells[cell.index].values))
    if (system.conditions.test(atom, value) == wanted)
      formula.values |= uint64_t(1) << i;
  return add(std::move(formula));
}

FormulaId Grounder::buildLoop(uint32_t id, Bound &bound, bool wanted) {
  const Loop &loop = system.conditions.loops[id];
  Formula formula{wanted ? Formula::Kind::And : Formula::Kind::Or};
  bound.resize(loop.depth);
  forEachEntity(layout, loop.route, bound, [&](ir::EntityId element) {
    bound.resize(loop.depth);
    bound.push_back(element);
    formula.parts.push_back(build(loop.body, bound, wanted));
    bound.resize(loop.depth);
    return problem.empty();
  });
  return add(std::move(formula));
}

std::vector<CellId> Grounder::cellsOf(const OtherTerm &other,
                                      ir::EntityId self) {
  std::vector<CellId> cells;
  for (const CellRef &ref : other.reads) {
    Route route{0, ref.route.fromSelf, ref.route.fromSelf, ref.route.self};
    forEachEntity(layout, route, self, [&](ir::EntityId entity) {
      auto cell = layout.findCell(entity, ref.interface, ref.cell);
      if (cell && !llvm::is_contained(cells, cell))
        cells.push_back(cell);
      return true;
    });
  }
  return cells;
}

/// What is left to the evaluator is tried with every combination of values.
FormulaId Grounder::buildOther(uint32_t id, ir::EntityId self, bool wanted) {
  const OtherTerm &other = system.conditions.others[id];
  std::vector<CellId> cells = cellsOf(other, self);
  size_t combinations = 1;
  for (CellId cell : cells)
    combinations *= all.cells[cell.index].values.size();
  if (combinations > maxCombinations) {
    problem = "a condition of '" + layout.graph.nameOf(self) +
              "' compares too many cells";
    return constant(false);
  }
  Formula formula{Formula::Kind::Or};
  for (size_t number = 0; number != combinations; ++number) {
    Formula combination{Formula::Kind::And};
    llvm::DenseMap<uint32_t, ValueId> values;
    size_t rest = number;
    for (CellId cell : cells) {
      ArrayRef<ValueId> known = all.cells[cell.index].values;
      size_t index = rest % known.size();
      rest /= known.size();
      values[cell.index] = known[index];
      combination.parts.push_back(
          add({Formula::Kind::Test, cell.index, uint64_t(1) << index, {}}));
    }
    auto valueOf = [&](CellId cell) -> const Value * {
      auto found = values.find(cell.index);
      return found == values.end() ? nullptr : &system.values[found->second];
    };
    GraphEnvironment environment(layout, self, valueOf,
                                 system.conditions.names);
    ValueArena arena;
    Evaluation answer = evaluate(*other.expr, environment, arena);
    // What only the run knows is taken to hold, as in the plan.
    bool holds =
        answer.isUnknown() || (answer.isKnown() && answer.value().isTrue());
    if (holds == wanted)
      formula.parts.push_back(add(std::move(combination)));
  }
  return add(std::move(formula));
}

std::vector<GroundWrite> Grounder::writesOf(EventId event,
                                            ArrayRef<ir::Set> sets) {
  EventPlace at = layout.place(event);
  std::vector<GroundWrite> writes;
  for (const ir::Set &set : sets)
    if (auto value = valueOf(set, event)) {
      CellId cell = layout.cell(at.slot, at.row, set.cell);
      writes.push_back({cell.index, indexOf(cell, *value)});
    }
  return writes;
}

std::vector<GroundSend> Grounder::sendsOf(EventId event,
                                          ArrayRef<ir::Trigger> triggers) {
  ir::EntityId entity = layout.entityOf(event);
  std::vector<GroundSend> sends;
  for (const ir::Trigger &trigger : triggers) {
    TermId term = system.conditions.compile(trigger.condition,
                                            layout.graph.kindOf(entity));
    system.forEachReceiver(entity, trigger, [&](EventId receiver) {
      sends.push_back({compile(term, entity), receiver.index});
    });
  }
  return sends;
}

void Grounder::buildOperations() {
  for (uint32_t i = 0; i != layout.numEvents() && problem.empty(); ++i) {
    const ir::Operation &operation = layout.operation({i});
    GroundOperation made{
        {i}, compile(system.precondition({i}), layout.entityOf(EventId{i}))};
    made.entry = writesOf({i}, operation.entry.sets);
    made.success = writesOf({i}, operation.success.sets);
    made.onEntry = sendsOf({i}, operation.entry.triggers);
    made.onSuccess = sendsOf({i}, operation.success.triggers);
    all.operations.push_back(std::move(made));
  }
  uint32_t last = end ? end->steps : run.steps.size();
  for (uint32_t i = begin ? begin->steps : 0; i < last && problem.empty(); ++i)
    if (!run.steps.isJoin({i}))
      ++all.operations[run.steps.event({i})].expected;
}

bool Grounder::holdsAtFirst(FormulaId id) const {
  return all.holds(id, [&](uint32_t cell) { return atFirst[cell]; });
}

/// What holds when the workflow goes on has fired: nothing was left to happen.
void Grounder::buildRules() {
  for (uint32_t i = 0; i != system.numRules() && problem.empty(); ++i) {
    if (system.rests({i}))
      continue;
    RulePlace at = system.place(RuleId{i});
    ir::EntityId owner = layout.entity(at.block->slot, at.row);
    uint32_t receiver = at.receiver.index;
    GroundRule rule{compile(at.block->condition, owner), receiver, owner};
    rule.hasHeld = begin && holdsAtFirst(rule.condition) &&
                   holdsAtFirst(all.operations[receiver].precondition);
    all.rules.push_back(rule);
  }
}

bool Grounder::canHold(FormulaId id) const {
  const Formula &formula = all[id];
  auto part = [&](FormulaId child) { return canHold(child); };
  switch (formula.kind) {
  case Formula::Kind::Test:
    return formula.values & possible[formula.cell];
  case Formula::Kind::And:
    return llvm::all_of(formula.parts, part);
  case Formula::Kind::Or:
    return llvm::any_of(formula.parts, part);
  }
  llvm_unreachable("all kinds are handled");
}

bool Grounder::tryAccept(uint32_t number) {
  const GroundOperation &operation = all.operations[number];
  if (accepted.test(number) || !canHold(operation.precondition))
    return false;
  accepted.set(number);
  for (const auto *writes : {&operation.entry, &operation.success})
    for (GroundWrite write : *writes)
      possible[write.cell] |= uint64_t(1) << write.value;
  return true;
}

/// What some order might accept, and the values that cells might have.
void Grounder::findPossible() {
  for (const GroundCell &cell : all.cells)
    possible.push_back(uint64_t(1) << cell.initial);
  accepted.resize(all.operations.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (EventId event : events)
      changed |= tryAccept(event.index);
    for (const GroundRule &rule : all.rules)
      if (!accepted.test(rule.operation) && canHold(rule.condition))
        changed |= tryAccept(rule.operation);
    for (unsigned sender : accepted.set_bits())
      for (const auto *sends :
           {&all.operations[sender].onEntry, &all.operations[sender].onSuccess})
        for (const GroundSend &send : *sends)
          if (!accepted.test(send.operation) && canHold(send.condition))
            changed |= tryAccept(send.operation);
  }
}

FormulaId Grounder::simplify(FormulaId id, GroundSystem &into) {
  const Formula &formula = all[id];
  Formula made{formula.kind};
  if (formula.kind == Formula::Kind::Test) {
    uint64_t can = possible[formula.cell];
    if ((formula.values & can) == can)
      made.kind = Formula::Kind::And;
    else if (!(formula.values & can))
      made.kind = Formula::Kind::Or;
    else
      made.cell = cellNumbers[formula.cell], made.values = formula.values;
  }
  bool isAnd = formula.kind == Formula::Kind::And;
  for (FormulaId part : formula.parts) {
    FormulaId child = simplify(part, into);
    const Formula &simple = into[child];
    bool isConstant =
        simple.kind != Formula::Kind::Test && simple.parts.empty();
    if (!isConstant)
      made.parts.push_back(child);
    else if ((simple.kind == Formula::Kind::And) != isAnd)
      return child;
  }
  if (made.parts.size() == 1)
    return made.parts.front();
  into.formulas.push_back(std::move(made));
  return {uint32_t(into.formulas.size() - 1)};
}

void Grounder::pruneOperation(const GroundOperation &old, GroundSystem &into) {
  GroundOperation kept{old.id, simplify(old.precondition, into)};
  kept.expected = old.expected;
  kept.promise = old.promise;
  kept.owner = old.owner;
  auto keepWrites = [&](ArrayRef<GroundWrite> from,
                        std::vector<GroundWrite> &to) {
    for (GroundWrite write : from)
      if (cellNumbers[write.cell] != ~0u)
        to.push_back({cellNumbers[write.cell], write.value});
  };
  auto keepSends = [&](ArrayRef<GroundSend> from, std::vector<GroundSend> &to) {
    for (const GroundSend &send : from)
      if (accepted.test(send.operation) && canHold(send.condition))
        to.push_back(
            {simplify(send.condition, into), operationNumbers[send.operation]});
  };
  keepWrites(old.entry, kept.entry);
  keepWrites(old.success, kept.success);
  keepSends(old.onEntry, kept.onEntry);
  keepSends(old.onSuccess, kept.onSuccess);
  into.operations.push_back(std::move(kept));
}

GroundSystem Grounder::prune() {
  GroundSystem kept;
  cellNumbers.assign(all.cells.size(), ~0u);
  for (auto [i, cell] : llvm::enumerate(all.cells))
    if (possible[i] & (possible[i] - 1)) {
      cellNumbers[i] = kept.cells.size();
      kept.cells.push_back(cell);
    }
  operationNumbers.assign(all.operations.size(), ~0u);
  uint32_t number = 0;
  for (unsigned operation : accepted.set_bits())
    operationNumbers[operation] = number++;
  for (unsigned operation : accepted.set_bits())
    pruneOperation(all.operations[operation], kept);
  for (const GroundRule &rule : all.rules)
    if (accepted.test(rule.operation) && canHold(rule.condition))
      kept.rules.push_back({simplify(rule.condition, kept),
                            operationNumbers[rule.operation], rule.owner,
                            rule.hasHeld});
  for (EventId event : events)
    if (accepted.test(event.index))
      kept.events.push_back(operationNumbers[event.index]);
  return kept;
}

std::optional<GroundSystem> Grounder::ground(std::string &why) {
  if (layout.numEvents() > maxOperations) {
    why = "it has more than " + std::to_string(maxOperations) + " operations";
    return std::nullopt;
  }
  if (run.system.hasLateCells) {
    why = "outputs of operations decide about cells";
    return std::nullopt;
  }
  collectValues();
  if (problem.empty())
    buildOperations();
  if (problem.empty())
    buildRules();
  if (problem.empty())
    addTasks();
  if (problem.empty())
    addPromises();
  if (!problem.empty()) {
    why = problem;
    return std::nullopt;
  }
  findPossible();
  return prune();
}

std::optional<GroundSystem> toscac::plan::ground(const Start &start,
                                                 const Run &run, Part part,
                                                 std::string &problem) {
  llvm::SaveAndRestore left(run.system.layout.leavingHasLeft,
                            part == Part::Later);
  return Grounder(start, run, part).ground(problem);
}
