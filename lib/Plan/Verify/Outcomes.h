//===- Outcomes.h - Whether guards tell outcomes apart ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_OUTCOMES_H
#define TOSCAC_LIB_PLAN_OUTCOMES_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Where outputs are written to cells: compares, for each outcome, what the
/// steps of \p plan do whose guards hold with what the events do. Reports an
/// outcome for which that is not the same, and goals that none of them reaches.
struct OutcomeOptions {
  /// Runs the event system with the outcome that a run has; false if it does
  /// not come to an end, or not to what the workflow wants first.
  llvm::function_ref<bool(SymbolicRun &run)> simulate;
  /// Looks at other orders of a run, where outputs are as \p given says: false,
  /// after a report, unless they do the same.
  llvm::function_ref<bool(const SymbolicRun &run, llvm::StringRef given)> look;
  /// Nothing else proves that all orders do the same, so that `look` has to be
  /// asked.
  bool areOrdersOpen;
  /// The highest number of states to look at for one outcome: every outcome is
  /// looked at, in every order.
  std::optional<uint64_t> limit;
};
void checkOutcomes(PlanData &plan, const OutcomeOptions &options);

} // namespace toscac::plan

#endif
