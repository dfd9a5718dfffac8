//===- Refinement.cpp - Whatever the timing -------------------------------===//

#include "Refinement.h"

#include "CellOutputs.h"
#include "StartValues.h"
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
class Protection {
public:
  Protection(PlanData &plan, PlanOrder &order, StartValues &values)
      : system(plan.system), run(plan.run), order(order), values(values),
        truth(plan.system, run.history), support(truth, run.steps) {}

  Repair of(StepId step, TermId term, ir::EntityId self);

private:
  using Bound = llvm::SmallVectorImpl<ir::EntityId>;
  void protect(TermId term, Bound &bound, bool wanted, Repair &repair);
  void protectAny(const Term &term, Bound &bound, bool wanted, Repair &repair);
  void protectLoop(uint32_t loop, Bound &bound, bool wanted, Repair &repair);
  void protectAtom(AtomId atom, Bound &bound, bool wanted, Repair &repair);
  void protectGeneral(uint32_t other, Bound &bound, Repair &repair);
  /// Lets nothing but what passes \p test be in \p cell.
  void protectCell(CellId cell, WriteId since,
                   llvm::function_ref<bool(ValueId)> test, Repair &repair);
  bool isWorth(TermId term, const Bound &bound, bool wanted);
  static void addCheapest(ArrayRef<Repair> candidates, Repair &repair);

  EventSystem &system;
  const Run &run;
  PlanOrder &order;
  StartValues &values;
  TruthOf truth;
  SupportOf support;
  StepId reader;
  Moment moment = never;
};

class Refiner {
public:
  explicit Refiner(PlanData &plan) : plan(plan), run(plan.run) {}

  bool refine();

private:
  bool add(const Repair &repair);

  PlanData &plan;
  Run &run;
};

} // namespace

void Protection::addCheapest(ArrayRef<Repair> candidates, Repair &repair) {
  if (candidates.empty())
    return;
  repair.append(
      *llvm::min_element(candidates, [](const Repair &a, const Repair &b) {
        return a.cost() < b.cost();
      }));
}

bool Protection::isWorth(TermId term, const Bound &bound, bool wanted) {
  llvm::SmallVector<ir::EntityId, 4> copy(bound.begin(), bound.end());
  return truth.evaluate(term, copy, moment).stable ==
         (wanted ? Truth::True : Truth::False);
}

void Protection::protect(TermId id, Bound &bound, bool wanted, Repair &repair) {
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
  case Term::Kind::False:
  case Term::Kind::Static:
    return;
  case Term::Kind::And:
  case Term::Kind::Or:
    if ((term.kind == Term::Kind::And) != wanted)
      return protectAny(term, bound, wanted, repair);
    for (TermId child : system.conditions.childrenOf(term))
      protect(child, bound, wanted, repair);
    return;
  case Term::Kind::Not:
    return protect(system.conditions.childrenOf(term).front(), bound, !wanted,
                   repair);
  case Term::Kind::Atom:
    return protectAtom({term.first}, bound, wanted, repair);
  case Term::Kind::Loop:
    return protectLoop(term.first, bound, wanted, repair);
  case Term::Kind::General:
    return protectGeneral(term.first, bound, repair);
  }
}

void Protection::protectAny(const Term &term, Bound &bound, bool wanted,
                            Repair &repair) {
  llvm::SmallVector<Repair, 2> candidates;
  for (TermId child : system.conditions.childrenOf(term))
    if (isWorth(child, bound, wanted))
      protect(child, bound, wanted, candidates.emplace_back());
  addCheapest(candidates, repair);
}

void Protection::protectLoop(uint32_t id, Bound &bound, bool wanted,
                             Repair &repair) {
  const Loop &loop = system.conditions.loops[id];
  llvm::SmallVector<Repair, 0> candidates;
  bound.resize(loop.depth);
  forEachEntity(system.layout, loop.route, bound, [&](ir::EntityId element) {
    bound.resize(loop.depth);
    bound.push_back(element);
    if (wanted)
      protect(loop.body, bound, wanted, repair);
    else if (isWorth(loop.body, bound, wanted))
      protect(loop.body, bound, wanted, candidates.emplace_back());
    bound.resize(loop.depth);
    return true;
  });
  addCheapest(candidates, repair);
}

void Protection::protectAtom(AtomId id, Bound &bound, bool wanted,
                             Repair &repair) {
  Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return;
  WriteId since =
      support.startOfRun(id, cell, run.history.lastWrite(cell, moment), wanted);
  protectCell(
      cell, since,
      [&](ValueId value) {
        return value != atRunTime &&
               system.conditions.test(atom, value) == wanted;
      },
      repair);
}

/// The evaluator does not say which of the cells it read decided: all of them
/// keep their values.
void Protection::protectGeneral(uint32_t other, Bound &bound, Repair &repair) {
  for (const CellRef &ref : system.conditions.others[other].reads) {
    Route route{0, ref.route.fromSelf, ref.route.fromSelf, ref.route.self};
    forEachEntity(system.layout, route, bound, [&](ir::EntityId entity) {
      CellId cell = system.layout.findCell(entity, ref.interface, ref.cell);
      if (!cell)
        return true;
      WriteId last = run.history.lastWrite(cell, moment);
      ValueId found = run.history.valueAfter(cell, last);
      protectCell(
          cell, last,
          [&](ValueId value) { return value != atRunTime && value == found; },
          repair);
      return true;
    });
  }
}

void Protection::protectCell(CellId cell, WriteId since,
                             llvm::function_ref<bool(ValueId)> test,
                             Repair &repair) {
  StepId begins = since ? run.history.writes[since.index].step : StepId();
  if (begins && begins != reader && !order.isBeforeInPlan(begins, reader))
    repair.edges.push_back({begins, reader});
  for (const CellWriter &writer : values.writersOf(cell, reader)) {
    if (order.isBeforeInPlan(reader, writer.step))
      continue;
    // What was written before the condition came to hold has been overwritten
    // by a step that the reader waits for. What comes later, but has to come
    // before the reader because both write a cell, leads to a cycle.
    if (!test(writer.atEnd) && writer.last.index >= moment.writes)
      repair.edges.push_back({reader, writer.step});
    else if (writer.onEntry && !test(writer.onEntry) &&
             !order.isBeforeInPlan(writer.step, reader))
      repair.exclusions.push_back({reader, writer.step});
  }
}

Repair Protection::of(StepId step, TermId term, ir::EntityId self) {
  reader = step;
  moment = run.accepted[step.index];
  bool &hasLeft = system.layout.leavingHasLeft;
  llvm::SaveAndRestore phase(hasLeft, step.index >= run.firstLater());
  Repair repair;
  llvm::SmallVector<ir::EntityId, 4> bound{self};
  protect(term, bound, /*wanted=*/true, repair);
  return repair;
}

/// Calls \p visit with each condition on which \p step was accepted: its
/// precondition and that of the rule that made it happen.
template <typename Visit>
static void forEachCondition(const Run &run, StepId step, Visit visit) {
  const EventSystem &system = run.system;
  EventId event = run.event(step);
  visit(system.precondition(event), system.layout.entityOf(event));
  if (std::optional<RuleId> rule = run.causes[step.index].rule()) {
    RulePlace at = system.place(*rule);
    visit(at.block->condition, system.layout.entity(at.block->slot, at.row));
  }
}

/// Calls \p visit with each two steps that leave different values in a cell and
/// that nothing orders, as the run has them.
template <typename Visit>
static void forEachOpenWrite(const Run &run, StartValues &values, Visit visit) {
  llvm::BitVector seen(run.system.layout.numCells());
  for (const Write &write : run.history.writes) {
    if (values.isSequential(write.cell) || seen.test(write.cell.index))
      continue;
    seen.set(write.cell.index);
    llvm::SmallVector<CellWriter, 8> writers =
        values.writersOf(write.cell, StepId());
    for (auto later = writers.begin(); later != writers.end(); ++later)
      for (auto earlier = later + 1; earlier != writers.end(); ++earlier)
        if (earlier->atEnd != later->atEnd &&
            !areExclusive(run, earlier->step, later->step) &&
            values.areUnordered(earlier->step, later->step))
          visit(earlier->step, later->step);
  }
}

/// Calls \p visit with each step and condition that may not hold when the step
/// starts.
template <typename Visit>
static void forEachOpenRead(const Run &run, StartValues &values, Visit visit) {
  for (uint32_t i = 0; i != run.steps.size(); ++i)
    if (!run.steps.isJoin({i}))
      forEachCondition(run, {i}, [&](TermId term, ir::EntityId self) {
        if (!values.surelyHolds({i}, term, self))
          visit(StepId{i}, term, self);
      });
}

/// A mistake of ours: better no plan than one that can be followed wrongly.
[[noreturn]] static void failOn(const Run &run, StepId step) {
  llvm::report_fatal_error(llvm::Twine("the plan may start '") +
                           run.system.layout.nameOf(run.event(step)) +
                           "' where its condition does not hold, or end with "
                           "its value or another's");
}

bool Refiner::add(const Repair &repair) {
  for (const auto &[a, b] : repair.exclusions)
    run.exclusions.add(a, b);
  run.exclusions.normalize();
  if (repair.edges.empty())
    return true;
  // In the event system either may come first: such an edge proves no order.
  std::vector<StepId> cycle =
      addEdges(plan, {repair.edges.begin(), repair.edges.end()},
               /*areChoices=*/true);
  if (cycle.empty())
    return true;
  const Layout &layout = run.system.layout;
  llvm::SmallVector<std::string, 4> names;
  for (StepId step : llvm::reverse(cycle))
    names.push_back(layout.nameOf(run.event(step)));
  names.push_back(names.front());
  run.system.conditions.diags.report(
      layout.operation(run.event(cycle.back())).range, diag::MustOverlap,
      llvm::join(names, "' before '"));
  return false;
}

/// What was added orders more than it was added for: each round begins with
/// what is open then.
bool Refiner::refine() {
  for (;;) {
    PlanOrder order(plan);
    StartValues values(plan, order);
    Repair repair;
    forEachOpenWrite(run, values, [&](StepId earlier, StepId later) {
      repair.edges.push_back({earlier, later});
    });
    StepId open;
    if (repair.isEmpty()) {
      Protection protection(plan, order, values);
      forEachOpenRead(run, values,
                      [&](StepId step, TermId term, ir::EntityId self) {
                        repair.append(protection.of(step, term, self));
                        open = step;
                      });
    }
    // Which steps with guards are left out is what checkOutcomes looks at.
    if (repair.isEmpty() && open && run.late.empty())
      failOn(run, open);
    if (repair.isEmpty())
      return true;
    if (!add(repair))
      return false;
  }
}

bool toscac::plan::refine(PlanData &plan) { return Refiner(plan).refine(); }

void toscac::plan::checkRefinement(PlanData &plan) {
  if (!plan.run.late.empty())
    return;
  PlanOrder order(plan);
  StartValues values(plan, order);
  forEachOpenWrite(plan.run, values,
                   [&](StepId earlier, StepId) { failOn(plan.run, earlier); });
  forEachOpenRead(plan.run, values, [&](StepId step, TermId, ir::EntityId) {
    failOn(plan.run, step);
  });
}
