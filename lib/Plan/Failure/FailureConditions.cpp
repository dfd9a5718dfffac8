//===- FailureConditions.cpp - Conditions after a failure -----------------===//
///
/// \file
/// What a condition is worth where cells of steps that go on are unknown. What
/// depends on those is left as a guard.
///
//===----------------------------------------------------------------------===//

#include "FailureLowering.h"
#include "System/ConditionWalk.h"
#include "System/GraphEnvironment.h"

using namespace toscac;
using namespace toscac::plan;

namespace toscac::plan {

/// A part of a condition: what it is worth, and what has to turn out where that
/// is unknown.
struct OpenTruth {
  Truth truth;
  const Expr *guard = nullptr;
};

class FailureTruth : private ConditionWalk<FailureTruth, OpenTruth> {
public:
  FailureTruth(FailureLowering &lowering, bool strict)
      : ConditionWalk(lowering.system.conditions), lowering(lowering),
        conditions(lowering.system.conditions), strict(strict) {}

  Answer evaluate(TermId term, ir::EntityId self);

private:
  friend ConditionWalk;
  OpenTruth constant(bool holds) const { return {toTruth(holds)}; }
  OpenTruth atom(AtomId id, Binding &bound, bool wanted);
  OpenTruth other(const Term &term, Binding &bound, bool wanted);
  OpenTruth group(const Group &group, Binding &bound);
  /// No value: unknown.
  ValueId read(CellId cell);

  FailureLowering &lowering;
  Conditions &conditions;
  /// Values that steps wrote on entry count.
  bool strict;
  /// What may have changed when the step starts is not known.
  bool isLater = false;
  bool metInFlight = false, metVolatile = false;
  Answer answer;
};

} // namespace toscac::plan

ValueId FailureTruth::read(CellId id) {
  bool isVolatile = lowering.isVolatile(id);
  metVolatile |= isVolatile;
  if (isVolatile && isLater)
    return {};
  const FailureCell &cell = lowering.cells[id];
  if (cell.isInFlight && !strict) {
    metInFlight = true;
    return {};
  }
  if (cell.writer && !llvm::is_contained(answer.writers, *cell.writer))
    answer.writers.push_back(*cell.writer);
  if (lowering.receiver && !strict)
    lowering.reads[{lowering.receiver->index, id.index}] = cell.value;
  return cell.value;
}

OpenTruth FailureTruth::atom(AtomId id, Binding &bound, bool wanted) {
  Atom &atom = conditions.atoms[id.index];
  CellId cell = findCell(lowering.layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  if (ValueId value = read(cell))
    return constant(conditions.test(atom, value) == wanted);
  return {Truth::Unknown,
          guardFor(lowering.layout, atom, cell, wanted, conditions.arena)};
}

OpenTruth FailureTruth::other(const Term &term, Binding &bound, bool wanted) {
  auto valueOf = [&](CellId cell) -> const Value * {
    ValueId value = read(cell);
    return value ? &lowering.system.values[value] : nullptr;
  };
  GraphEnvironment environment(lowering.layout, bound.front(), valueOf,
                               conditions.names);
  environment.parameters = lowering.plan.run.parameters;
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

Answer FailureLowering::evaluate(TermId term, ir::EntityId self, bool strict) {
  return FailureTruth(*this, strict).evaluate(term, self);
}

Answer FailureLowering::evaluate(const Expr *expr, ir::EntityId self) {
  return evaluate(system.conditions.compile(expr, layout.graph.kindOf(self)),
                  self);
}
