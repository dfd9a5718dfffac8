//===- Ground.cpp - An event system spelt out -----------------------------===//

#include "Grounder.h"

#include "System/CellOutputs.h"
#include "System/GraphEnvironment.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// A search keeps a row of bytes for each state; beyond this, a few thousand
/// states fill the memory, and no verdict is worth that.
static constexpr uint32_t maxOperations = 100000;
/// About 100 MB of formulas.
static constexpr size_t maxFormulas = 4000000;
/// Values of one cell: sets of them are the bits of a word.
static constexpr size_t maxValues = 64;
/// Combinations of cells that a condition which compares cells is tried with.
static constexpr size_t maxCombinations = 4096;

Grounder::Grounder(const Start &start, const SymbolicRun &run, Part part)
    : ConditionWalk(run.system.conditions), start(start), run(run),
      system(run.system), layout(system.layout) {
  bool isFirst = part == Part::First;
  (isFirst ? end : begin) = run.later;
  if (layout.hidden)
    numberRows();
  for (const CellGoal &goal : isFirst ? start.goals : start.laterGoals)
    if (!layout.isHidden(layout.entityOf(goal.desired)))
      goals.push_back(goal);
  for (EventId event : isFirst ? start.events : start.laterEvents)
    if (!layout.isHidden(layout.entityOf(event)))
      events.push_back(numberOf(event));
}

void Grounder::numberRows() {
  rowNumbers.resize(layout.graph.numEntities());
  uint32_t cells = 0, operations = 0;
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    const Slot &slot = layout.slots[i];
    firstCells.push_back(cells);
    firstEvents.push_back(operations);
    uint32_t rows = 0;
    for (uint32_t row = 0; row != slot.rows; ++row)
      if (ir::EntityId entity = layout.entity({i}, row);
          !layout.isHidden(entity))
        rowNumbers[entity.index] = rows++;
    cells += rows * slot.cellsPerRow;
    operations += rows * slot.eventsPerRow;
  }
}

void Grounder::addValue(CellId cell, ValueId value) {
  std::vector<ValueId> &values = all.cells[numberOf(cell)].values;
  if (!llvm::is_contained(values, value))
    values.push_back(value);
  if (values.size() > maxValues)
    problem = "'" + layout.nameOf(cell) + "' can have too many values";
}

/// What \p set writes, where that does not depend on cells.
std::optional<ValueId> Grounder::valueOf(const ir::Set &set, EventId event) {
  ValueId value = system.valueOf(set, layout.entityOf(event),
                                 [](CellId) { return nullptr; });
  if (value)
    return value;
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

void Grounder::forEachOutput(EventId event,
                             llvm::function_ref<void(CellId, ValueId)> visit) {
  if (!run.outcome)
    return;
  EventPlace at = layout.place(event);
  const ir::Machine &machine = layout.machine(at.slot);
  for (const CellOutput &output :
       cellOutputs(machine, machine.operations[at.operation]))
    if (output.cell)
      visit(layout.cell(at.slot, at.row, *output.cell),
            run.outcome(event, *output.cell));
}

void Grounder::collectValues() {
  auto initial = [&](CellId cell) {
    return begin ? valueAt(cell, begin) : run.history.initial(cell);
  };
  forEachCell([&](CellId cell) {
    all.cells.push_back({cell, {}, 0, 0});
    addValue(cell, initial(cell));
  });
  isWritten.resize(all.cells.size());
  for (const CellGoal &goal : goals)
    addValue(goal.desired, goal.value);
  forEachEvent([&](EventId event) {
    EventPlace at = layout.place(event);
    const ir::Operation &operation = layout.operation(event);
    auto note = [&](CellId cell, ValueId value) {
      addValue(cell, value);
      isWritten.set(numberOf(cell));
    };
    forEachOutput(event, note);
    for (const ir::Reaction *reaction : {&operation.entry, &operation.success})
      for (const ir::Set &set : reaction->sets)
        if (auto value = valueOf(set, event))
          note(layout.cell(at.slot, at.row, set.cell), *value);
  });
  for (GroundCell &cell : all.cells) {
    cell.initial = indexOf(cell.id, initial(cell.id));
    atFirst.push_back(cell.initial);
    ValueId final = valueAt(cell.id, end);
    if (!llvm::is_contained(cell.values, final))
      addValue(cell.id, final);
    cell.expected = indexOf(cell.id, final);
  }
  for (const CellGoal &goal : goals)
    all.cells[numberOf(goal.desired)].initial =
        indexOf(goal.desired, goal.value);
}

uint8_t Grounder::indexOf(CellId cell, ValueId value) const {
  ArrayRef<ValueId> values = all.cells[numberOf(cell)].values;
  return llvm::find(values, value) - values.begin();
}

FormulaId Grounder::add(Formula formula) {
  all.formulas.push_back(std::move(formula));
  if (all.formulas.size() > maxFormulas)
    problem = "its conditions are too many";
  return {uint32_t(all.formulas.size() - 1)};
}

/// Whether \p cell has the value it begins with, whenever it is looked at.
bool Grounder::isConstant(CellId cell) const {
  return !isWritten.test(numberOf(cell)) && !begin && start.tasks.empty();
}

/// What asks the evaluator comes last: often enough, the rest decides.
FormulaId Grounder::group(const Group &group, Binding &bound) {
  if (!problem.empty())
    return constant(false);
  // That all, or some, are so is said of any number of them.
  tellsApart |= group.quorum.number != (group.quorum.isFromAll ? 0 : 1);
  std::vector<FormulaId> parts;
  Tally constants;
  llvm::SmallVector<std::pair<size_t, TermId>, 2> general;
  auto decides = [&](FormulaId id) {
    if (all[id].isConstant())
      constants.add(toTruth(all[id].isTrue()));
    return constants.decides(group.quorum);
  };
  forEachPart(group, bound, [&](TermId id) {
    if (system.conditions[id].kind == Term::Kind::General) {
      general.emplace_back(parts.size(), id);
      parts.emplace_back();
      return true;
    }
    parts.push_back(walk(id, bound, group.wanted));
    return !decides(parts.back()) && problem.empty();
  });
  for (auto [i, id] : general) {
    if (constants.decides(group.quorum))
      break;
    parts[i] = walk(id, bound, group.wanted);
    decides(parts[i]);
  }
  if (constants.decides(group.quorum))
    return constant(!group.quorum.isFromAll);
  int64_t needed = group.quorum.outOf(parts.size());
  return add(Formula::group(std::move(parts), std::max<int64_t>(needed, 0)));
}

FormulaId Grounder::atom(AtomId id, Binding &bound, bool wanted) {
  Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  if (layout.isHidden(layout.entityOf(cell))) {
    tellsApart = true;
    return constant(false);
  }
  const GroundCell &at = all.cells[numberOf(cell)];
  if (isConstant(cell))
    return constant(system.conditions.test(atom, at.values[at.initial]) ==
                    wanted);
  Formula formula = Formula::test(numberOf(cell), 0);
  for (auto [i, value] : llvm::enumerate(at.values))
    if (system.conditions.test(atom, value) == wanted)
      formula.values |= uint64_t(1) << i;
  return add(std::move(formula));
}

/// What is left to the evaluator is tried with every combination of values.
FormulaId Grounder::other(const Term &term, Binding &bound, bool wanted) {
  const OtherTerm &other = system.conditions.others[term.first];
  ir::EntityId self = bound.front();
  tellsApart = true;
  std::vector<CellId> cells;
  forEachRead(layout, other, self, [&](CellId cell) {
    if (!llvm::is_contained(cells, cell))
      cells.push_back(cell);
  });
  auto valuesOf = [&](CellId id) {
    const GroundCell &cell = all.cells[numberOf(id)];
    ArrayRef<ValueId> values = cell.values;
    return isConstant(id) ? values.slice(cell.initial, 1) : values;
  };
  size_t combinations = 1;
  for (CellId cell : cells)
    combinations *= valuesOf(cell).size();
  if (combinations > maxCombinations) {
    problem = "a condition of '" + layout.graph.nameOf(self) +
              "' compares too many cells";
    return constant(false);
  }
  // Tests of cells that vary; those of a single one become one.
  std::vector<FormulaId> alternatives;
  Formula single = Formula::test(0, 0);
  for (size_t number = 0; number != combinations; ++number) {
    std::vector<Formula> tests;
    llvm::SmallDenseMap<uint32_t, ValueId, 4> values;
    size_t rest = number;
    for (CellId cell : cells) {
      ArrayRef<ValueId> known = valuesOf(cell);
      ValueId value = known[rest % known.size()];
      rest /= known.size();
      values[cell.index] = value;
      if (known.size() > 1)
        tests.push_back(
            Formula::test(numberOf(cell), uint64_t(1) << indexOf(cell, value)));
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
    if (tests.empty())
      return constant(holds == wanted);
    if (tests.size() == 1) {
      single.cell = tests.front().cell;
      single.values |= holds == wanted ? tests.front().values : 0;
    } else if (holds == wanted) {
      std::vector<FormulaId> combination;
      for (Formula &test : tests)
        combination.push_back(add(std::move(test)));
      alternatives.push_back(add(Formula::all(std::move(combination))));
    }
  }
  return add(single.values ? std::move(single)
                           : Formula::any(std::move(alternatives)));
}

std::vector<GroundWrite> Grounder::writesOf(EventId event,
                                            ArrayRef<ir::Set> sets) {
  EventPlace at = layout.place(event);
  std::vector<GroundWrite> writes;
  for (const ir::Set &set : sets)
    if (auto value = valueOf(set, event)) {
      CellId cell = layout.cell(at.slot, at.row, set.cell);
      writes.push_back({numberOf(cell), indexOf(cell, *value)});
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
      if (!layout.isHidden(layout.entityOf(receiver)))
        sends.push_back({compile(term, entity), numberOf(receiver)});
    });
  }
  return sends;
}

void Grounder::buildOperations() {
  forEachEvent([&](EventId event) {
    if (!problem.empty())
      return;
    const ir::Operation &operation = layout.operation(event);
    GroundOperation made{
        event, compile(system.precondition(event), layout.entityOf(event))};
    made.entry = writesOf(event, operation.entry.sets);
    forEachOutput(event, [&](CellId cell, ValueId value) {
      made.success.push_back({numberOf(cell), indexOf(cell, value)});
    });
    llvm::append_range(made.success, writesOf(event, operation.success.sets));
    made.onEntry = sendsOf(event, operation.entry.triggers);
    made.onSuccess = sendsOf(event, operation.success.triggers);
    all.operations.push_back(std::move(made));
  });
  uint32_t last = end ? end->steps : run.steps.size();
  for (uint32_t i = begin ? begin->steps : 0; i < last && problem.empty(); ++i)
    if (!run.steps.isJoin({i}) &&
        !layout.isHidden(layout.entityOf(run.event({i}))))
      ++all.operations[numberOf(run.event({i}))].expected;
}

bool Grounder::holdsAtFirst(FormulaId id) const {
  return all.holds(id, [&](uint32_t cell) { return atFirst[cell]; });
}

/// What holds when the workflow goes on has fired: nothing was left to happen.
void Grounder::buildRules() {
  auto build = [&](RuleId id) {
    RulePlace at = system.place(id);
    ir::EntityId owner = layout.entity(at.block->slot, at.row);
    if (!problem.empty() || layout.isHidden(owner) ||
        layout.isHidden(layout.entityOf(at.receiver)))
      return;
    uint32_t receiver = numberOf(at.receiver);
    GroundRule rule{compile(at.block->condition, owner), receiver, owner};
    rule.hasHeld = begin && holdsAtFirst(rule.condition) &&
                   holdsAtFirst(all.operations[receiver].precondition);
    rule.isConditional = at.block->rule->condition;
    all.rules.push_back(rule);
  };
  for (const RuleBlock &block : system.rules) {
    uint32_t number = &block - &system.ruleOf(block.slot, 0);
    for (uint32_t row = 0; row != layout.slots[block.slot.index].rows; ++row)
      if (!layout.isHidden(layout.entity(block.slot, row)))
        system.forEachRule(block.slot, row, number, build);
  }
}

bool Grounder::canHold(FormulaId id) const {
  const Formula &formula = all[id];
  if (formula.isTest())
    return formula.values & possible[formula.cell];
  return formula.areEnough([&](FormulaId part) { return canHold(part); });
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
    for (uint32_t event : events)
      changed |= tryAccept(event);
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

/// A rule without a condition wants nothing but what the precondition says.
std::vector<EventId> Grounder::findSentInVain() const {
  llvm::BitVector sent(all.operations.size());
  for (uint32_t event : events)
    sent.set(event);
  for (const GroundRule &rule : all.rules)
    if (rule.isConditional && canHold(rule.condition))
      sent.set(rule.operation);
  for (unsigned sender : accepted.set_bits())
    for (const auto *sends :
         {&all.operations[sender].onEntry, &all.operations[sender].onSuccess})
      for (const GroundSend &send : *sends)
        if (canHold(send.condition))
          sent.set(send.operation);
  sent.reset(accepted);
  std::vector<EventId> result;
  for (unsigned operation : sent.set_bits())
    if (!all.operations[operation].takesNoTime())
      result.push_back(all.operations[operation].id);
  return result;
}

FormulaId Grounder::simplify(FormulaId id, GroundSystem &into) {
  const Formula &formula = all[id];
  auto make = [&](Formula made) -> FormulaId {
    into.formulas.push_back(std::move(made));
    return {uint32_t(into.formulas.size() - 1)};
  };
  if (formula.isTest()) {
    uint64_t can = possible[formula.cell];
    if ((formula.values & can) == can || !(formula.values & can))
      return make(Formula::constant(formula.values & can));
    return make(Formula::test(cellNumbers[formula.cell], formula.values));
  }
  std::vector<FormulaId> parts;
  size_t needed = formula.needed, left = formula.parts.size();
  for (FormulaId part : formula.parts) {
    if (needed == 0 || left < needed)
      break;
    FormulaId child = simplify(part, into);
    if (!into[child].isConstant())
      parts.push_back(child);
    else if (into[child].isTrue())
      --needed;
    left -= into[child].isConstant();
  }
  if (needed == 0 || left < needed)
    return make(Formula::constant(needed == 0));
  if (parts.size() == 1)
    return parts.front();
  return make(Formula::group(std::move(parts), needed));
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
        to.push_back({cellNumbers[write.cell], write.value, write.from});
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
                            rule.hasHeld, rule.isConditional, rule.isCall});
  for (uint32_t event : events)
    if (accepted.test(event))
      kept.events.push_back(operationNumbers[event]);
  kept.sentInVain = findSentInVain();
  kept.leavesTasks = all.leavesTasks;
  return kept;
}

std::optional<GroundSystem> Grounder::ground(std::string &why) {
  if (!layout.hidden && layout.numEvents() > maxOperations) {
    why = "it has more than " + std::to_string(maxOperations) + " operations";
    return std::nullopt;
  }
  if (run.system.hasLateCells && !run.outcome) {
    why = "outputs of operations decide about cells";
    return std::nullopt;
  }
  collectValues();
  all.formulas.reserve(8 * all.cells.size());
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
                                                 const SymbolicRun &run,
                                                 Part part,
                                                 std::string &problem) {
  llvm::SaveAndRestore left(run.system.layout.leavingHasLeft,
                            part == Part::Later);
  return Grounder(start, run, part).ground(problem);
}

std::optional<GroundSystem>
toscac::plan::groundAlike(const Start &start, const SymbolicRun &run, Part part,
                          const llvm::BitVector &hidden) {
  Layout &layout = run.system.layout;
  llvm::SaveAndRestore left(layout.leavingHasLeft, part == Part::Later);
  llvm::SaveAndRestore without(layout.hidden, &hidden);
  Grounder grounder(start, run, part);
  std::string problem;
  std::optional<GroundSystem> system = grounder.ground(problem);
  return grounder.tellsApart ? std::nullopt : std::move(system);
}
