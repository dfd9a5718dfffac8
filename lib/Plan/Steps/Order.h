//===- Order.h - Acts and their order ---------------------------*- C++ -*-===//
///
/// \file
/// Every step has two acts: it starts, with its check and first writes, and it
/// ends, with its last writes and events. What is asked here is whether one act
/// comes before another in every order of completion.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ORDER_H
#define TOSCAC_LIB_PLAN_ORDER_H

#include "Reachability.h"
#include "SymbolicRun.h"

namespace toscac::plan {

/// The start or end of a step; without one, the start of the workflow.
struct Act {
  StepId step;
  bool isEnd = false;
};

class Order {
public:
  explicit Order(const SymbolicRun &run) : run(run) {}

  const SymbolicRun &run;

  /// Most questions are about a step and what it waits for: where there are no
  /// others, nothing else is looked at.
  bool isBefore(StepId a, StepId b) {
    if (llvm::binary_search(run.steps.deps(b), Dep(a)))
      return true;
    index();
    return reach->isBefore(a, b);
  }
  /// To be called before edges become choices: answers stay what they are now.
  void index() {
    if (!reach)
      reach.emplace(run.steps);
  }
  /// Whether \p a has ended when \p b ends; they may be the same step.
  bool isAtOrBefore(StepId a, StepId b) { return a == b || isBefore(a, b); }

  /// The act that \p write belongs to; none: before everything.
  Act actOf(WriteId write) const;
  /// Whether \p a is never after \p b.
  bool isNotAfter(Act a, Act b);
  /// Whether \p a comes strictly before \p b.
  bool comesBefore(Act a, Act b);
  /// The same for the arrival of an event. What one act sends arrives as it is
  /// written: what an earlier event of the same act starts, has started.
  bool isNotAfterArrival(Act a, SendId send);
  bool arrivesBefore(SendId send, Act b);
  Act arrivalOf(SendId send) const {
    return {run.sends[send.index].sender, !run.sends[send.index].onEntry};
  }

private:
  bool startsBeforeEnd(StepId a, StepId b);
  bool startsBeforeStart(StepId a, StepId b);
  bool isDeliveredFirst(StepId a, StepId b) const;
  bool isStartedFirst(StepId a, SendId send);

  /// Made for the first question that needs it.
  std::optional<Reachability> reach;
};

} // namespace toscac::plan

#endif
