//===- GroundConditions.h - Conditions with paths followed ------*- C++ -*-===//
///
/// \file
/// Makes formulas of a ground system out of conditions: what a condition asks
/// of other entities is looked up, loops are run through, and what only the
/// evaluator can answer is tried with every combination of values.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_GROUNDCONDITIONS_H
#define TOSCAC_LIB_PLAN_GROUNDCONDITIONS_H

#include "Ground.h"
#include "GroundNumbers.h"
#include "System/ConditionWalk.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

class GroundConditions : private ConditionWalk<GroundConditions, FormulaId> {
public:
  /// Formulas go into \p ground, whose cells have all values that they can
  /// have. Where something cannot be spelt out, \p problem says why.
  GroundConditions(EventSystem &system, const GroundNumbers &numbers,
                   GroundSystem &ground, std::string &problem)
      : ConditionWalk(system.conditions), system(system), layout(system.layout),
        numbers(numbers), ground(ground), problem(problem) {}

  FormulaId compile(TermId term, ir::EntityId self, bool wanted = true) {
    return walk(term, self, wanted);
  }
  FormulaId add(Formula formula);
  FormulaId constant(bool isTrue) { return add(Formula::constant(isTrue)); }
  /// Which of the values of \p cell \p value is.
  uint8_t indexOf(CellId cell, ValueId value) const;

  /// Cells that something writes; the others have the value they begin with.
  llvm::BitVector isWritten;
  /// Set where the system does not start at the beginning of the run, or has
  /// tasks: then any cell may have another value when it is looked at.
  bool allMayVary = false;
  /// Whether a condition reads what may tell entities apart that are alike.
  bool tellsApart = false;

private:
  friend ConditionWalk;
  FormulaId atom(AtomId atom, Binding &bound, bool wanted);
  FormulaId other(const Term &term, Binding &bound, bool wanted);
  FormulaId group(const Group &group, Binding &bound);
  bool isConstant(CellId cell) const {
    return !isWritten.test(numbers.of(cell)) && !allMayVary;
  }

  EventSystem &system;
  const Layout &layout;
  const GroundNumbers &numbers;
  GroundSystem &ground;
  std::string &problem;
};

} // namespace toscac::plan

#endif
