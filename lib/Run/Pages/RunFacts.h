//===- RunFacts.h - A run for pages -----------------------------*- C++ -*-===//
///
/// \file
/// What a page shows of a run, as JSON: its calls with their times, failures
/// with the last lines of their logs, what of the plan has not run, and on what
/// the run has waited. Of many calls, those are listed that somebody will ask
/// for; all are counted by template and operation. docs/Page.md has the form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_RUNFACTS_H
#define TOSCAC_LIB_RUN_RUNFACTS_H

#include "RunHistory.h"
#include "toscac/Plan/Plan.h"

namespace toscac::run {

struct RunFactsContext {
  /// What it followed; null: that is not there any more.
  const planfile::Plan *plan = nullptr;
  /// Where its logs lie.
  std::string folder;
  /// Seconds since 1970.
  double now = 0;
  /// Its process is there, if it has not ended.
  bool isAlive = true;
  /// Earlier runs to compare it with, the last one first.
  llvm::ArrayRef<RunHistory> others;
};

void writeRunFacts(const RunHistory &run, const RunFactsContext &context,
                   llvm::raw_ostream &os);

/// The state of a run in one word: that of its row, or `dead`.
llvm::StringRef statusOf(const state::RunRecord &run, bool isAlive);

} // namespace toscac::run

#endif
