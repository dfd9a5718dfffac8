//===- Execute.h - Running the steps of a plan ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_EXECUTE_H
#define TOSCAC_LIB_RUN_EXECUTE_H

#include "Journal/Results.h"
#include "Journal/RunJournal.h"
#include "Order/Schedule.h"
#include "Show/Progress.h"
#include "Show/Trace.h"
#include "Steps/StepFiles.h"
#include <set>

namespace toscac::run {

/// All that a run works on.
struct Execution {
  const RunOptions &options;
  planfile::PlanFile &plan;
  LiveState &state;
  Schedule &schedule;
  RunJournal &journal;
  llvm::ArrayRef<Runnable> artifacts;
  const RunFolder &folder;
  const Secrets &secrets;
  Progress &progress;
  Trace &trace;
  /// Where calls have left what became of them; null: they are run.
  const Results *results = nullptr;
  /// Only these results matter; null: all do.
  const llvm::BitVector *wanted = nullptr;
  /// Steps whose failure is known.
  std::set<uint32_t> failedBefore = {};
};

struct ExecutionResult {
  /// Names of steps that failed.
  std::vector<std::string> failed;
  /// What outputs have changed in cells: `site[1].standard.error is true`.
  std::vector<std::string> found;
  bool wasStopped = false;
  /// Why events could not be stored; empty if they could.
  std::string storeProblem;
  /// Inputs that were too long for the environment.
  std::set<std::string> longInputs;
  size_t done = 0;
  double seconds = 0;
};

/// Runs everything that is ready, and what becomes so, until nothing is left
/// or somebody asks to stop.
ExecutionResult execute(const Execution &execution);

} // namespace toscac::run

#endif
