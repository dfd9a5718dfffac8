//===- Outcomes.cpp - Whether guards tell outcomes apart ------------------===//
///
/// \file
/// The symbolic run takes every condition over a value of the run to hold, and
/// gives the step a guard. That is right where nothing happens because a
/// condition does not hold, and nothing that was left out matters later. So the
/// event system is run again with each value that outputs can have, alike for
/// all instances of a class and, where there are several, in turn.
///
//===----------------------------------------------------------------------===//

#include "Outcomes.h"

#include "CellOutputs.h"
#include "GraphEnvironment.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

/// An output of an operation, of all instances of a class.
struct Output {
  SlotId slot;
  uint32_t operation;
  uint32_t cell;
  SourceRange range;
  std::vector<ValueId> values;
};

/// For each output, which of its values the first instance has, and by how much
/// the number differs from one instance to the next.
struct World {
  std::vector<uint32_t> first;
  uint32_t step = 0;
};

class OutcomeChecker {
public:
  OutcomeChecker(PlanData &plan, unsigned maxRepeats)
      : plan(plan), system(plan.system), layout(plan.system.layout),
        maxRepeats(maxRepeats) {}

  void check();

private:
  void collectOutputs();
  std::vector<World> worlds() const;
  ValueId valueIn(const World &world, EventId event, uint32_t cell) const;
  bool check(const World &world);
  void replay(const World &world);
  bool holds(ArrayRef<const Expr *> guards, ir::EntityId self);
  Expr withStates(const Expr &expr);
  void writeSets(const EventPlace &at, ArrayRef<ir::Set> sets);
  const Value *valueOf(CellId cell) const {
    return &system.values[cells[cell.index]];
  }
  void report(const World &world, const std::string &what);

  static constexpr size_t maxWorlds = 64;
  PlanData &plan;
  EventSystem &system;
  const Layout &layout;
  unsigned maxRepeats;
  std::vector<Output> outputs;
  // Of a replay of the plan.
  std::vector<ValueId> cells;
  std::vector<uint32_t> counts;
};

} // namespace

void OutcomeChecker::collectOutputs() {
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> seen;
  for (uint32_t i = 0; i != plan.run.steps.size(); ++i) {
    if (plan.run.steps.isJoin({i}))
      continue;
    EventPlace at = layout.place(plan.run.event({i}));
    const ir::Machine &machine = layout.machine(at.slot);
    for (const CellOutput &output :
         cellOutputs(machine, machine.operations[at.operation]))
      if (output.cell &&
          seen.insert({at.slot.index, at.operation, *output.cell}).second)
        outputs.push_back(
            {at.slot, at.operation, *output.cell, output.mapping->range,
             outcomesOf(layout.cell(at.slot, 0, *output.cell), system)});
  }
}

/// All combinations where they are few; else each value of each output.
std::vector<World> OutcomeChecker::worlds() const {
  size_t product = 1;
  bool hasSeveral = false;
  for (const Output &output : outputs) {
    product = std::min(product * output.values.size(), maxWorlds + 1);
    hasSeveral |= layout.slots[output.slot.index].rows > 1;
  }
  std::vector<World> result{{std::vector<uint32_t>(outputs.size())}};
  for (size_t i = 0; i != outputs.size(); ++i) {
    size_t known = product > maxWorlds ? 1 : result.size();
    for (uint32_t value = 1; value < outputs[i].values.size(); ++value)
      for (size_t j = 0; j != known; ++j) {
        result.push_back(result[j]);
        result.back().first[i] = value;
      }
  }
  if (hasSeveral)
    for (size_t i = 0, count = result.size(); i != count; ++i) {
      result.push_back(result[i]);
      result.back().step = 1;
    }
  return result;
}

ValueId OutcomeChecker::valueIn(const World &world, EventId event,
                                uint32_t cell) const {
  EventPlace at = layout.place(event);
  for (auto [i, output] : llvm::enumerate(outputs))
    if (output.slot == at.slot && output.operation == at.operation &&
        output.cell == cell)
      return output.values[(world.first[i] + at.row * world.step) %
                           output.values.size()];
  // The run for this outcome does what the plan does not.
  return outcomesOf(layout.cell(at.slot, at.row, cell), system).front();
}

Expr OutcomeChecker::withStates(const Expr &expr) {
  ValueArena &arena = system.conditions.arena;
  if (expr.isCall(Function::GetState) && expr.children().size() == 3) {
    ArrayRef<Expr> path = expr.children();
    NameTable &names = system.conditions.names;
    CellId cell = layout.findCell({uint32_t(path[0].value().asInteger())},
                                  names.intern(path[1].value().asString()),
                                  names.intern(path[2].value().asString()));
    return cell ? Expr::literal(*valueOf(cell)) : expr;
  }
  llvm::SmallVector<Expr, 4> children;
  for (const Expr &child : expr.children())
    children.push_back(withStates(child));
  return withChildren(expr, arena.save(ArrayRef<Expr>(children)));
}

/// What depends on attributes, too, is taken to hold, as it was in the run.
bool OutcomeChecker::holds(ArrayRef<const Expr *> guards, ir::EntityId self) {
  auto read = [&](CellId cell) { return valueOf(cell); };
  GraphEnvironment environment(layout, self, read, system.conditions.names);
  return llvm::all_of(guards, [&](const Expr *guard) {
    Evaluation value =
        evaluate(withStates(*guard), environment, system.conditions.arena);
    return value.isUnknown() || (value.isKnown() && value.value().isTrue());
  });
}

void OutcomeChecker::writeSets(const EventPlace &at, ArrayRef<ir::Set> sets) {
  auto read = [&](CellId cell) { return valueOf(cell); };
  GraphEnvironment environment(layout, layout.entity(at.slot, at.row), read,
                               system.conditions.names);
  for (const ir::Set &set : sets) {
    Evaluation value =
        evaluate(*set.value, environment, system.conditions.arena);
    if (value.isKnown())
      cells[layout.cell(at.slot, at.row, set.cell).index] =
          system.values.intern(value.value());
  }
}

/// Follows the steps of the plan in their order.
void OutcomeChecker::replay(const World &world) {
  cells.clear();
  for (uint32_t i = 0; i != layout.numCells(); ++i)
    cells.push_back(plan.run.history.initial({i}));
  for (const CellGoal &goal : plan.start.goals)
    cells[goal.desired.index] = goal.value;
  counts.assign(layout.numEvents(), 0);
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    if (plan.steps.isJoin({i}))
      continue;
    EventId event{plan.steps.event({i})};
    EventPlace at = layout.place(event);
    if (auto guards = plan.guards.find(plan.origins[i].index);
        guards != plan.guards.end() &&
        !holds(guards->second, layout.entity(at.slot, at.row)))
      continue;
    ++counts[event.index];
    const ir::Machine &machine = layout.machine(at.slot);
    const ir::Operation &operation = machine.operations[at.operation];
    writeSets(at, operation.entry.sets);
    for (const CellOutput &output : cellOutputs(machine, operation))
      cells[layout.cell(at.slot, at.row, *output.cell).index] =
          valueIn(world, event, *output.cell);
    writeSets(at, operation.success.sets);
  }
}

void OutcomeChecker::report(const World &world, const std::string &what) {
  const Output &output = outputs.front();
  std::string others;
  for (auto [i, other] : llvm::enumerate(ArrayRef(outputs).drop_front()))
    others += "'" + layout.nameOf(layout.cell(other.slot, 0, other.cell)) +
              "' to be " +
              toText(system.values[other.values[world.first[i + 1]]]) + ", ";
  system.conditions.diags.report(
      output.range, diag::UnplannableOutcome,
      layout.nameOf(layout.cell(output.slot, 0, output.cell)),
      toText(system.values[output.values[world.first.front()]]), others + what);
}

bool OutcomeChecker::check(const World &world) {
  Run run(system);
  run.parameters = plan.run.parameters;
  run.outcome = [&](EventId event, uint32_t cell) {
    return valueIn(world, event, cell);
  };
  llvm::SaveAndRestore left(system.layout.leavingHasLeft, false);
  if (!simulate(plan.start, maxRepeats, run, [] { return true; }))
    return false;
  replay(world);
  for (uint32_t i = 0; i != run.steps.size(); ++i)
    if (!run.steps.isJoin({i}))
      --counts[run.event({i}).index];
  for (uint32_t i = 0; i != counts.size(); ++i)
    if (counts[i] != 0) {
      std::string name = "'" + layout.nameOf(EventId{i}) + "'";
      report(world, int32_t(counts[i]) < 0
                        ? name + " happens, which the plan has not"
                        : name + " does not happen, which the plan has");
      return false;
    }
  for (uint32_t i = 0; i != cells.size(); ++i)
    if (cells[i] != run.history.value({i})) {
      report(world, "'" + layout.nameOf(CellId{i}) + "' becomes " +
                        toText(system.values[run.history.value({i})]) +
                        ", which the plan leaves " +
                        toText(system.values[cells[i]]));
      return false;
    }
  return true;
}

void OutcomeChecker::check() {
  collectOutputs();
  if (outputs.empty())
    return;
  for (const World &world : worlds())
    if (!check(world))
      return;
}

void toscac::plan::checkOutcomes(PlanData &plan, unsigned maxRepeats) {
  if (plan.system.hasLateCells && !plan.start.hasLater())
    OutcomeChecker(plan, maxRepeats).check();
}
