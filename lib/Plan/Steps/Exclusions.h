//===- Exclusions.h - Steps that must not overlap ---------------*- C++ -*-===//
///
/// \file
/// Pairs of steps that are right in either order, but not at the same time.
///
/// Lowering adds pairs of steps of the run (`run.exclusions.add(a, b)`) at any
/// time before the plan is finished. Passes need not know them: they renumber
/// steps, but keep for each step the one of the run that it is. So the pairs
/// of the plan are found from those of the run when it is written or shown.
///
/// A plan names each pair. Passes that add pairs keep their number linear, as
/// for one step against n others, and add an edge where it would be quadratic.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_EXCLUSIONS_H
#define TOSCAC_LIB_PLAN_EXCLUSIONS_H

#include "toscac/Plan/StepGraph.h"

namespace toscac::plan {

struct PlanData;

/// Two steps, of which either may come first.
struct Exclusion {
  StepId later;
  StepId earlier;
  friend auto operator<=>(const Exclusion &, const Exclusion &) = default;
};

class Exclusions {
public:
  bool empty() const { return pairs.empty(); }

  /// Steps \p a and \p b, in whichever order, must not overlap; neither is a
  /// join. It does no harm to say so twice, or of steps that are ordered.
  void add(StepId a, StepId b);

  llvm::ArrayRef<Exclusion> all() const { return pairs; }

  /// Whether \p a and \p b must not overlap, after normalize().
  bool contains(StepId a, StepId b) const {
    return llvm::binary_search(pairs,
                               Exclusion{std::max(a, b), std::min(a, b)});
  }

  /// Sorts by the later step and keeps each pair once.
  void normalize();
  /// The pairs with \p later as the later step, after normalize().
  llvm::ArrayRef<Exclusion> of(StepId later) const;

private:
  std::vector<Exclusion> pairs;
};

/// The exclusions of the run by the steps of the plan, as they are now, without
/// those that the order of steps implies.
Exclusions exclusionsOf(const PlanData &plan);

} // namespace toscac::plan

#endif
