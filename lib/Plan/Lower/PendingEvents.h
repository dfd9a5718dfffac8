//===- PendingEvents.h - How long events are kept ----------------*- C++ -*===//
///
/// \file
/// The symbolic run keeps an event that nobody has accepted as long as some
/// order could deliver it when it is accepted, and no longer.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_PENDINGEVENTS_H
#define TOSCAC_LIB_PLAN_PENDINGEVENTS_H

#include "Steps/Reachability.h"
#include "Steps/SymbolicRun.h"

namespace toscac::plan {

/// Whether some order delivers the event when its precondition holds: none of
/// what makes it hold comes after the sender, which \p isEarlier tells. The
/// workflow's events wait.
bool isInTime(const SymbolicRun &run, const Send &send,
              const Justification &needs, EarlierSteps &isEarlier);

/// Whether the event finds \p last, which accepted it before and has not ended,
/// in flight in every order.
bool arrivesInFlight(const SymbolicRun &run, const Send &send, StepId last);

} // namespace toscac::plan

#endif
