//===- Justification.h - What makes a condition hold ------------*- C++ -*-===//
///
/// \file
/// Dependencies (the rule "Deps"): for a condition that holds, the steps whose
/// writes made it so. Of each cell that counts it is the step that began the
/// run of values with which the test is passed: later writes that pass it, too,
/// need not be waited for. Of more parts that hold than are needed, those that
/// hold at the lowest stage are taken, then the first in the text; these edges
/// are a choice.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_JUSTIFICATION_H
#define TOSCAC_LIB_PLAN_JUSTIFICATION_H

#include "System/Truth.h"

namespace toscac::plan {

/// A literal over a cell that an output is written to: what the value, which
/// only the run knows, has to be.
struct LateLiteral {
  WriteId write;
  AtomId atom;
  bool wanted;
  friend auto operator<=>(const LateLiteral &a, const LateLiteral &b) {
    return std::tuple(a.write.index, a.atom.index, a.wanted) <=>
           std::tuple(b.write.index, b.atom.index, b.wanted);
  }
  friend bool operator==(const LateLiteral &a, const LateLiteral &b) {
    return (a <=> b) == 0;
  }
};

using LateLiterals = llvm::SmallVector<LateLiteral, 1>;

struct Justification {
  llvm::SmallVector<Dep, 8> deps;
  /// All of these hold where the guards do.
  LateLiterals late;
  /// Parts that are known only when the plan runs.
  llvm::SmallVector<const Expr *, 1> guards;
};

class JustificationOf : private ConditionWalk<JustificationOf, void> {
public:
  JustificationOf(TruthOf &truth, const StepGraph &steps)
      : ConditionWalk(truth.system.conditions), truth(truth),
        system(truth.system), history(truth.history), steps(steps) {}

  /// Adds what makes \p term hold at \p moment to \p justification.
  void operator()(TermId term, ir::EntityId self, Moment moment,
                  Justification &justification);

  /// The write that began the run of values, up to \p write, for which \p atom
  /// is worth \p wanted; none: it was so from the start.
  WriteId heldSince(AtomId atom, CellId cell, WriteId write, bool wanted);

private:
  friend ConditionWalk;
  void constant(bool) {}
  void atom(AtomId atom, Binding &bound, bool wanted);
  void other(const Term &term, Binding &bound, bool wanted);
  void group(const Group &group, Binding &bound);
  void addGuard(const Expr *guard, bool wanted);
  void choose(llvm::ArrayRef<Justification> candidates, size_t needed);
  uint32_t stageAfter(const Justification &justification) const;

  TruthOf &truth;
  EventSystem &system;
  const History &history;
  const StepGraph &steps;
  Moment moment = never;
  /// What is found is added to it.
  Justification *found = nullptr;
};

} // namespace toscac::plan

#endif
