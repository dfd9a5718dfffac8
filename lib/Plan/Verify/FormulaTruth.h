//===- FormulaTruth.h - What conditions are worth now -----------*- C++ -*-===//
///
/// \file
/// Follows what the formulas of a ground system are worth as cells are written,
/// by counting the true parts of each group: a write costs what it changes.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FORMULATRUTH_H
#define TOSCAC_LIB_PLAN_FORMULATRUTH_H

#include "GroundState.h"

namespace toscac::plan {

class FormulaTruth {
public:
  /// As it is in \p state.
  FormulaTruth(const GroundSystem &system, const GroundState &state);

  bool holds(FormulaId formula) const { return truth[formula.index]; }
  /// \p cell now has \p value. Calls \p flipped with each formula that is worth
  /// something else.
  template <typename Flipped>
  void write(uint32_t cell, uint8_t value, Flipped flipped) {
    for (uint32_t test : tests[cell])
      if ((system.formulas[test].values >> value & 1) != truth[test])
        flip(test, flipped);
  }

private:
  template <typename Flipped>
  void flip(uint32_t at, Flipped flipped) {
    for (;;) {
      truth[at] ^= 1;
      flipped(FormulaId{at});
      uint32_t parent = parents[at];
      if (parent == ~0u)
        return;
      counts[parent] += truth[at] ? 1 : -1;
      bool holds = counts[parent] >= system.formulas[parent].needed;
      if (holds == bool(truth[parent]))
        return;
      at = parent;
    }
  }

  const GroundSystem &system;
  // By formula: what it is worth, how many of its parts are true, and what it
  // is part of.
  std::vector<uint8_t> truth;
  std::vector<uint32_t> counts, parents;
  /// By cell: the tests of it.
  std::vector<std::vector<uint32_t>> tests;
};

} // namespace toscac::plan

#endif
