//===- Simulation.h - The event system as it runs ---------------*- C++ -*-===//
///
/// \file
/// What simulate() has in hand while it runs the event system, and the world
/// that the interpreter acts in: values with the history of their writers.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_SIMULATION_H
#define TOSCAC_LIB_PLAN_SIMULATION_H

#include "PendingEvents.h"
#include "Repetitions.h"
#include "Simulate.h"
#include "Steps/EquivalentRows.h"
#include "Steps/LateLiterals.h"
#include "System/CellOutputs.h"
#include "System/GraphEnvironment.h"
#include "System/Interpreter.h"
#include "System/ReverseWalk.h"
#include "System/WatchedCells.h"
#include "TaskProgress.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

class Simulation : private Interpreter<Simulation> {
public:
  Simulation(const Start &start, SymbolicRun &run, unsigned maxRepeats)
      : start(start), run(run), system(run.system), layout(run.system.layout),
        truth(run.system, run.history), justification(truth, run.steps),
        tasks(start.tasks, run, truth, justification), watched(run.system),
        repetitions(maxRepeats), alike(run.system, run.history),
        touched(layout), dependants(run.steps), running(layout.numEvents()),
        isAwaited(layout.numEvents()), lastSteps(layout.numEvents()),
        eventIsDirty(layout.numEvents()), held(system.numRules()),
        ruleIsDirty(system.numRules()) {}

  bool simulate(llvm::function_ref<bool()> isReached);

private:
  // Writes.
  void write(const CellPlace &at, ValueId value, StepId step,
             ValueId ending = settled);
  void countElement(uint32_t loop, const Watch &watch, ir::EntityId written);
  void lookAgain(ir::EntityId owner, uint32_t watch);
  void markEvent(const EventPlace &at);
  void markRule(RuleId rule);
  ValueId literal(const Expr &expr);
  /// None, after a report: it is not known.
  ValueId valueOf(const ir::Set &set, ir::EntityId entity);

  // What the interpreter asks for.
  friend Interpreter;
  bool isInFlight(EventId event) {
    return !system.hasLateCells && isBusy(event, {});
  }
  bool holds(EventId event, Justification &needs);
  bool mayHold(RuleId rule);
  bool isReady(RuleId rule, Justification &needs);
  bool hasHeld(RuleId rule) const { return held.test(rule.index); }
  void setHeld(RuleId rule, bool isHeld);
  void acceptBy(RuleId rule, Justification &needs) {
    accept(looked.at.receiver, rule, needs);
  }
  void starts(StepId step) { setRunning(run.event(step), true); }
  void ends(StepId step);
  void writeAll(StepId step, When when);
  void sendAll(StepId step, When when);

  // Events.
  void send(const Send &send);
  bool isPossible(const Justification &needs) const;
  bool isBusy(EventId event, const Justification &needs);
  void addSender(EventId event, SendId accepted, Justification &needs);
  void addTaskSender(const Send &send, Justification &needs);
  void tryPending(EventId event);
  void checkRule(RuleId rule);
  void settle();

  // Steps.
  StepId accept(EventId event, Cause cause, Justification &needs);
  void writeEntry(StepId step, const EventPlace &at);
  void writeOutputs(StepId step, const EventPlace &at);
  void end(StepId step);
  void runSteps();
  void checkRules();

  // Whether it comes to an end.
  void setEndless(EventId event, StepId cause, std::string how) {
    failed = true;
    reportEndless(run, event, cause, std::move(how));
  }
  void setRunning(EventId event, bool isRunning);
  void setPending(SendId send, bool isPending);

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
  WatchedCells watched;
  Repetitions repetitions;
  const EquivalentRows alike;
  WrittenEntities touched;
  Dependants dependants;

  // By event.
  llvm::BitVector running;
  /// Would have been accepted, had it not been running.
  llvm::BitVector isAwaited;
  /// The last step that accepted it.
  std::vector<StepId> lastSteps;
  llvm::BitVector eventIsDirty;
  llvm::DenseMap<uint32_t, llvm::SmallVector<SendId, 2>> pending;
  // By rule.
  llvm::BitVector held;
  llvm::BitVector ruleIsDirty;
  std::vector<EventId> dirtyEvents;
  std::vector<RuleId> dirtyRules;
  /// Steps with guards whose entry is still to come: where one guard holds,
  /// another may not, so that none of them is to see what the others write.
  std::vector<StepId> entering;
  llvm::DenseMap<const Expr *, ValueId> literals;
  /// The rule that was looked at last.
  struct {
    RulePlace at;
    TermId precondition;
    ir::EntityId sender, receiver;
    bool isStable;
  } looked;
  /// Steps that have ended.
  uint32_t numEnded = 0;
  bool failed = false;
};

} // namespace toscac::plan

#endif
