//===- SymbolicRun.h - The symbolic run -------------------------*- C++ -*-===//
///
/// \file
/// What came of running the event system once: the steps, every write and
/// every event that was sent. The analyses of hazards read it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_SYMBOLICRUN_H
#define TOSCAC_LIB_PLAN_SYMBOLICRUN_H

#include "Exclusions.h"
#include "Justification.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace toscac::plan {

/// A cell that the workflow sets, and the one that is to follow it.
struct CellGoal {
  CellId desired;
  /// None: the value is set, and nothing has to follow it.
  CellId reached;
  ValueId value;
};

/// Index into Run::sends.
struct SendId {
  uint32_t index;
};

/// An event on its way: sent by the workflow or by a trigger.
struct Send {
  EventId event;
  /// None: the workflow, at first.
  StepId sender;
  /// Null: the workflow.
  const ir::Trigger *trigger;
  /// When it was sent.
  Moment moment;
  /// Sent when the sender starts, not when it ends.
  bool onEntry = false;
  /// The trigger's condition held; otherwise nothing was sent, but might be in
  /// another order.
  bool wasSent = true;
  /// The precondition held on arrival, be it on values in flight.
  bool heldOnArrival = false;
  /// The step that accepted it; none: it was ignored.
  StepId accepted = {};
  /// A task of the workflow sends it, after the end of `sender`; the trigger
  /// has its inputs.
  bool isTask = false;

  bool isFromWorkflow() const { return isTask || !sender; }
};

/// Why a step happens: a level rule or an event that was sent.
class Cause {
public:
  Cause(RuleId rule) : raw(rule.index << 1) {}
  Cause(SendId send) : raw(send.index << 1 | 1) {}
  /// Of a step that only waits.
  static Cause none() { return RuleId{~0u >> 1}; }
  std::optional<RuleId> rule() const {
    return raw & 1 ? std::nullopt : std::optional(RuleId{raw >> 1});
  }
  std::optional<SendId> send() const {
    return raw & 1 ? std::optional(SendId{raw >> 1}) : std::nullopt;
  }

private:
  uint32_t raw;
};

/// A place between two steps of a run.
struct Boundary {
  Moment moment;
  /// How many steps come before it.
  uint32_t steps;
};

struct SymbolicRun {
  explicit SymbolicRun(EventSystem &system)
      : system(system), history(system.layout, system.values) {}

  EventSystem &system;
  History history;
  StepGraph steps;
  // Of each step.
  std::vector<Cause> causes;
  std::vector<Moment> accepted;
  /// Of the steps that have some.
  llvm::DenseMap<uint32_t, llvm::SmallVector<const Expr *, 1>> guards;
  /// Steps that are right in either order, but not at the same time.
  Exclusions exclusions;
  std::vector<Send> sends;
  /// Where it goes on with what the workflow wants later.
  std::optional<Boundary> later;
  /// Steps whose rule may have ceased to hold when they start, since it has
  /// fired: see Refinement.h.
  llvm::DenseSet<uint32_t> firedBefore;
  /// What tasks of the workflow wanted and did not get.
  std::vector<CellGoal> unmetGoals;
  /// Steps that wait for their sender only because the workflow says so.
  llvm::DenseSet<uint32_t> sequenced;
  /// Steps of the run after whose failure tasks begin: an index into
  /// TaskGraph::onFailure.
  llvm::DenseMap<uint32_t, uint32_t> failureTasks;
  /// Of steps that need values which are known only at run time: what these
  /// have to be, for the step itself and for what leads to it.
  llvm::DenseMap<uint32_t, LateLiterals> late;
  /// A step and an earlier one of the same operation that it waits for only
  /// because an operation does not overlap itself.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> sequels;
  /// Not null: says what an output turns out to write to cell \p cell of the
  /// machine, when \p event has happened.
  std::function<ValueId(EventId event, uint32_t cell)> outcome;
  /// Cells that are written when a step fails, or after that.
  llvm::DenseSet<uint32_t> writtenOnFailure;
  /// Of the workflow.
  llvm::ArrayRef<ir::InputValue> parameters;

  /// By entity that is replaced in its turn: the step from which on it comes up
  /// again.
  llvm::DenseMap<uint32_t, uint32_t> comesUp;

  /// The first step of what the workflow wants later, if it does.
  uint32_t firstLater() const { return later ? later->steps : ~0u; }
  /// Whether \p step belongs to taking down: it comes before the later part of
  /// the workflow or, with turns, before its entity begins to come up.
  bool isOnWayDown(StepId step) const {
    if (comesUp.empty())
      return later && step.index < firstLater();
    auto up = comesUp.find(system.layout.entityOf(event(step)).index);
    return up != comesUp.end() && step.index < up->second;
  }
  EventId event(StepId step) const { return {steps.event(step)}; }
};

} // namespace toscac::plan

#endif
