//===- Simulation.h - The event system as it runs ---------------*- C++ -*-===//
///
/// \file
/// What simulate() has in hand while it runs the event system, and the world
/// that the interpreter acts in: values with the history of their writers.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_SIMULATION_H
#define TOSCAC_LIB_PLAN_SIMULATION_H

#include "HistoryWriter.h"
#include "OperationsInFlight.h"
#include "Simulate.h"
#include "System/Interpreter.h"
#include "TaskProgress.h"

namespace toscac::plan {

class Simulation : private Interpreter<Simulation> {
public:
  Simulation(const Start &start, SymbolicRun &run, unsigned maxRepeats)
      : start(start), run(run), system(run.system), layout(run.system.layout),
        truth(run.system, run.history), justification(truth, run.steps),
        tasks(start.tasks, run, truth, justification), repetitions(maxRepeats),
        alike(run.system, run.history), inFlight(run, repetitions),
        pending(run, repetitions), affected(run.system, pending),
        writer(run, truth, repetitions, affected), held(system.numRules()) {}

  bool simulate(llvm::function_ref<bool()> isReached);

private:
  // What the interpreter asks for.
  friend Interpreter;
  bool isInFlight(EventId event) {
    return !system.hasLateCells && inFlight.blocks(event, {});
  }
  bool holds(EventId event, Justification &needs);
  bool mayHold(RuleId rule);
  bool isReady(RuleId rule, Justification &needs);
  bool hasHeld(RuleId rule) const { return held.test(rule.index); }
  void setHeld(RuleId rule, bool isHeld);
  void acceptBy(RuleId rule, Justification &needs) {
    accept(looked.at.receiver, rule, needs);
  }
  void starts(StepId step) { inFlight.set(run.event(step), true); }
  void ends(StepId step);
  void writeAll(StepId step, When when) {
    when == When::Entry ? writer.writeOnEntry(step)
                        : writer.writeOnSuccess(step);
  }
  void sendAll(StepId step, When when);

  // Events.
  void send(const Send &send);
  bool isPossible(const Justification &needs) const;
  void tryPending(EventId event);
  void checkRule(RuleId rule);
  void settle();

  // Steps.
  StepId accept(EventId event, Cause cause, Justification &needs);
  void end(StepId step);
  void runSteps();
  void checkRules();

  bool hasFailed() const { return isEndless || writer.hasFailed; }
  void setEndless(EventId event, StepId cause, std::string how) {
    isEndless = true;
    reportEndless(run, event, cause, std::move(how));
  }

  TermId conditionOf(const ir::Trigger &trigger, ir::EntityId sender) {
    return system.conditions.compile(trigger.condition,
                                     layout.graph.kindOf(sender));
  }

  const Start &start;
  SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  TruthOf truth;
  JustificationOf justification;
  TaskProgress tasks;
  Repetitions repetitions;
  const EquivalentRows alike;

  OperationsInFlight inFlight;
  PendingEvents pending;
  AffectedReaders affected;
  HistoryWriter writer;
  /// Rules that have held since they last fired.
  llvm::BitVector held;
  /// Steps with guards whose entry is still to come: where one guard holds,
  /// another may not, so that none of them is to see what the others write.
  std::vector<StepId> entering;
  /// The rule that was looked at last.
  struct {
    RulePlace at;
    TermId precondition;
    ir::EntityId sender, receiver;
    bool isStable;
  } looked;
  /// Steps that have ended.
  uint32_t numEnded = 0;
  bool isEndless = false;
};

} // namespace toscac::plan

#endif
