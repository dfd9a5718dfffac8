//===- FailureStepList.h - The failure steps of one failure -----*- C++ -*-===//
///
/// \file
/// The steps that follow one failure, counted from it on, in the plan in the
/// making: what each waits for, and what is no business of theirs because steps
/// of the plan do it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FAILURESTEPLIST_H
#define TOSCAC_LIB_PLAN_FAILURESTEPLIST_H

#include "FailureConditions.h"

namespace toscac::plan {

/// Who sent an event: a failure step; none: the step that failed.
using Sender = std::optional<uint32_t>;

class FailureStepList {
public:
  FailureStepList(PlanData &plan, PlanOrder &order)
      : plan(plan), layout(plan.system.layout), order(order),
        eventSteps(plan.steps, layout.numEvents()) {}

  /// The steps that are to come follow the failure of \p step.
  void begin(StepId step);
  /// Takes all out again that were added since then.
  void clear();

  StepId failed() const { return failure; }
  size_t size() const { return plan.failureSteps.size() - first; }
  FailureStep &operator[](uint32_t number) {
    return plan.failureSteps[first + number];
  }
  EventId eventOf(uint32_t number) { return (*this)[number].invocation.event; }
  /// The failure step that a dependency \p dep of one of these means; none: it
  /// means a step of the plan.
  std::optional<uint32_t> numberOf(uint32_t dep) const {
    return dep < plan.steps.size() + first
               ? std::nullopt
               : std::optional<uint32_t>(dep - plan.steps.size() - first);
  }

  /// Whether there is no room for another one; reports that, once.
  bool isFull();
  /// Adds a step for \p invocation, which \p sender has caused; \p needs says
  /// on what its condition depends.
  void add(const Invocation &invocation, Sender sender, const Answer &needs);

  /// Whether \p event is left to the plan: one of its steps accepts it although
  /// the failed one has failed, or would have accepted it after that one. The
  /// latter is made up for if the failed step itself asks for it (\p
  /// isAskedFor).
  bool isLeftToPlan(EventId event, bool isAskedFor) const;
  /// Whether one of \p writers, which make the precondition hold, comes after
  /// the sender: then the event has arrived too early.
  bool isLate(llvm::ArrayRef<uint32_t> writers, Sender sender);

private:
  uint32_t occurrenceOf(EventId event);
  void addDeps(FailureStep &made, Sender sender, const Answer &needs);
  void addDataDeps(FailureStep &reader);
  std::optional<uint32_t> openWriterOf(ir::EntityId entity,
                                       llvm::StringRef attribute) const;
  /// What holds only if the failure step has not been left out.
  const Expr *hasRun(const FailureStep &step);

  PlanData &plan;
  const Layout &layout;
  PlanOrder &order;
  EventSteps eventSteps;
  StepId failure;
  size_t first = 0;
  /// A failure had more steps than there is room for.
  bool wasCut = false;
};

} // namespace toscac::plan

#endif
