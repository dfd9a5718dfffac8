//===- FailureConditions.cpp - Conditions after a failure -----------------===//

#include "FailureConditions.h"

#include "System/ConditionWalk.h"
#include "System/GraphEnvironment.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

/// A part of a condition: what it is worth, and what has to turn out where that
/// is unknown.
struct OpenTruth {
  Truth truth;
  const Expr *guard = nullptr;
};

class FailureTruth : private ConditionWalk<FailureTruth, OpenTruth> {
public:
  FailureTruth(PlanData &plan, FailureCells &cells, CellReads &reads,
               bool strict)
      : ConditionWalk(plan.system.conditions), plan(plan),
        layout(plan.system.layout), conditions(plan.system.conditions),
        cells(cells), reads(reads), strict(strict) {}

  Answer evaluate(TermId term, ir::EntityId self);

private:
  friend ConditionWalk;
  OpenTruth constant(bool holds) const { return {toTruth(holds)}; }
  OpenTruth atom(AtomId id, Binding &bound, bool wanted);
  OpenTruth other(const Term &term, Binding &bound, bool wanted);
  OpenTruth group(const Group &group, Binding &bound);
  /// No value: unknown.
  ValueId read(CellId cell);

  PlanData &plan;
  const Layout &layout;
  Conditions &conditions;
  FailureCells &cells;
  CellReads &reads;
  /// Values that steps wrote on entry count.
  bool strict;
  /// What may have changed when the step starts is not known.
  bool isLater = false;
  bool metInFlight = false, metVolatile = false;
  Answer answer;
};

} // namespace

ValueId FailureTruth::read(CellId id) {
  bool isVolatile = reads.isContested(id) || cells.isVolatile(id);
  metVolatile |= isVolatile;
  if (isVolatile && isLater)
    return {};
  const FailureCell &cell = cells[id];
  if (cell.isInFlight && !strict) {
    metInFlight = true;
    return {};
  }
  if (cell.writer && !llvm::is_contained(answer.writers, *cell.writer))
    answer.writers.push_back(*cell.writer);
  if (!strict)
    reads.note(id, cell.value);
  return cell.value;
}

OpenTruth FailureTruth::atom(AtomId id, Binding &bound, bool wanted) {
  Atom &atom = conditions.atoms[id.index];
  CellId cell = findCell(layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  if (ValueId value = read(cell))
    return constant(conditions.test(atom, value) == wanted);
  return {Truth::Unknown,
          guardFor(layout, atom, cell, wanted, conditions.arena)};
}

OpenTruth FailureTruth::other(const Term &term, Binding &bound, bool wanted) {
  auto valueOf = [&](CellId cell) -> const Value * {
    ValueId value = read(cell);
    return value ? &plan.system.values[value] : nullptr;
  };
  GraphEnvironment environment(layout, bound.front(), valueOf,
                               conditions.names);
  environment.parameters = plan.run.parameters;
  Evaluation result = toscac::evaluate(*conditions.others[term.first].expr,
                                       environment, conditions.arena);
  if (result.isUnknown())
    return {Truth::Unknown,
            wanted ? result.residual()
                   : negateGuard(result.residual(), conditions.arena)};
  return constant((result.isKnown() && result.value().isTrue()) == wanted);
}

OpenTruth FailureTruth::group(const Group &group, Binding &bound) {
  Tally parts;
  Guards open;
  forEachPart(group, bound, [&](TermId id) {
    OpenTruth part = walk(id, bound, group.wanted);
    parts.add(part.truth);
    if (part.guard)
      open.push_back(part.guard);
    return !parts.decides(group.quorum);
  });
  Truth truth = parts.worth(group.quorum);
  if (truth != Truth::Unknown)
    return {truth};
  return {truth, someOf(open, group.quorum.outOf(parts.parts) - parts.numTrue,
                        conditions.names, conditions.arena)};
}

Answer FailureTruth::evaluate(TermId term, ir::EntityId self) {
  OpenTruth now = walk(term, self, /*wanted=*/true);
  answer.truth = now.truth;
  answer.isUnsettled = now.guard && metInFlight;
  const Expr *guard = now.guard;
  if (now.truth != Truth::False && metVolatile) {
    // What may hold now has to hold when the step starts.
    isLater = true;
    guard = walk(term, self, /*wanted=*/true).guard;
  }
  if (guard)
    answer.guards.push_back(guard);
  return answer;
}

bool CellReads::findContested(llvm::function_ref<bool(Read)> isRacing) {
  size_t known = contested.size();
  for (const auto &[read, value] : reads)
    // What is unknown has a guard.
    if (value && isRacing(read))
      contested.insert(read);
  return contested.size() != known;
}

Answer FailureConditions::of(TermId term, ir::EntityId self, bool strict) {
  return FailureTruth(plan, cells, reads, strict).evaluate(term, self);
}

Answer FailureConditions::of(const Expr *expr, ir::EntityId self) {
  return of(system.conditions.compile(expr, system.layout.graph.kindOf(self)),
            self);
}

Answer FailureConditions::of(EventId event) {
  auto looked = reads.lookAt(event);
  return of(system.precondition(event), system.layout.entityOf(event));
}

Answer FailureConditions::of(const RulePlace &at, bool strict) {
  const Layout &layout = system.layout;
  ir::EntityId sender = layout.entity(at.block->slot, at.row);
  auto looked = reads.lookAt(at.receiver);
  Answer answer = of(at.block->condition, sender, strict);
  if (answer.truth == Truth::False)
    return answer;
  Answer accepts = of(system.precondition(at.receiver),
                      layout.entityOf(at.receiver), strict);
  answer.truth = std::min(answer.truth, accepts.truth);
  answer.isUnsettled |= accepts.isUnsettled;
  answer.add(accepts);
  return answer;
}
