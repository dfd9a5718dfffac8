//===- Executor.h - A run while it goes on ----------------------*- C++ -*-===//
///
/// \file
/// The loop of a run. Execute.cpp has the loop and the steps that take no time,
/// ExecuteCalls.cpp those that start processes, ExecuteTimes.cpp what has to
/// happen at a certain time or when somebody asks to stop.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_EXECUTOR_H
#define TOSCAC_LIB_RUN_EXECUTOR_H

#include "Execute.h"
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <unistd.h>

namespace toscac::run {

/// A call from its start to its end, with all attempts.
struct Call {
  planfile::Step step;
  /// Has what step refers to.
  std::unique_ptr<ValueArena> arena = std::make_unique<ValueArena>();
  Value failure;
  double begun = 0;
  unsigned row = 0;
  size_t handler = 0;
  StepFiles files;
  std::vector<OutputWrite> writes;
  pid_t process = 0;
  /// When something has to be done about it; infinite: never.
  double due = HUGE_VAL;
  /// Why its process was sent a signal to end.
  std::string ended;
  bool isTold = false;
  unsigned retries = 0;
  unsigned laters = 0;
};

class Executor {
public:
  explicit Executor(const Execution &execution)
      : execution(execution), plan(execution.plan), state(execution.state),
        schedule(execution.schedule), journal(execution.journal),
        progress(execution.progress), options(execution.options),
        hasFailed(!execution.failedBefore.empty() && !execution.results) {}

  ExecutionResult run();

private:
  void runInstants();
  void runInstant(uint32_t id);
  void runLate(uint32_t id);
  void chooseCalls();
  void takeResults();
  void takeResult(uint32_t id);
  void takeStamp(uint32_t id);
  void beginCall(uint32_t id);
  void commit();
  void spawnChosen();
  void spawnHandler(std::unique_ptr<Call> call);
  void holdBack(std::unique_ptr<Call> call, const std::string &reason);
  void handlerEnded(std::unique_ptr<Call> call, const Ending &ending);
  std::string takeOutputs(Call &call);
  void finishCall(std::unique_ptr<Call> call);
  void noteFound(const planfile::Step &step, const OutputWrite &write);
  void failOrRetry(std::unique_ptr<Call> call, const std::string &reason,
                   bool isLater);
  void failCall(std::unique_ptr<Call> call, const std::string &reason);
  void failBeforeStart(const planfile::Step &step, const std::string &reason);
  void stepFailed(const planfile::Step &step, const std::string &reason,
                  const Value &cells, llvm::StringRef log);
  void skip(uint32_t id, llvm::StringRef name);
  std::optional<bool> guardHolds(const planfile::Step &step, ValueArena &arena,
                                 std::string &problem);
  Value cells(const Expr *expr, ValueArena &arena);
  void whenDue(Call &call);
  void tell(Call &call, int signal);
  void handle(const Wakeup &wakeup);
  void interrupt(bool atOnce);
  void setTimer(Call &call, double due);
  void clearTimer(Call &call);
  void runTimers();
  double timeToWait() const;
  double turnsLeft() const;
  void showProgress();
  bool mayStart() const { return !isStopping && problem.empty(); }
  bool isIdle() const {
    return running.empty() && chosen.empty() && delayed.empty();
  }
  double now() const {
    using namespace std::chrono;
    return duration<double>(steady_clock::now() - origin).count();
  }

  const Execution &execution;
  planfile::PlanFile &plan;
  LiveState &state;
  Schedule &schedule;
  RunJournal &journal;
  Progress &progress;
  const RunOptions &options;
  SignalWait signals;
  StepFolders stepFolders{execution.folder, execution.secrets};
  JSONReader reader{execution.state.arena, execution.state.names};

  std::vector<std::unique_ptr<Call>> chosen;
  llvm::DenseMap<pid_t, std::unique_ptr<Call>> running;
  /// Those that wait to be tried again.
  std::set<std::unique_ptr<Call>> delayed;
  std::set<std::pair<double, Call *>> timers;
  /// The system could not start more than this at once.
  size_t limit = SIZE_MAX;

  bool isStopping = false;
  bool isStoppingAtOnce = false;
  bool hasFailed;
  std::string problem;
  ExecutionResult result;
  double shown = 0;
  /// Calls that were done, and how long they took.
  size_t callsDone = 0;
  double callSeconds = 0;
  std::minstd_rand random{static_cast<unsigned>(getpid())};
  const std::chrono::steady_clock::time_point origin =
      std::chrono::steady_clock::now();
};

} // namespace toscac::run

#endif
