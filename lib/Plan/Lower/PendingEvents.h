//===- PendingEvents.h - How long events are kept ----------------*- C++ -*===//
///
/// \file
/// The symbolic run keeps an event that nobody has accepted as long as some
/// order could deliver it when it is accepted, and no longer.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_PENDINGEVENTS_H
#define TOSCAC_LIB_PLAN_PENDINGEVENTS_H

#include "Repetitions.h"
#include "Steps/Reachability.h"
#include "Steps/SymbolicRun.h"

namespace toscac::plan {

class PendingEvents {
public:
  PendingEvents(const SymbolicRun &run, Repetitions &repetitions)
      : run(run), repetitions(repetitions), dependants(run.steps) {}

  bool contains(EventId event) const { return pending.contains(event.index); }
  /// In the order in which they were sent.
  llvm::ArrayRef<SendId> of(EventId event) const {
    auto found = pending.find(event.index);
    return found == pending.end() ? llvm::ArrayRef<SendId>()
                                  : llvm::ArrayRef(found->second);
  }
  void add(SendId send);
  void remove(SendId send);
  /// Drops those of \p event that no order delivers at a moment at which \p
  /// needs holds.
  void dropLate(EventId event, const Justification &needs);

private:
  void note(SendId send, bool isPending);

  const SymbolicRun &run;
  Repetitions &repetitions;
  Dependants dependants;
  /// By event; none is empty.
  llvm::DenseMap<uint32_t, llvm::SmallVector<SendId, 2>> pending;
};

/// Whether the event finds \p last, which accepted it before and has not ended,
/// in flight in every order.
bool arrivesInFlight(const SymbolicRun &run, const Send &send, StepId last);

/// Adds to \p needs the sender that the step of the event \p accepted waits
/// for. \p sends are all pending sends of that event. If \p needs has one of
/// their senders already, that is enough; else it is the sender of the lowest
/// stage. For one that sends on entry, it is what that sender itself waits for:
/// both may start at once.
void addSender(SymbolicRun &run, llvm::ArrayRef<SendId> sends, SendId accepted,
               Justification &needs);

} // namespace toscac::plan

#endif
