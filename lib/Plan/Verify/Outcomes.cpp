//===- Outcomes.cpp - Whether guards tell outcomes apart ------------------===//
///
/// \file
/// The symbolic run takes every condition over a value of the run to hold, and
/// gives the step a guard. That is right where nothing happens because a
/// condition does not hold, and nothing that was left out matters later. So the
/// event system is run again with each value that outputs can have, alike for
/// all instances of a class and, where there are several, in turn; to verify
/// the plan, with each combination, and in every order of completion.
///
//===----------------------------------------------------------------------===//

#include "Outcomes.h"

#include "Lower/CheckGoals.h"
#include "Steps/Guards.h"
#include "Steps/UnsafeSteps.h"
#include "System/CellOutputs.h"
#include "System/GraphEnvironment.h"
#include "Verify.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

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
  /// Not empty: the number for each instance of an output on its own.
  std::vector<uint32_t> each = {};
};

class OutcomeChecker {
public:
  OutcomeChecker(PlanData &plan, const OutcomeOptions &options)
      : plan(plan), system(plan.system), layout(plan.system.layout),
        options(options) {}

  void check();
  void verify();

private:
  void collectOutputs();
  std::vector<World> someWorlds() const;
  /// Every combination; empty if there are more than \p most, which is a
  /// \p problem.
  std::vector<World> allWorlds(size_t most, std::string &problem) const;
  /// The first output whose cell does not say which values it can have.
  const Output *findOpen() const;
  ValueId valueIn(const World &world, EventId event, uint32_t cell) const;
  bool simulate(const World &world, SymbolicRun &run);
  /// Where \p areAll are looked at, other orders are, too.
  bool check(const World &world, bool areAll);
  bool checkOrders(const World &world, const SymbolicRun &run);
  /// What the workflow wants in the end.
  ArrayRef<CellGoal> goals() const {
    return plan.start.hasLater() ? plan.start.laterGoals : plan.start.goals;
  }
  /// Reports goals that are missed: they are out of reach where all outcomes
  /// miss them, of which \p world is one.
  void reportMissed(const World &world, bool areAll);
  bool compare(const World &world, const SymbolicRun &run);
  bool checkRefinement(const World &world, SymbolicRun &run);
  void replay(const World &world);
  bool holds(ArrayRef<const Expr *> guards, ir::EntityId self);
  Expr withStates(const Expr &expr);
  void writeSets(const EventPlace &at, ArrayRef<ir::Set> sets);
  const Value *valueOf(CellId cell) const {
    return &system.values[cells[cell.index]];
  }
  std::string describe(const World &world) const;
  void report(const World &world, const std::string &what);

  /// Each world is one more symbolic run, which every compile pays for.
  static constexpr size_t maxWorlds = 64;
  /// With --verify, each combination is a search of its own; more are refused.
  static constexpr size_t maxVerified = 4096;
  PlanData &plan;
  EventSystem &system;
  const Layout &layout;
  const OutcomeOptions &options;
  std::vector<Output> outputs;
  /// Of events and cells: the output, and the number among all instances.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>>
      instances;
  size_t numStates = 0;
  /// Of orders that differ.
  bool hasWarned = false;
  /// Some outcome gets what the workflow wants.
  bool isReached = false;
  /// What the first outcome does not get that misses something; empty if all
  /// get what it wants.
  struct Missed {
    std::string given, what;
    bool empty() const { return what.empty(); }
  };
  Missed missed;
  // Of a replay of the plan.
  std::vector<ValueId> cells;
  std::vector<uint32_t> counts;
  /// By event: the steps of the plan that were not left out.
  llvm::DenseMap<uint32_t, llvm::SmallVector<StepId, 1>> taken;
};

} // namespace

void OutcomeChecker::collectOutputs() {
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> seen;
  for (uint32_t i = 0; i != plan.run.steps.size(); ++i) {
    if (plan.run.steps.isJoin({i}))
      continue;
    EventPlace at = layout.place(plan.run.event({i}));
    const ir::Machine &machine = layout.machine(at.slot);
    for (const CellOutput &output :
         cellOutputs(machine, machine.operations[at.operation])) {
      if (!output.cell)
        continue;
      auto [known, isNew] = seen.try_emplace(
          {at.slot.index, at.operation, *output.cell}, outputs.size());
      if (isNew)
        outputs.push_back(
            {at.slot, at.operation, *output.cell, output.mapping->range,
             outcomesOf(layout.cell(at.slot, 0, *output.cell), system)});
      instances.try_emplace({plan.run.event({i}).index, *output.cell},
                            known->second, instances.size());
    }
  }
}

/// Each value of each output, alike for all instances or in turn.
std::vector<World> OutcomeChecker::someWorlds() const {
  std::vector<World> result{{std::vector<uint32_t>(outputs.size())}};
  for (size_t i = 0; i != outputs.size(); ++i)
    for (uint32_t value = 1; value < outputs[i].values.size(); ++value) {
      result.push_back(result.front());
      result.back().first[i] = value;
    }
  for (size_t i = 0, count = result.size(); i != count; ++i) {
    result.push_back(result[i]);
    result.back().step = 1;
  }
  return result;
}

std::vector<World> OutcomeChecker::allWorlds(size_t most,
                                             std::string &problem) const {
  std::vector<World> result(1);
  result.front().first.resize(outputs.size());
  result.front().each.resize(instances.size());
  for (const auto &[place, instance] : instances) {
    const Output &output = outputs[instance.first];
    if (result.size() * output.values.size() > most) {
      CellId cell = layout.cell(output.slot, 0, output.cell);
      problem = "outputs into cells like '" + layout.nameOf(cell) +
                "' have more than " + std::to_string(most) +
                " outcomes together";
      return {};
    }
    size_t known = result.size();
    for (uint32_t value = 1; value < output.values.size(); ++value)
      for (size_t i = 0; i != known; ++i) {
        result.push_back(result[i]);
        result.back().each[instance.second] = value;
      }
  }
  return result;
}

ValueId OutcomeChecker::valueIn(const World &world, EventId event,
                                uint32_t cell) const {
  EventPlace at = layout.place(event);
  if (!world.each.empty())
    if (auto known = instances.find({event.index, cell});
        known != instances.end()) {
      auto [output, number] = known->second;
      return outputs[output].values[world.each[number]];
    }
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
  if (CellId cell = cellOf(layout, expr, system.conditions.names))
    return Expr::literal(*valueOf(cell));
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
  for (const ir::Set &set : sets)
    if (ValueId value =
            system.valueOf(set, layout.entity(at.slot, at.row), read))
      cells[layout.cell(at.slot, at.row, set.cell).index] = value;
}

/// Follows the steps of the plan in their order.
void OutcomeChecker::replay(const World &world) {
  cells.clear();
  for (uint32_t i = 0; i != layout.numCells(); ++i)
    cells.push_back(plan.run.history.initial({i}));
  for (const CellGoal &goal : plan.start.goals)
    cells[goal.desired.index] = goal.value;
  counts.assign(layout.numEvents(), 0);
  taken.clear();
  // What the workflow wants later comes later.
  auto isFirst = [&](uint32_t step) {
    return plan.origins[step].index < plan.run.firstLater();
  };
  std::vector<uint32_t> steps;
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (!plan.steps.isJoin({i}))
      steps.push_back(i);
  std::stable_partition(steps.begin(), steps.end(), isFirst);
  bool isLater = false;
  auto beginLater = [&] {
    isLater = system.layout.leavingHasLeft = true;
    for (const CellGoal &goal : plan.start.laterGoals)
      cells[goal.desired.index] = goal.value;
  };
  for (uint32_t i : steps) {
    if (!isLater && !isFirst(i))
      beginLater();
    EventId event{plan.steps.event({i})};
    EventPlace at = layout.place(event);
    if (auto guards = plan.guards.find(plan.origins[i].index);
        guards != plan.guards.end() &&
        !holds(guards->second, layout.entity(at.slot, at.row)))
      continue;
    ++counts[event.index];
    taken[event.index].push_back({i});
    const ir::Machine &machine = layout.machine(at.slot);
    const ir::Operation &operation = machine.operations[at.operation];
    writeSets(at, operation.entry.sets);
    for (const CellOutput &output : cellOutputs(machine, operation))
      cells[layout.cell(at.slot, at.row, *output.cell).index] =
          valueIn(world, event, *output.cell);
    writeSets(at, operation.success.sets);
  }
  if (plan.start.hasLater() && !isLater)
    beginLater();
}

/// `'a' turns out to be 1, 'b' to be 2`: of the first instances.
std::string OutcomeChecker::describe(const World &world) const {
  // As many as a person reads.
  static constexpr size_t most = 4;
  if (instances.empty())
    return "no output is written to a cell";
  std::string result;
  for (const auto &[place, instance] : instances) {
    if (instance.second >= most)
      continue;
    EventId event{place.first};
    EventPlace at = layout.place(event);
    ValueId value = valueIn(world, event, place.second);
    result += (result.empty() ? "'" : ", '") +
              layout.nameOf(layout.cell(at.slot, at.row, place.second)) +
              (result.empty() ? "' turns out to be " : "' to be ") +
              toText(system.values[value]);
  }
  return instances.size() > most ? result + " and so on" : result;
}

void OutcomeChecker::report(const World &world, const std::string &what) {
  system.conditions.diags.report(
      outputs.empty() ? SourceRange() : outputs.front().range,
      diag::UnplannableOutcome, describe(world), what);
}

bool OutcomeChecker::simulate(const World &world, SymbolicRun &run) {
  run.parameters = plan.run.parameters;
  run.outcome = [&](EventId event, uint32_t cell) {
    return valueIn(world, event, cell);
  };
  return options.simulate(run);
}

bool OutcomeChecker::check(const World &world, bool areAll) {
  SymbolicRun run(system);
  llvm::SaveAndRestore left(system.layout.leavingHasLeft, false);
  if (!simulate(world, run))
    return false;
  system.layout.leavingHasLeft = false;
  // Where no output is written, the plan is that of this run.
  if (!outputs.empty()) {
    replay(world);
    if (!compare(world, run) || !checkRefinement(world, run))
      return false;
  }
  if (areAll && !checkOrders(world, run))
    return false;
  std::string first = firstMissed(goals(), plan.graph().goal, run);
  if (first.empty())
    isReached = true;
  else if (missed.empty())
    missed = {describe(world), std::move(first)};
  return true;
}

bool OutcomeChecker::checkOrders(const World &world, const SymbolicRun &run) {
  if (!options.limit) {
    // One outcome whose orders differ is enough of a warning.
    if (options.areOrdersOpen && !hasWarned)
      hasWarned = !options.look(run, describe(world));
    return true;
  }
  std::optional<size_t> states = findStates(plan.start, run, *options.limit);
  numStates += states.value_or(0);
  if (!states && system.conditions.diags.hasErrors())
    report(world, "orders of completion differ");
  return states.has_value();
}

void OutcomeChecker::reportMissed(const World &world, bool areAll) {
  if (missed.empty())
    return;
  if (isReached || !areAll) {
    system.conditions.diags.report(outputs.front().range, diag::UncertainGoal,
                                   missed.given, missed.what);
    return;
  }
  SymbolicRun run(system);
  llvm::SaveAndRestore left(system.layout.leavingHasLeft, false);
  if (simulate(world, run))
    plan::reportMissed(goals(), plan.graph().goal, run);
}

bool OutcomeChecker::compare(const World &world, const SymbolicRun &run) {
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

/// Whether the plan, without the steps that this outcome leaves out, refines
/// what the machines do then.
bool OutcomeChecker::checkRefinement(const World &world, SymbolicRun &run) {
  std::vector<StepId> numbers(run.steps.size());
  std::vector<StepId> inRun(plan.run.steps.size());
  llvm::DenseMap<uint32_t, size_t> seen;
  for (uint32_t i = 0; i != run.steps.size(); ++i) {
    if (run.steps.isJoin({i}))
      continue;
    uint32_t event = run.event({i}).index;
    numbers[i] = taken[event][seen[event]++];
    inRun[plan.origins[numbers[i].index].index] = {i};
  }
  for (const Exclusion &pair : plan.run.exclusions.all())
    if (StepId a = inRun[pair.later.index], b = inRun[pair.earlier.index];
        a && b)
      run.exclusions.add(a, b);
  run.exclusions.normalize();
  for (uint32_t step : plan.run.firedBefore)
    if (inRun[step])
      run.firedBefore.insert(inRun[step].index);
  PlanOrder order(plan, std::move(numbers));
  StepId open = findUnsafeStep(run, order);
  if (!open)
    return true;
  report(world, "'" + layout.nameOf(run.event(open)) +
                    "' may start when its machine does not let it");
  return false;
}

const Output *OutcomeChecker::findOpen() const {
  for (const Output &output : outputs) {
    const ir::Cell &cell = layout.machine(output.slot).cells[output.cell];
    if (cell.domain.empty() && cell.type != TypeKind::Boolean)
      return &output;
  }
  return nullptr;
}

void OutcomeChecker::check() {
  collectOutputs();
  if (outputs.empty() && !options.areOrdersOpen)
    return;
  std::string problem;
  std::vector<World> worlds = allWorlds(maxWorlds, problem);
  if (worlds.empty())
    worlds = someWorlds();
  for (const World &world : worlds)
    if (!check(world, /*areAll=*/problem.empty()))
      return;
  reportMissed(worlds.front(), /*areAll=*/problem.empty());
  if (problem.empty())
    return;
  system.conditions.diags.report({}, diag::NotProved, problem,
                                 "only some of them were planned for");
}

void OutcomeChecker::verify() {
  collectOutputs();
  DiagnosticEngine &diags = system.conditions.diags;
  if (const Output *open = findOpen()) {
    CellId cell = layout.cell(open->slot, 0, open->cell);
    diags.report(open->range, diag::OrdersNotExplored,
                 "nothing says which values an output can write to '" +
                     layout.nameOf(cell) + "'");
    return;
  }
  std::string problem;
  std::vector<World> worlds = allWorlds(maxVerified, problem);
  if (!problem.empty()) {
    diags.report(outputs.front().range, diag::OrdersNotExplored, problem);
    return;
  }
  for (const World &world : worlds)
    if (!check(world, /*areAll=*/true))
      return;
  reportMissed(worlds.front(), /*areAll=*/true);
  if (!diags.hasErrors())
    diags.remark(diag::OutcomesVerified, worlds.size(), numStates);
}

void toscac::plan::checkOutcomes(PlanData &plan,
                                 const OutcomeOptions &options) {
  if (!plan.system.hasLateCells)
    return;
  OutcomeChecker checker(plan, options);
  if (options.limit)
    checker.verify();
  else
    checker.check();
}
