//===- Ground.cpp - An event system spelt out -----------------------------===//

#include "Ground.h"

#include "GroundDraft.h"
#include "Prune.h"
#include "System/CellOutputs.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// A search keeps a row of bytes for each state; beyond this, a few thousand
/// states fill the memory, and no verdict is worth that.
static constexpr uint32_t maxOperations = 100000;
/// Values of one cell: sets of them are the bits of a word.
static constexpr size_t maxValues = 64;

namespace {

class Grounder {
public:
  Grounder(const Start &start, const SymbolicRun &run, Part part);

  std::optional<GroundSystem> ground(std::string &why);
  /// Whether a condition reads what may tell entities apart that are alike.
  bool tellsApart() const { return conditions.tellsApart; }

private:
  void collectValues();
  /// Calls \p visit with each cell that outputs of \p event are written to, and
  /// with what they turn out to be.
  void forEachOutput(EventId event,
                     llvm::function_ref<void(CellId, ValueId)> visit);
  ValueId valueAt(CellId cell, std::optional<Boundary> boundary) const;
  void addValue(CellId cell, ValueId value);
  std::optional<ValueId> valueOf(const ir::Set &set, EventId event);

  void buildOperations();
  std::vector<GroundWrite> writesOf(EventId event, ArrayRef<ir::Set> sets);
  std::vector<GroundSend> sendsOf(EventId event,
                                  ArrayRef<ir::Trigger> triggers);
  void buildRules();

  const Start &start;
  const SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  GroundDraft draft;
  const GroundNumbers &numbers;
  GroundConditions &conditions;
  GroundSystem &all;
  std::vector<CellGoal> goals;
  /// Where what is wanted begins and ends; none: with the run.
  std::optional<Boundary> begin, end;
};

} // namespace

Grounder::Grounder(const Start &start, const SymbolicRun &run, Part part)
    : start(start), run(run), system(run.system), layout(system.layout),
      draft(start, run), numbers(draft.numbers), conditions(draft.conditions),
      all(draft.all) {
  bool isFirst = part == Part::First;
  (isFirst ? end : begin) = run.later;
  conditions.allMayVary = begin || !start.tasks.empty();
  for (const CellGoal &goal : isFirst ? start.goals : start.laterGoals)
    if (!layout.isHidden(layout.entityOf(goal.desired)))
      goals.push_back(goal);
  for (EventId event : isFirst ? start.events : start.laterEvents)
    if (!layout.isHidden(layout.entityOf(event)))
      all.events.push_back(numbers.of(event));
}

void Grounder::addValue(CellId cell, ValueId value) {
  std::vector<ValueId> &values = all.cells[numbers.of(cell)].values;
  if (!llvm::is_contained(values, value))
    values.push_back(value);
  if (values.size() > maxValues)
    draft.problem = "'" + layout.nameOf(cell) + "' can have too many values";
}

/// What \p set writes, where that does not depend on cells.
std::optional<ValueId> Grounder::valueOf(const ir::Set &set, EventId event) {
  ValueId value = system.valueOf(set, layout.entityOf(event),
                                 [](CellId) { return nullptr; });
  if (value)
    return value;
  draft.problem =
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
  numbers.forEachCell([&](CellId cell) {
    all.cells.push_back({cell, {}, 0, 0});
    addValue(cell, initial(cell));
  });
  conditions.isWritten.resize(all.cells.size());
  for (const CellGoal &goal : goals)
    addValue(goal.desired, goal.value);
  numbers.forEachEvent([&](EventId event) {
    EventPlace at = layout.place(event);
    const ir::Operation &operation = layout.operation(event);
    auto note = [&](CellId cell, ValueId value) {
      addValue(cell, value);
      conditions.isWritten.set(numbers.of(cell));
    };
    forEachOutput(event, note);
    for (const ir::Reaction *reaction : {&operation.entry, &operation.success})
      for (const ir::Set &set : reaction->sets)
        if (auto value = valueOf(set, event))
          note(layout.cell(at.slot, at.row, set.cell), *value);
  });
  for (GroundCell &cell : all.cells) {
    cell.initial = conditions.indexOf(cell.id, initial(cell.id));
    draft.atFirst.push_back(cell.initial);
    ValueId final = valueAt(cell.id, end);
    if (!llvm::is_contained(cell.values, final))
      addValue(cell.id, final);
    cell.expected = conditions.indexOf(cell.id, final);
  }
  for (const CellGoal &goal : goals)
    all.cells[numbers.of(goal.desired)].initial =
        conditions.indexOf(goal.desired, goal.value);
}

std::vector<GroundWrite> Grounder::writesOf(EventId event,
                                            ArrayRef<ir::Set> sets) {
  EventPlace at = layout.place(event);
  std::vector<GroundWrite> writes;
  for (const ir::Set &set : sets)
    if (auto value = valueOf(set, event)) {
      CellId cell = layout.cell(at.slot, at.row, set.cell);
      writes.push_back({numbers.of(cell), conditions.indexOf(cell, *value)});
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
        sends.push_back(
            {conditions.compile(term, entity), numbers.of(receiver)});
    });
  }
  return sends;
}

void Grounder::buildOperations() {
  numbers.forEachEvent([&](EventId event) {
    if (!draft.problem.empty())
      return;
    const ir::Operation &operation = layout.operation(event);
    GroundOperation made{event, conditions.compile(system.precondition(event),
                                                   layout.entityOf(event))};
    made.entry = writesOf(event, operation.entry.sets);
    forEachOutput(event, [&](CellId cell, ValueId value) {
      made.success.push_back(
          {numbers.of(cell), conditions.indexOf(cell, value)});
    });
    llvm::append_range(made.success, writesOf(event, operation.success.sets));
    made.onEntry = sendsOf(event, operation.entry.triggers);
    made.onSuccess = sendsOf(event, operation.success.triggers);
    all.operations.push_back(std::move(made));
  });
  uint32_t last = end ? end->steps : run.steps.size();
  for (uint32_t i = begin ? begin->steps : 0; i < last && draft.problem.empty();
       ++i)
    if (!run.steps.isJoin({i}) &&
        !layout.isHidden(layout.entityOf(run.event({i}))))
      ++all.operations[numbers.of(run.event({i}))].expected;
}

/// Level rules. In the later part of a workflow, those that hold at its
/// beginning have fired before: the first part ends when no rule rises any
/// more.
void Grounder::buildRules() {
  auto build = [&](RuleId id) {
    RulePlace at = system.place(id);
    ir::EntityId owner = layout.entity(at.block->slot, at.row);
    if (!draft.problem.empty() || layout.isHidden(owner) ||
        layout.isHidden(layout.entityOf(at.receiver)))
      return;
    uint32_t receiver = numbers.of(at.receiver);
    GroundRule rule{conditions.compile(at.block->condition, owner), receiver,
                    owner};
    rule.hasHeld = begin && draft.holdsAtFirst(rule.condition) &&
                   draft.holdsAtFirst(all.operations[receiver].precondition);
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

std::optional<GroundSystem> Grounder::ground(std::string &why) {
  if (!layout.hidden && layout.numEvents() > maxOperations) {
    why = "it has more than " + std::to_string(maxOperations) + " operations";
    return std::nullopt;
  }
  if (system.hasLateCells && !run.outcome) {
    why = "outputs of operations decide about cells";
    return std::nullopt;
  }
  collectValues();
  all.formulas.reserve(8 * all.cells.size());
  const std::string &problem = draft.problem;
  if (problem.empty())
    buildOperations();
  if (problem.empty())
    buildRules();
  if (problem.empty() && !start.tasks.empty() &&
      start.tasksAreLater == begin.has_value())
    addTasks(draft);
  if (problem.empty())
    addPromises(draft);
  if (!problem.empty()) {
    why = problem;
    return std::nullopt;
  }
  return prune(all);
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
  return grounder.tellsApart() ? std::nullopt : std::move(system);
}
