//===- ExecuteTimes.cpp - Timers, signals, progress -----------------------===//

#include "Executor.h"

#include "Show/FormatTime.h"

using namespace toscac;
using namespace toscac::run;

void Executor::setTimer(Call &call, double due) {
  clearTimer(call);
  call.due = due;
  timers.insert({due, &call});
}

void Executor::clearTimer(Call &call) {
  timers.erase({call.due, &call});
  call.due = HUGE_VAL;
}

void Executor::runTimers() {
  while (!timers.empty() && timers.begin()->first <= now()) {
    Call &call = *timers.begin()->second;
    clearTimer(call);
    whenDue(call);
  }
}

/// It has run too long, has ignored a signal to end, or may be tried again.
void Executor::whenDue(Call &call) {
  if (call.process) {
    if (call.isTold)
      return signalGroup(call.process, SIGKILL);
    call.ended = "timed out after " + formatSeconds(call.step.timeout) + " s";
    return tell(call, SIGTERM);
  }
  auto found = llvm::find_if(delayed, [&](const std::unique_ptr<Call> &each) {
    return each.get() == &call;
  });
  std::unique_ptr<Call> again = std::move(delayed.extract(found).value());
  if (!mayStart())
    return;
  journal.again(again->step.id);
  chosen.push_back(std::move(again));
}

void Executor::tell(Call &call, int signal) {
  signalGroup(call.process, signal);
  call.isTold = true;
  setTimer(call, now() + options.grace);
}

void Executor::handle(const Wakeup &wakeup) {
  if (wakeup.interrupt || wakeup.terminate)
    interrupt(wakeup.terminate || isStopping);
  for (const Ending &ending : wakeup.endings) {
    auto found = running.find(ending.process);
    if (found == running.end())
      continue;
    std::unique_ptr<Call> call = std::move(found->second);
    running.erase(found);
    handlerEnded(std::move(call), ending);
  }
  if (running.empty())
    limit = SIZE_MAX;
}

/// Nothing new is started; \p atOnce: what runs is told to end. What waits to
/// be tried again stays in flight, for --resume.
void Executor::interrupt(bool atOnce) {
  if (isStoppingAtOnce)
    return;
  isStopping = true;
  isStoppingAtOnce = atOnce;
  progress.stopping(now(), atOnce);
  while (!delayed.empty()) {
    Call &call = **delayed.begin();
    clearTimer(call);
    stepFolders.close(call.files, call.step.id, call.step.name,
                      /*hasFailed=*/false, call.process);
    delayed.erase(delayed.begin());
  }
  if (!atOnce)
    return;
  for (auto &entry : running) {
    entry.second->ended = "stopped";
    tell(*entry.second, SIGTERM);
  }
}

double Executor::timeToWait() const {
  // Calls that were held back are tried again when one ends.
  double wait = progress.period();
  if (double left = journal.keepAlive(); left != HUGE_VAL)
    wait = wait < 0 ? left : std::min(wait, left);
  if (timers.empty())
    return wait;
  double next = std::max(0.0, timers.begin()->first - now());
  return wait < 0 ? next : std::min(wait, next);
}

/// Calls that are left, by how many run at once.
double Executor::turnsLeft() const {
  double left = schedule.numCalls() - schedule.numFinishedCalls();
  return options.jobs ? left / options.jobs : 0;
}

void Executor::showProgress() {
  if (progress.period() < 0 || now() - shown < progress.period() / 2)
    return;
  shown = now();
  Snapshot snapshot{schedule.numFinishedCalls(), schedule.numCalls(), shown};
  if (callsDone)
    snapshot.left = std::max<double>(schedule.callsLeft(), turnsLeft()) *
                    callSeconds / callsDone;
  for (auto &entry : running)
    snapshot.running.push_back(entry.second->step.name);
  llvm::sort(snapshot.running);
  progress.show(snapshot);
}
