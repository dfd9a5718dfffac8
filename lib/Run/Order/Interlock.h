//===- Interlock.h - Steps that must not overlap ----------------*- C++ -*-===//
///
/// \file
/// Keeps steps apart that exclude each other. A step that has started holds
/// back all that it excludes until it has succeeded: after a failure nobody
/// knows whether they may run.
///
/// One that is held back is next: what it excludes and has not started waits
/// for it, so that a stream of short steps cannot keep a long one from running.
/// Those that are next do not exclude each other and wait only for steps that
/// run; so nobody waits in a cycle. Each start and end costs as much as the
/// step has exclusions.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_INTERLOCK_H
#define TOSCAC_LIB_RUN_INTERLOCK_H

#include "toscac/Plan/ReadPlan.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::run {

class Interlock {
public:
  explicit Interlock(const planfile::PlanFile &plan);

  /// Whether \p step may start. If so, it has started; if not, it is one of
  /// those that a later call gives back.
  bool start(uint32_t step);
  /// \p step holds nobody back any more: it has succeeded, or will not run.
  /// Gives steps that may try again.
  llvm::SmallVector<uint32_t, 0> release(uint32_t step);
  /// \p step has failed: what it holds back will not start, hence nobody need
  /// wait for that.
  llvm::SmallVector<uint32_t, 0> fail(uint32_t step);

  /// From now on steps may overlap.
  void open();

private:
  llvm::ArrayRef<uint32_t> excludedBy(uint32_t step) const {
    return llvm::ArrayRef(others).slice(first[step],
                                        first[step + 1] - first[step]);
  }
  void yield(uint32_t step, llvm::SmallVectorImpl<uint32_t> &awake);
  void wake(uint32_t step, llvm::SmallVectorImpl<uint32_t> &awake);

  /// By step, what it excludes; empty where the plan has no exclusions.
  std::vector<uint32_t> first;
  std::vector<uint32_t> others;
  /// By step: how many that it excludes have started, and how many are next.
  std::vector<uint32_t> started;
  std::vector<uint32_t> ahead;
  llvm::BitVector isStarted;
  llvm::BitVector isWaiting;
  llvm::BitVector isNext;
  /// They exclude one that has failed.
  llvm::BitVector isLost;
};

} // namespace toscac::run

#endif
