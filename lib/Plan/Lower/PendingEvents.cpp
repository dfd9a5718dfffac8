//===- PendingEvents.cpp - How long events are kept -----------------------===//

#include "PendingEvents.h"

using namespace toscac;
using namespace toscac::plan;

bool toscac::plan::isInTime(const SymbolicRun &run, const Send &send,
                            const Justification &needs,
                            EarlierSteps &isEarlier) {
  if (send.isFromWorkflow() || send.heldOnArrival)
    return true;
  if (isEarlier(send.sender))
    return false;
  // What is sent on entry arrives when all that the sender waits for is done.
  return !send.onEntry || llvm::none_of(needs.deps, [&](Dep dep) {
    return llvm::all_of(run.steps.deps(send.sender), [&](Dep earlier) {
      return isBefore(run.steps, earlier.step(), dep.step());
    });
  });
}

bool toscac::plan::arrivesInFlight(const SymbolicRun &run, const Send &send,
                                   StepId last) {
  if (send.isFromWorkflow())
    return false;
  // The sender starts no later than what it sends to ends.
  if (send.onEntry)
    return send.sender == last ||
           llvm::all_of(run.steps.deps(send.sender), [&](Dep dep) {
             return isBefore(run.steps, dep.step(), last);
           });
  // It is the end of the sender that has started it, by an earlier event.
  bool isStarted = false;
  for (Dep dep : run.steps.deps(last)) {
    isStarted |= dep.step() == send.sender && !dep.isChoice();
    if (dep.step() != send.sender &&
        !isBefore(run.steps, dep.step(), send.sender))
      return false;
  }
  return isStarted;
}
