//===- PlanRun.h - One run of a plan ----------------------------*- C++ -*-===//
///
/// \file
/// What runPlan() has in hand, and its parts in the order in which they come.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_PLANRUN_H
#define TOSCAC_LIB_RUN_PLANRUN_H

#include "Engines/StepScripts.h"
#include "Execute/Execute.h"
#include "Order/SelectSteps.h"
#include "Rollback.h"
#include "Steps/RunInputs.h"
#include "UiProcess.h"
#include "toscac/Plan/ViewPlan.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/Run.h"
#include "llvm/Support/Path.h"

namespace toscac::run {

/// One call of runPlan().
class PlanRun {
public:
  PlanRun(const RunOptions &given, llvm::raw_fd_ostream &out,
          llvm::raw_fd_ostream &err, DiagnosticEngine &diags)
      : options(given), out(out), err(err), diags(diags) {}

  int run();

private:
  /// Each returns false after a report, with `code` set.
  bool openPlan();
  bool openStore();
  bool takeLock();
  bool findEarlierRun();
  void takeOnFailure(const state::RunRecord &last);
  bool stopOrphans(const state::RunRecord &last);
  bool canSeeOrphans(const state::RunRecord &last);
  std::string runName(int64_t id) const;
  bool loadState();
  bool checkState();
  bool prepareState();
  bool shareKey(const std::string &file);
  bool beginRun();
  /// Some steps are run again, on what earlier runs have left.
  bool isPartial() const {
    bool isSelected = !options.only.empty() || !options.from.empty();
    const state::Deployment *now = before.find(deployment);
    return isSelected && now && !now->entities.empty();
  }
  bool makeFolders();
  bool applyEarlier();

  void stopLeftovers(int64_t run, uint32_t step, llvm::StringRef name);
  int executeSteps();
  bool startUi();
  void writeReport();
  int finishRun(const ExecutionResult &result);
  std::string statusOf(const ExecutionResult &result) const;
  std::string evaluateOutputs();
  /// What the plan will do, for those who watch.
  void showView();
#ifndef NDEBUG
  /// What the view of the plan says, to be held against what has happened.
  struct Counts {
    planfile::PlanTotals totals;
    /// By entity that is a node: its name, and the one under which it was
    /// recorded; empty for others.
    std::vector<std::pair<std::string, std::string>> nodes;
    /// By step.
    llvm::BitVector isCall;
  };
  Counts countsOf() const;
  void checkCounts(const Counts &counts);
#endif
  /// Whether no instance is there any more when the plan is done.
  bool leavesNothing() const;
  /// What there is to say when it has ended.
  std::vector<std::string> callsNotRun() const;
  void tellOutcome(llvm::ArrayRef<std::string> found,
                   llvm::ArrayRef<std::string> notRun);
  /// The command that goes on with a run that was stopped, or plans again
  /// after a failure; empty: nobody knows.
  std::string commandToGoOn();
  std::string wordsToPlanAgain();
  std::string placeWords() const;
  std::vector<std::string> instancesLeft();
  bool progressOnTerminal() const;
  bool tellsPeople() const {
    return !isCollecting() && options.progress != ProgressKind::JSON;
  }
  void rescueStore();
  void removeFolders(const state::RunRecord &run) const;
  std::unique_ptr<Progress> makeProgress();
  bool isCollecting() const { return !options.results.empty(); }
  std::string resultsFolder() const {
    return llvm::sys::path::parent_path(options.results).str();
  }
  bool isRepair() const {
    return !options.only.empty() || !options.from.empty();
  }
  bool fail(int exitCode) {
    code = exitCode;
    return false;
  }
  bool storeFailed(llvm::Error error);

  RunOptions options;
  llvm::raw_fd_ostream &out;
  llvm::raw_fd_ostream &err;
  DiagnosticEngine &diags;
  int code = ExitDone;

  std::unique_ptr<planfile::PlanFile> plan;
  std::string deployment;
  std::unique_ptr<state::Store> store;
  bool hasLock = false;
  state::RunRecord record;
  bool isResumed = false;
  state::State before;
  std::unique_ptr<LiveState> state;
  std::unique_ptr<Schedule> schedule;
  std::vector<Runnable> artifacts;
  Secrets secrets;
  RunFolder folder;
  /// Gone when nothing more happens, before the lock is.
  std::unique_ptr<UiProcess> ui;
  std::unique_ptr<Progress> progress;
  std::unique_ptr<StoredEvents> events;
  std::unique_ptr<RunJournal> journal;
  std::set<uint32_t> failedBefore;
  bool takesAllDown = false;
};

} // namespace toscac::run

#endif
