//===- toscac/Plan/ViewPlan.h - What will happen ----------------*- C++ -*-===//
///
/// \file
/// The short view of a plan, for people: what comes, goes, changes and is
/// replaced, and why; the calls; what nobody has checked; and one line that
/// sums it up. Its length depends on the number of templates, not on that of
/// instances. Everybody who shows a plan shows this.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_VIEWPLAN_H
#define TOSCAC_PLAN_VIEWPLAN_H

#include "toscac/Plan/Plan.h"

namespace toscac::planfile {

/// Node instances by what becomes of them, and what that takes.
struct PlanTotals {
  uint32_t added = 0;
  /// They get other properties, or are called while they stay.
  uint32_t changed = 0;
  uint32_t replaced = 0;
  uint32_t removed = 0;
  /// They get another name, whatever else becomes of them.
  uint32_t moved = 0;
  /// Nothing happens to them.
  uint32_t kept = 0;
  uint32_t calls = 0;
  /// How many calls are on the longest chain of them.
  uint32_t stages = 0;
  /// How many steps are on the critical path.
  uint32_t chain = 0;
};

struct ViewOptions {
  /// Seconds by name of a step, as the last run took; empty: nobody knows.
  llvm::StringMap<double> durations;
  /// How many calls may run at once; 0: no limit.
  unsigned jobs = 0;
};

PlanTotals totalsOf(const Plan &plan);

/// Prints the view, with `Plan: 8 to add, …` at its end.
void viewPlan(Plan &plan, const ViewOptions &options, llvm::raw_ostream &os);
/// Prints the last line of the view alone.
void summarizePlan(Plan &plan, const ViewOptions &options,
                   llvm::raw_ostream &os);

/// `site[0..2].standard.start`: the calls among \p steps, folded; the first
/// few, then how many more.
std::vector<std::string> foldCalls(const Plan &plan,
                                   llvm::ArrayRef<uint32_t> steps);

} // namespace toscac::planfile

#endif
