//===- PendingEvents.cpp - How long events are kept -----------------------===//

#include "PendingEvents.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

void PendingEvents::note(SendId id, bool isPending) {
  const Send &send = run.sends[id.index];
  repetitions.notePending(send.event,
                          send.sender ? run.steps.event(send.sender)
                                      : StepGraph::noEvent,
                          isPending);
}

void PendingEvents::add(SendId send) {
  pending[run.sends[send.index].event.index].push_back(send);
  note(send, true);
}

void PendingEvents::remove(SendId send) {
  auto at = pending.find(run.sends[send.index].event.index);
  llvm::erase_if(at->second,
                 [&](SendId other) { return other.index == send.index; });
  note(send, false);
  if (at->second.empty())
    pending.erase(at);
}

/// Whether some order delivers the event when its precondition holds: none of
/// what makes it hold comes after the sender, which \p isEarlier tells. The
/// workflow's events wait.
static bool isInTime(const SymbolicRun &run, const Send &send,
                     const Justification &needs, EarlierSteps &isEarlier) {
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

void PendingEvents::dropLate(EventId event, const Justification &needs) {
  auto at = pending.find(event.index);
  EarlierSteps isEarlier(dependants, needs.deps);
  llvm::erase_if(at->second, [&](SendId send) {
    bool isLate = !isInTime(run, run.sends[send.index], needs, isEarlier);
    if (isLate)
      note(send, false);
    return isLate;
  });
  if (at->second.empty())
    pending.erase(at);
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
  // The end of the sender itself has started it, by an event that it sent
  // before this one.
  bool isStarted = false;
  for (Dep dep : run.steps.deps(last)) {
    isStarted |= dep.step() == send.sender && !dep.isChoice();
    if (dep.step() != send.sender &&
        !isBefore(run.steps, dep.step(), send.sender))
      return false;
  }
  return isStarted;
}

/// A task waits for the step after which it begins, whatever else is sent.
static void addTaskSender(SymbolicRun &run, const Send &send,
                          Justification &needs) {
  if (!send.sender || llvm::any_of(needs.deps, [&](Dep dep) {
        return dep.step() == send.sender && !dep.isChoice();
      }))
    return;
  needs.deps.push_back(send.sender);
  run.sequenced.insert(run.steps.size());
}

void toscac::plan::addSender(SymbolicRun &run, ArrayRef<SendId> sends,
                             SendId accepted, Justification &needs) {
  const Send *best = &run.sends[accepted.index];
  if (best->isTask)
    return addTaskSender(run, *best, needs);
  for (SendId id : sends) {
    const Send &send = run.sends[id.index];
    if (!send.sender)
      return;
    if (!send.onEntry && llvm::any_of(needs.deps, [&](Dep dep) {
          return dep.step() == send.sender;
        }))
      return;
    if (run.steps.stage(send.sender) < run.steps.stage(best->sender))
      best = &send;
  }
  bool isChoice = sends.size() > 1;
  if (!best->onEntry) {
    needs.deps.push_back(Dep(best->sender, isChoice));
    return;
  }
  for (Dep dep : run.steps.deps(best->sender))
    needs.deps.push_back(Dep(dep.step(), isChoice || dep.isChoice()));
}
