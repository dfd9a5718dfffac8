//===- PlanOrder.h - What a plan orders -------------------------*- C++ -*-===//
///
/// \file
/// Whether one step has ended before another starts in every replay of a plan.
/// Unlike the order of the event system (Order.h), it has no idea of when a
/// step starts after all that it waits for, and choices are waited for like
/// everything else.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_PLANORDER_H
#define TOSCAC_LIB_PLAN_PLANORDER_H

#include "PlanData.h"
#include "Reachability.h"

namespace toscac::plan {

/// Of the steps of \p plan as they are now.
class PlanOrder {
public:
  explicit PlanOrder(const PlanData &plan);
  /// For another run, whose steps are these of the plan.
  PlanOrder(const PlanData &plan, std::vector<StepId> numbers)
      : steps(plan.steps), numbers(std::move(numbers)) {}

  bool isBefore(StepId a, StepId b);

  /// The step of the plan that \p step of the run is.
  StepId inPlan(StepId step) const { return numbers[step.index]; }
  // The same for steps of the run.
  bool isBeforeInPlan(StepId a, StepId b) {
    return isBefore(inPlan(a), inPlan(b));
  }
  bool areOrdered(StepId a, StepId b) {
    return isBeforeInPlan(a, b) || isBeforeInPlan(b, a);
  }

private:
  const StepGraph &steps;
  std::vector<StepId> numbers;
  /// Made for the first question that direct dependencies do not answer.
  std::optional<Reachability> reach;
};

/// A step of the run that is to wait for another one.
struct OrderEdge {
  StepId from;
  StepId to;
  friend auto operator<=>(const OrderEdge &, const OrderEdge &) = default;
};

/// Adds \p edges, as certain ones or as choices, to the steps of \p plan and
/// brings these into an order in which they can run: of those that can, the one
/// that comes first now. If there is none, the plan stays as it is, and the
/// result is a cycle: steps of the run each of which waits for the next, and
/// the last for the first.
std::vector<StepId> addEdges(PlanData &plan, std::vector<OrderEdge> edges,
                             bool areChoices);

} // namespace toscac::plan

#endif
