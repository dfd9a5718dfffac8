//===- OperationsInFlight.h - What has started and not ended ----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_OPERATIONSINFLIGHT_H
#define TOSCAC_LIB_PLAN_OPERATIONSINFLIGHT_H

#include "Repetitions.h"
#include "Steps/LateLiterals.h"

namespace toscac::plan {

/// By event: whether its operation is in flight, and who waits for its end.
class OperationsInFlight {
public:
  OperationsInFlight(const SymbolicRun &run, Repetitions &repetitions)
      : run(run), repetitions(repetitions),
        running(run.system.layout.numEvents()), awaited(running.size()),
        lastSteps(running.size()) {}

  bool contains(EventId event) const { return running.test(event.index); }
  void set(EventId event, bool isRunning) {
    if (running.test(event.index) != isRunning)
      repetitions.note({1, event.index});
    running[event.index] = isRunning;
  }

  /// Whether the operation is in flight, in an outcome of outputs in which \p
  /// needs holds, too. Then whoever wants it is tried again when it ends.
  bool blocks(EventId event, const Justification &needs) {
    if (!running.test(event.index))
      return false;
    if (run.system.hasLateCells &&
        exclude(run, run.late.lookup(lastSteps[event.index].index),
                lateOf(run, needs)))
      return false;
    await(event);
    return true;
  }
  void await(EventId event) { awaited.set(event.index); }
  /// Whether somebody waits for the end of \p event; forgets that.
  bool takeAwaited(EventId event) {
    bool wasAwaited = awaited.test(event.index);
    awaited.reset(event.index);
    return wasAwaited;
  }

  /// The last step that accepted it.
  StepId &lastStep(EventId event) { return lastSteps[event.index]; }

private:
  const SymbolicRun &run;
  Repetitions &repetitions;
  llvm::BitVector running, awaited;
  std::vector<StepId> lastSteps;
};

} // namespace toscac::plan

#endif
