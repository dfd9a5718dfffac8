//===- AfterFailure.h - What alike steps do to each other -------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_AFTERFAILURE_H
#define TOSCAC_LIB_PLAN_AFTERFAILURE_H

#include "FoldSteps.h"

namespace toscac::planfile {

/// What happens to others if the first step of a box fails.
struct AfterFailure {
  /// Boxes in ascending order, each with the number of its steps that are
  /// meant.
  using Counts = std::vector<std::pair<uint32_t, uint32_t>>;
  /// They wait for it.
  Counts never;
  /// They must not overlap with it, or wait for such a step: they run only if
  /// those came first.
  Counts heldBack;
};

/// For each box.
std::vector<AfterFailure> findAfterFailure(const Plan &plan,
                                           const FoldedSteps &folded);

} // namespace toscac::planfile

#endif
