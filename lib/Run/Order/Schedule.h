//===- Schedule.h - Which step may run next ---------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_SCHEDULE_H
#define TOSCAC_LIB_RUN_SCHEDULE_H

#include "Interlock.h"
#include <queue>

namespace toscac::run {

/// Orders steps by what they wait for. Of those that wait for nothing, the one
/// with the longest way to the end comes first; steps that take no time come
/// before all others. A step that was taken keeps those waiting that it
/// excludes until it is over.
class Schedule {
public:
  explicit Schedule(const planfile::PlanFile &plan);

  /// Says, before begin(), that \p step needs not run.
  void assumeDone(uint32_t step);
  /// Says, before begin(), that \p step has started and not succeeded: what it
  /// excludes waits until it has.
  void assumeStarted(uint32_t step) { interlock.start(step); }
  /// Says, before begin(), that \p step has failed: it never starts again, and
  /// its failure steps may run.
  void assumeFailed(uint32_t step);
  /// Steps are not about to run but have run: they may exclude each other.
  void ignoreExclusions() { interlock.open(); }
  /// Finds the steps that wait for nothing.
  void begin();

  /// The next step that takes no time, if any waits for nothing.
  std::optional<uint32_t> takeInstant();
  /// The next call, likewise.
  std::optional<uint32_t> takeCall();
  bool hasCalls() const { return !calls.empty(); }

  /// \p step is over; what waited only for it may run.
  void finish(uint32_t step);
  /// \p step failed: its failure steps may run, what waits for it never will,
  /// nor will what it excludes.
  void fail(uint32_t step);
  /// The same, but its failure steps run elsewhere.
  void failElsewhere(uint32_t step) { makeReady(interlock.fail(step)); }
  /// \p step was taken and is not started.
  void leave(uint32_t step) { makeReady(interlock.release(step)); }
  /// Drops what has not started, but for failure steps.
  void dropWaiting();
  /// To be called when nothing runs: failure steps that wait only for steps
  /// that will not run go on without them. Whether there are any.
  bool giveUpWaiting();

  size_t numFinished() const { return finishedCount; }
  /// Steps that have to run, without failure steps.
  size_t numToRun() const { return toRun; }
  size_t numCalls() const { return callCount; }
  size_t numFinishedCalls() const { return finishedCalls; }
  /// Calls on the longest way that is left.
  uint32_t callsLeft() const;
  bool isFinished(uint32_t step) const { return finished.test(step); }
  /// It is finished or has failed.
  bool isOver(uint32_t step) const {
    return finished.test(step) || failed.test(step);
  }

private:
  void computeSuccessors();
  void computeRanks();
  void makeReady(uint32_t step);
  void makeReady(llvm::ArrayRef<uint32_t> steps) {
    for (uint32_t step : steps)
      makeReady(step);
  }
  bool isReleased(uint32_t step) const;
  llvm::ArrayRef<uint32_t> successors(uint32_t step) const {
    return llvm::ArrayRef(allSuccessors)
        .slice(firstSuccessor[step],
               firstSuccessor[step + 1] - firstSuccessor[step]);
  }

  const planfile::PlanFile &plan;
  Interlock interlock{plan};
  std::vector<uint32_t> firstSuccessor;
  std::vector<uint32_t> allSuccessors;
  std::vector<uint32_t> waitsFor;
  std::vector<uint32_t> rank;
  llvm::BitVector finished;
  llvm::BitVector failed;
  std::vector<uint32_t> instants;
  struct Candidate {
    uint32_t rank;
    uint32_t step;
    bool operator<(const Candidate &other) const {
      return rank != other.rank ? rank < other.rank : step > other.step;
    }
  };
  std::priority_queue<Candidate> calls;
  size_t finishedCount = 0;
  size_t finishedCalls = 0;
  size_t toRun = 0;
  size_t callCount = 0;
  bool begun = false;
};

} // namespace toscac::run

#endif
