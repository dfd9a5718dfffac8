//===- PlanData.h - A plan in the making ------------------------*- C++ -*-===//
///
/// \file
/// A plan while passes work on it. It starts as a copy of the steps of the
/// symbolic run; `origins` leads back from a step of the plan to that of the
/// run, which has its causes, guards and exclusions.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_PLANDATA_H
#define TOSCAC_LIB_PLAN_PLANDATA_H

#include "Start.h"
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
  PlanData(const ir::Graph &graph, const PlanOptions &options, NameTable &names,
           DiagnosticEngine &diags);

  PlanOptions options;

  /// Of operations that stand for activities.
  ValueArena arena;
  EventSystem system;
  SymbolicRun run;
  /// Whether nothing has proved yet that all orders of it do the same.
  bool areOrdersOpen = false;
  /// What the workflow does.
  Start start;
  const Goal &goal;
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

  /// Frees the symbolic run, most of the memory of a plan, when passes do not
  /// need it any more.
  void forgetRun();

  const ir::Graph &graph() const { return system.layout.graph; }
  /// Whether \p step runs something.
  bool isCall(StepId step) const {
    return !steps.isJoin(step) &&
           !system.layout.operation(EventId{steps.event(step)})
                .handlers.empty();
  }
  /// `site[2].standard.create`, with `#2` where it runs again.
  std::string nameOf(StepId step) const;
  std::string nameOf(const FailureStep &step) const;
};

/// Those that steps run or need, in ascending order.
std::vector<ir::ArtifactId> usedArtifacts(const PlanData &plan);

} // namespace toscac::plan

#endif
