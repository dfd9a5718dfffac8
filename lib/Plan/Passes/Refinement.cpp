//===- Refinement.cpp - Edges against wrong timing ------------------------===//

#include "Refinement.h"

#include "Steps/Guards.h"
#include "Steps/UnsafeSteps.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

/// What makes a condition surely hold.
struct Repair {
  llvm::SmallVector<OrderEdge, 2> edges;
  llvm::SmallVector<std::pair<StepId, StepId>, 2> exclusions;

  /// An edge costs parallelism, and more so against the order of the run.
  auto cost() const {
    size_t backwards = llvm::count_if(
        edges, [](const OrderEdge &edge) { return edge.from > edge.to; });
    return std::tuple(backwards, edges.size(), exclusions.size());
  }
  bool isEmpty() const { return edges.empty() && exclusions.empty(); }
  void append(const Repair &other) {
    edges.append(other.edges);
    exclusions.append(other.exclusions);
  }
};

/// Collects what protects the part of a condition because of which it held in
/// the run.
class Protection : private ConditionWalk<Protection, void> {
public:
  Protection(PlanData &plan, PlanOrder &order, StartValues &values)
      : ConditionWalk(plan.system.conditions), system(plan.system),
        run(plan.run), order(order), values(values),
        truth(plan.system, run.history), justification(truth, run.steps) {}

  Repair of(StepId step, TermId term, ir::EntityId self);

private:
  friend ConditionWalk;
  void constant(bool) {}
  void atom(AtomId atom, Binding &bound, bool wanted);
  void other(const Term &term, Binding &bound, bool wanted);
  void group(const Group &group, Binding &bound);
  /// Lets nothing but what passes \p test be in \p cell.
  void protectCell(CellId cell, WriteId since,
                   llvm::function_ref<bool(ValueId)> test);

  EventSystem &system;
  const SymbolicRun &run;
  PlanOrder &order;
  StartValues &values;
  TruthOf truth;
  JustificationOf justification;
  StepId reader;
  Moment moment = never;
  /// What is found is added to it.
  Repair *repair = nullptr;
};

class Refiner {
public:
  explicit Refiner(PlanData &plan) : plan(plan), run(plan.run) {}

  bool refine();

private:
  /// The cycle that it would lead to, without a report; the plan is as before
  /// then.
  std::vector<StepId> add(const Repair &repair);
  void reportCycle(llvm::ArrayRef<StepId> cycle);

  PlanData &plan;
  SymbolicRun &run;
};

} // namespace

/// Of alternatives, the cheapest are protected.
void Protection::group(const Group &group, Binding &bound) {
  llvm::SmallVector<Repair, 2> candidates;
  int64_t parts = 0;
  forEachPart(group, bound, [&](TermId part) {
    ++parts;
    if (group.quorum.isAll()) {
      walk(part, bound, group.wanted);
    } else if (truth.isWorth(part, bound, group.wanted, moment)) {
      llvm::SaveAndRestore into(repair, &candidates.emplace_back());
      walk(part, bound, group.wanted);
    }
    return true;
  });
  llvm::stable_sort(candidates, [](const Repair &a, const Repair &b) {
    return a.cost() < b.cost();
  });
  int64_t needed = std::max<int64_t>(group.quorum.outOf(parts), 0);
  for (const Repair &cheapest : ArrayRef(candidates).take_front(needed))
    repair->append(cheapest);
}

void Protection::atom(AtomId id, Binding &bound, bool wanted) {
  Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return;
  WriteId since = justification.heldSince(
      id, cell, run.history.lastWrite(cell, moment), wanted);
  protectCell(cell, since, [&](ValueId value) {
    return value != atRunTime && system.conditions.test(atom, value) == wanted;
  });
}

/// The evaluator does not say which of the cells it read decided: all of them
/// keep their values.
void Protection::other(const Term &term, Binding &bound, bool) {
  if (term.kind == Term::Kind::Static)
    return;
  forEachRead(system.layout, system.conditions.others[term.first],
              bound.front(), [&](CellId cell) {
                WriteId last = run.history.lastWrite(cell, moment);
                ValueId found = run.history.valueAfter(cell, last);
                protectCell(cell, last, [&](ValueId value) {
                  return value != atRunTime && value == found;
                });
              });
}

void Protection::protectCell(CellId cell, WriteId since,
                             llvm::function_ref<bool(ValueId)> test) {
  StepId begins = since ? run.history.writes[since.index].step : StepId();
  if (begins && begins != reader && !order.isBeforeInPlan(begins, reader))
    repair->edges.push_back({begins, reader});
  for (const CellWriter &writer : values.writersOf(cell, reader)) {
    if (order.isBeforeInPlan(reader, writer.step))
      continue;
    // What was written before the condition came to hold has been overwritten
    // by a step that the reader waits for. What comes later, but has to come
    // before the reader because both write a cell, leads to a cycle.
    if (!test(writer.atEnd) && writer.last.index >= moment.writes)
      repair->edges.push_back({reader, writer.step});
    else if (writer.onEntry && !test(writer.onEntry) &&
             !run.exclusions.contains(writer.step, reader) &&
             !order.isBeforeInPlan(writer.step, reader))
      repair->exclusions.push_back({reader, writer.step});
  }
}

Repair Protection::of(StepId step, TermId term, ir::EntityId self) {
  reader = step;
  moment = run.accepted[step.index];
  bool &hasLeft = system.layout.leavingHasLeft;
  llvm::SaveAndRestore phase(hasLeft, step.index >= run.firstLater());
  Repair found;
  repair = &found;
  walk(term, self, /*wanted=*/true);
  return found;
}

/// A mistake of ours: better no plan than one that can be followed wrongly.
[[noreturn]] static void failOn(const SymbolicRun &run, StepId step) {
  llvm::report_fatal_error(llvm::Twine("the plan may start '") +
                           run.system.layout.nameOf(run.event(step)) +
                           "' where its condition does not hold, or end with "
                           "its value or another's");
}

std::vector<StepId> Refiner::add(const Repair &repair) {
  for (const auto &[a, b] : repair.exclusions)
    run.exclusions.add(a, b);
  run.exclusions.normalize();
  if (repair.edges.empty())
    return {};
  // In the event system either may come first: such an edge proves no order.
  return addEdges(plan, {repair.edges.begin(), repair.edges.end()},
                  /*areChoices=*/true);
}

void Refiner::reportCycle(ArrayRef<StepId> cycle) {
  const Layout &layout = run.system.layout;
  llvm::SmallVector<std::string, 4> names;
  for (StepId step : llvm::reverse(cycle))
    names.push_back(layout.nameOf(run.event(step)));
  names.push_back(names.front());
  run.system.conditions.diags.report(
      layout.operation(run.event(cycle.back())).range, diag::MustOverlap,
      llvm::join(names, "' before '"));
}

/// What was added orders more than it was added for: each round begins with
/// what is open then.
bool Refiner::refine() {
  for (;;) {
    PlanOrder order(plan);
    StartValues values(run, order);
    Repair repair;
    forEachUnorderedWrite(run, values, [&](StepId earlier, StepId later) {
      repair.edges.push_back({earlier, later});
    });
    StepId open;
    std::vector<std::pair<StepId, Repair>> ofRules;
    if (repair.isEmpty()) {
      Protection protection(plan, order, values);
      forEachUnsafeRead(
          run, values, [&](StepId step, const StepCondition &condition) {
            Repair found = protection.of(step, condition.term, condition.self);
            open = step;
            if (condition.isOfRule)
              ofRules.emplace_back(step, std::move(found));
            else
              repair.append(found);
          });
    }
    // What steps themselves ask for comes before what sent them.
    if (!repair.isEmpty()) {
      if (std::vector<StepId> cycle = add(repair); !cycle.empty()) {
        reportCycle(cycle);
        return false;
      }
      continue;
    }
    for (const auto &[step, found] : ofRules)
      repair.append(found);
    // With outputs in cells, it depends on guards which steps run:
    // checkOutcomes() compares those.
    if (repair.isEmpty() && open && !plan.system.hasLateCells)
      failOn(run, open);
    if (repair.isEmpty())
      return true;
    std::vector<StepId> cycle = add(repair);
    bool isFound = false;
    for (const auto &[step, found] : ofRules)
      if (llvm::is_contained(cycle, step)) {
        run.firedBefore.insert(step.index);
        isFound = true;
      }
    if (!cycle.empty() && !isFound)
      for (const auto &[step, found] : ofRules)
        run.firedBefore.insert(step.index);
  }
}

bool toscac::plan::refine(PlanData &plan) { return Refiner(plan).refine(); }

/// A step whose guard reads a cell that is written while it may start.
static StepId findOpenGuard(const PlanData &plan, PlanOrder &order) {
  const SymbolicRun &run = plan.run;
  StepId open;
  for (const auto &[step, guards] : plan.guards)
    for (const Expr *guard : guards)
      forEachCell(run.system.layout, *guard, run.system.conditions.names,
                  [&, step = StepId{step}](CellId cell) {
                    for (WriteId id : run.history.writesTo(cell)) {
                      StepId writer = run.history.writes[id.index].step;
                      if (writer && writer != step &&
                          !order.areOrdered(writer, step))
                        open = step;
                    }
                  });
  return open;
}

void toscac::plan::checkRefinement(PlanData &plan) {
#ifdef NDEBUG
  if (!plan.options.verifyLimit)
    return;
#endif
  PlanOrder order(plan);
  if (StepId open = findOpenGuard(plan, order))
    failOn(plan.run, open);
  // With each outcome, in turn: see Outcomes.
  if (plan.system.hasLateCells)
    return;
  if (StepId open = findUnsafeStep(plan.run, order))
    failOn(plan.run, open);
}
