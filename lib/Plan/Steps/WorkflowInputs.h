//===- WorkflowInputs.h - Values of a workflow's inputs ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_WORKFLOWINPUTS_H
#define TOSCAC_LIB_PLAN_WORKFLOWINPUTS_H

#include "System/EventSystem.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

class WorkflowInputs {
public:
  WorkflowInputs(EventSystem &system, ir::SubgraphId subgraph)
      : system(&system), subgraph(subgraph) {}

  /// From the parameters of \p goal and the defaults of \p inputs; false after
  /// a report of what is missing or does not fit.
  bool setParameters(llvm::ArrayRef<ir::Argument> inputs, const Goal &goal);
  /// As \p activity gives them, in a workflow with inputs \p outer, where
  /// \p self stands; or the defaults of \p workflow.
  void setInlined(const ir::Workflow &workflow, const WorkflowInputs &outer,
                  const ir::Activity &activity, ir::EntityId self);

  /// As \p trigger, which \p sender sends, gives them to \p event, an event of
  /// the service; or the defaults.
  void setSent(const ir::Operation &event, const ir::Trigger *trigger,
               ir::EntityId sender);

  /// Puts the values in place of queries for them.
  const Expr *bind(const Expr &expr) const;
  llvm::ArrayRef<ir::Argument>
  bind(llvm::ArrayRef<ir::Argument> arguments) const;

  /// The values themselves.
  llvm::ArrayRef<ir::Argument> arguments() const;

private:
  const Expr *evaluateAt(const Expr &expr, ir::EntityId self) const;
  const Expr *defaultOf(const ir::Argument &input) const;
  const ir::InputValue *find(Name name) const;
  const Expr *valueOf(const Expr &query) const;

  EventSystem *system;
  ir::SubgraphId subgraph;
  /// With absolute paths.
  std::vector<ir::InputValue> values;
};

} // namespace toscac::plan

#endif
