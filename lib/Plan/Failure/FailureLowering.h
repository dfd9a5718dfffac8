//===- FailureLowering.h - One failure after another ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILURELOWERING_H
#define TOSCAC_LIB_PLAN_FAILURELOWERING_H

#include "FailureStepList.h"
#include "FailureTasks.h"
#include "System/Interpreter.h"

namespace toscac::plan {

/// An event that has been sent.
struct PendingEvent {
  Invocation invocation;
  Sender sender;
  Answer condition;
  /// The task of the workflow that sent it, if one did; what it sends waits.
  TaskId task = {};
};

/// Lowers what follows one failure after another.
class FailureLowering : private Interpreter<FailureLowering> {
public:
  explicit FailureLowering(PlanData &plan)
      : plan(plan), system(plan.system), layout(plan.system.layout),
        order(plan), cells(plan, order), conditions(plan, cells),
        steps(plan, order), tasks(conditions, cells) {}

  void lower(StepId step);

private:
  // What the interpreter asks for.
  friend Interpreter;
  bool isInFlight(EventId event) const { return running.contains(event.index); }
  bool holds(EventId event, Answer &needs);
  bool mayHold(RuleId rule) {
    return conditions.of(system.place(rule), /*strict=*/true).truth !=
           Truth::False;
  }
  bool isReady(RuleId rule, Answer &needs);
  bool hasHeld(RuleId rule) const { return heldRules.contains(rule.index); }
  void setHeld(RuleId rule, bool isHeld);
  void acceptBy(RuleId rule, const Answer &needs);
  void starts(uint32_t number) { running.insert(steps.eventOf(number).index); }
  void ends(uint32_t number) { running.erase(steps.eventOf(number).index); }
  void writeAll(uint32_t number, When when);
  void sendAll(uint32_t number, When when);

  // Acts.
  void lowerOnce();
  /// Looks for races among the failure steps: a cell that the condition of one
  /// of them reads, and that another writes which nothing orders against it.
  /// Says whether there are more than are known.
  bool findContested();
  llvm::SmallVector<CellId, 4> cellsOf(EventId event,
                                       llvm::ArrayRef<ir::Set> sets);
  void change(llvm::ArrayRef<CellId> written, std::optional<EventId> ended,
              llvm::function_ref<void()> act);
  llvm::SmallVector<RuleId, 4> rulesThatRead(llvm::ArrayRef<CellId> written);
  void apply(EventId event, llvm::ArrayRef<ir::Set> sets, Sender writer,
             bool isInFlight);
  void sendAll(EventId event, llvm::ArrayRef<ir::Trigger> triggers,
               Sender sender);
  void tryPending();

  // Tasks of the workflow.
  void beginTasks();
  void withTasks(llvm::function_ref<void(FailureTasks::Send)> act);
  bool skipTasks();

  // Steps.
  void accept(const Invocation &invocation, Sender sender, const Answer &needs);
  void end(uint32_t number);

  PlanData &plan;
  EventSystem &system;
  const Layout &layout;
  PlanOrder order;
  FailureCells cells;
  FailureConditions conditions;
  FailureStepList steps;
  FailureTasks tasks;

  // Of the failure at hand.
  llvm::DenseSet<uint32_t> running;
  llvm::DenseSet<uint32_t> heldRules;
  /// Rules that hold only on values in flight so far.
  llvm::DenseSet<uint32_t> openRules;
  std::vector<PendingEvent> pending;
};

} // namespace toscac::plan

#endif
