//===- PlanData.h - A plan in the making ------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PLANDATA_H
#define TOSCAC_LIB_PLAN_PLANDATA_H

#include "Run.h"
#include "Simulate.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

struct PlanData {
  PlanData(const ir::Graph &graph, NameTable &names, DiagnosticEngine &diags)
      : system(graph, names, diags), run(system) {}

  EventSystem system;
  Run run;
  /// What started the run.
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
};

} // namespace toscac::plan

#endif
