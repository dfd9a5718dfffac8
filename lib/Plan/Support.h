//===- Support.h - What makes a condition hold ------------------*- C++ -*-===//
///
/// \file
/// Dependencies (the rule "Deps"): for a condition that holds, the steps whose
/// writes made it so. Of each cell that counts it is the step that began the
/// run of values with which the test is passed: later writes that pass it, too,
/// need not be waited for. Of several parts each of which would do, the one
/// that holds at the lowest stage is taken, then the first in the text; these
/// edges are a choice.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_SUPPORT_H
#define TOSCAC_LIB_PLAN_SUPPORT_H

#include "Truth.h"

namespace toscac::plan {

/// What the value has to be that a write will turn out to have written.
struct LateLiteral {
  WriteId write;
  AtomId atom;
  bool wanted;
};

using LateLiterals = llvm::SmallVector<LateLiteral, 1>;

struct Support {
  llvm::SmallVector<Dep, 8> deps;
  /// All of these hold where the guards do.
  LateLiterals late;
  /// Parts that are known only when the plan runs.
  llvm::SmallVector<const Expr *, 1> guards;
};

class SupportOf {
public:
  SupportOf(TruthOf &truth, const StepGraph &steps)
      : truth(truth), system(truth.system), history(truth.history),
        steps(steps) {}

  /// Adds what makes \p term hold at \p moment to \p support.
  void operator()(TermId term, ir::EntityId self, Moment moment,
                  Support &support);

  /// The write that began the run of values, up to \p write, for which \p atom
  /// is worth \p wanted; none: it was so from the start.
  WriteId startOfRun(AtomId atom, CellId cell, WriteId write, bool wanted);

private:
  using Bound = llvm::SmallVectorImpl<ir::EntityId>;
  void collect(TermId term, Bound &bound, bool wanted, Support &support);
  void collectAtom(AtomId atom, Bound &bound, bool wanted, Support &support);
  void collectAny(const Term &term, Bound &bound, bool wanted,
                  Support &support);
  void collectLoop(uint32_t loop, Bound &bound, bool wanted, Support &support);
  void collectGeneral(uint32_t other, Bound &bound, bool wanted,
                      Support &support);
  void addGuard(const Expr *guard, bool wanted, Support &support);
  void choose(llvm::MutableArrayRef<Support> candidates, Support &support);
  uint32_t stageAfter(const Support &support) const;
  bool isWorth(TermId term, Bound &bound, bool wanted);

  TruthOf &truth;
  EventSystem &system;
  const History &history;
  const StepGraph &steps;
  Moment moment = never;
};

} // namespace toscac::plan

#endif
