//===- PlanData.h - A plan in the making ------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PLANDATA_H
#define TOSCAC_LIB_PLAN_PLANDATA_H

#include "Simulate.h"
#include "StepInputs.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// A step that runs only after another one has failed.
struct FailureStep {
  Invocation invocation;
  /// The step of the plan that failed.
  StepId after;
  /// Failure steps, and steps that may be writing what this one reads still, by
  /// their numbers in the plan, in ascending order.
  llvm::SmallVector<uint32_t, 2> deps;
  uint32_t stage = 0;
  /// Null: none.
  const Expr *guard = nullptr;
  /// How often the operation has then run.
  uint32_t occurrence = 1;
};

struct PlanData {
  PlanData(const ir::Graph &graph, const Goal &goal, NameTable &names,
           DiagnosticEngine &diags);

  /// Of operations that stand for activities.
  ValueArena arena;
  EventSystem system;
  Run run;
  /// What the workflow does.
  Start start;
  Goal goal;
  /// The steps of the plan; events are those of the run.
  StepGraph steps;
  /// The step of the run that a step of the plan is; none: a join.
  std::vector<StepId> origins;
  /// Steps that accept an operation which an earlier one did: how often it is.
  llvm::DenseMap<uint32_t, uint32_t> occurrences;

  /// By step of the run: all that must hold for it to happen.
  llvm::DenseMap<uint32_t, llvm::SmallVector<const Expr *, 1>> guards;

  /// Numbered on after the last step.
  std::vector<FailureStep> failureSteps;

  const ir::Graph &graph() const { return system.layout.graph; }
  /// Whether \p step runs something.
  bool isCall(StepId step) const {
    return !steps.isJoin(step) &&
           !system.layout.operation(EventId{steps.event(step)})
                .handlers.empty();
  }
  /// Seconds by name of a step; empty: each step counts as one.
  llvm::StringMap<double> durations;
  double durationOf(StepId step) const;
  /// `site[2].standard.create`, with `#2` where it runs again.
  std::string nameOf(StepId step) const;
  std::string nameOf(const FailureStep &step) const;
};

} // namespace toscac::plan

#endif
