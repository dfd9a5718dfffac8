//===- Repetitions.h - Whether a run comes to an end ------------*- C++ -*-===//
///
/// \file
/// A run that repeats steps is endless if everything comes back as it was. What
/// can come back is noted as a fingerprint: cells, what runs, the rules that
/// hold, and what is pending. As long as nothing is repeated, nothing can come
/// back; what changed since the first repetition tells states apart.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_REPETITIONS_H
#define TOSCAC_LIB_PLAN_REPETITIONS_H

#include "System/Layout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

namespace toscac::plan {

class Repetitions {
public:
  explicit Repetitions(unsigned most) : most(most) {}

  /// Notes that \p fact became true or ceased to be.
  void note(std::initializer_list<uint64_t> fact) {
    if (!times.empty())
      facts ^= llvm::hash_combine_range(fact.begin(), fact.end());
  }
  /// The same may be pending twice.
  void notePending(EventId event, uint32_t sender, bool isPending) {
    uint64_t value = llvm::hash_combine(event.index, sender);
    pending += isPending ? value : -value;
  }
  /// What the workflow sends, it does not send again.
  void noteWorkflow() { ++workflowSends; }

  /// Counts one more step of \p event, which had some; whether they are too
  /// many.
  bool countAgain(EventId event) {
    return ++times.try_emplace(event.index, 1).first->second > most;
  }
  /// Whether a step of \p event is about to end, and all was so before.
  bool comesBack(EventId event) {
    if (!times.contains(event.index))
      return false;
    uint64_t state =
        llvm::hash_combine(event.index, facts, pending, workflowSends);
    // The two highest are DenseSet's own.
    return !seen.insert(state >> 1).second;
  }
  void forget() { seen.clear(); }

  const unsigned most;

private:
  /// Of events with more than one step.
  llvm::DenseMap<uint32_t, unsigned> times;
  uint64_t facts = 0;
  uint64_t pending = 0;
  uint32_t workflowSends = 0;
  llvm::DenseSet<uint64_t> seen;
};

} // namespace toscac::plan

#endif
