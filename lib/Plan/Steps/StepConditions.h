//===- StepConditions.h - What steps start on -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_STEPCONDITIONS_H
#define TOSCAC_LIB_PLAN_STEPCONDITIONS_H

#include "SymbolicRun.h"

namespace toscac::plan {

/// A condition on which a step was accepted: its precondition, or the condition
/// of the rule that sent its event.
struct StepCondition {
  TermId term;
  ir::EntityId self;
  bool isOfRule;
};

/// Calls \p visit with each condition of \p step that has to hold when it
/// starts.
template <typename Visit>
void forEachCondition(const SymbolicRun &run, StepId step, Visit visit) {
  const EventSystem &system = run.system;
  EventId event = run.event(step);
  visit(StepCondition{system.precondition(event), system.layout.entityOf(event),
                      /*isOfRule=*/false});
  std::optional<RuleId> rule = run.causes[step.index].rule();
  if (!rule || run.firedBefore.contains(step.index))
    return;
  RulePlace at = system.place(*rule);
  visit(StepCondition{at.block->condition,
                      system.layout.entity(at.block->slot, at.row),
                      /*isOfRule=*/true});
}

} // namespace toscac::plan

#endif
