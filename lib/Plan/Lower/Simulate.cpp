//===- Simulate.cpp - Running the event system symbolically ---------------===//
///
/// \file
/// Steps end in the order in which they started, so that the list of steps is
/// the queue. What a write may have changed is looked at when the act that
/// wrote (a start with its writes, an end with its writes and events) is
/// complete.
///
//===----------------------------------------------------------------------===//

#include "Simulate.h"

#include "Endless.h"
#include "Simulation.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Looks at everything that the last act may have changed; what that accepts
/// is an act of its own.
void Simulation::settle() {
  while (!hasFailed()) {
    if (!affected.events.empty())
      tryPending({affected.events.take()});
    else if (!affected.rules.empty())
      checkRule({affected.rules.take()});
    else if (!entering.empty())
      for (StepId step : std::exchange(entering, {}))
        enter(step);
    else
      return;
  }
}

void Simulation::checkRule(RuleId rule) {
  Justification needs;
  if (rises(rule, needs))
    fire(rule, needs);
}

bool Simulation::mayHold(RuleId rule) {
  RulePlace at = system.place(rule);
  ir::EntityId sender = layout.entity(at.block->slot, at.row);
  Truths condition = truth(at.block->condition, sender);
  if (!condition.strict)
    return false;
  EventPlace event = layout.place(at.receiver);
  ir::EntityId receiver = layout.entity(event.slot, event.row);
  TermId precondition =
      system.program(event.slot).preconditions[event.operation];
  Truths accepts = truth(precondition, receiver);
  looked = {at, precondition, sender, receiver,
            condition.stable == Truth::True && accepts.stable == Truth::True};
  return accepts.strict;
}

bool Simulation::isReady(RuleId, Justification &needs) {
  EventId event = looked.at.receiver;
  if (!looked.isStable || isInFlight(event))
    return false;
  justification(looked.precondition, looked.receiver, never, needs);
  justification(looked.at.block->condition, looked.sender, never, needs);
  return !inFlight.blocks(event, needs) && isPossible(needs);
}

bool Simulation::holds(EventId event, Justification &needs) {
  TermId precondition = system.precondition(event);
  ir::EntityId entity = layout.entityOf(event);
  if (truth(precondition, entity).stable != Truth::True)
    return false;
  justification(precondition, entity, never, needs);
  return !inFlight.blocks(event, needs) && isPossible(needs);
}

/// Whether some outcome of outputs into cells has all that \p needs asks for.
bool Simulation::isPossible(const Justification &needs) const {
  return !system.hasLateCells || !isImpossible(run, lateOf(run, needs));
}

void Simulation::send(const Send &send) {
  SendId id{uint32_t(run.sends.size())};
  run.sends.push_back(send);
  if (!send.wasSent)
    return;
  run.sends.back().heldOnArrival =
      truth(system.precondition(send.event), layout.entityOf(send.event))
          .strict;
  if (inFlight.contains(send.event) &&
      arrivesInFlight(run, send, inFlight.lastStep(send.event)))
    return;
  pending.add(id);
  if (send.isFromWorkflow())
    repetitions.noteWorkflow();
  tryPending(send.event);
}

void Simulation::sendAll(StepId step, When when) {
  if (hasFailed())
    return;
  EventPlace at = layout.place(run.event(step));
  ir::EntityId entity = layout.entity(at.slot, at.row);
  const ir::Operation &operation =
      layout.machine(at.slot).operations[at.operation];
  bool onEntry = when == When::Entry;
  const ir::Reaction &reaction = onEntry ? operation.entry : operation.success;
  for (const ir::Trigger &trigger : reaction.triggers) {
    TermId condition = conditionOf(trigger, entity);
    bool holds = truth(condition, entity).stable == Truth::True;
    system.forEachReceiver(entity, trigger, [&](EventId event) {
      send({event, step, &trigger, run.history.now(), onEntry, holds});
    });
  }
}

void Simulation::tryPending(EventId event) {
  Justification needs;
  if (!pending.contains(event) || !accepts(event, needs))
    return;
  pending.dropLate(event, needs);
  ArrayRef<SendId> sends = pending.of(event);
  if (sends.empty())
    return;
  auto isFromWorkflow = [&](SendId id) {
    return run.sends[id.index].isFromWorkflow();
  };
  // What the workflow sends waits; other events have been in time or not.
  const SendId *next = llvm::find_if(sends, isFromWorkflow);
  SendId accepted = next == sends.end() ? sends.front() : *next;
  const Send &send = run.sends[accepted.index];
  if (send.isTask) {
    tasks.addNeeds(accepted, needs);
  } else if (!send.isFromWorkflow()) {
    ir::EntityId sender = layout.entityOf(run.event(send.sender));
    justification(conditionOf(*send.trigger, sender), sender, send.moment,
                  needs);
    if (!isPossible(needs)) {
      pending.remove(accepted);
      return tryPending(event);
    }
  }
  addSender(run, sends, accepted, needs);
  pending.remove(accepted);
  run.sends[accepted.index].accepted = {uint32_t(run.steps.size())};
  if (run.sends[accepted.index].isTask)
    tasks.accepted(accepted, {uint32_t(run.steps.size())});
  // What else the workflow sends there waits for the end of this one.
  if (llvm::any_of(pending.of(event), isFromWorkflow))
    inFlight.await(event);
  accept(event, accepted, needs);
}

void Simulation::setHeld(RuleId rule, bool isHeld) {
  if (held.test(rule.index) != isHeld)
    repetitions.note({2, rule.index});
  held[rule.index] = isHeld;
}

StepId Simulation::accept(EventId event, Cause cause, Justification &needs) {
  if (inFlight.lastStep(event) && repetitions.countAgain(event)) {
    StepId leader = cause.send() ? run.sends[cause.send()->index].sender
                    : needs.deps.empty()
                        ? StepId()
                        : llvm::max_element(needs.deps)->step();
    setEndless(event, leader,
               "more than " + std::to_string(repetitions.most) + " times");
    return {};
  }
  StepId &last = inFlight.lastStep(event);
  StepId step{uint32_t(run.steps.size())};
  if (system.hasLateCells)
    if (LateLiterals late = lateOf(run, needs); !late.empty())
      run.late[step.index] = std::move(late);
  // While it is in flight, an operation is not accepted again.
  if (last) {
    if (llvm::none_of(needs.deps, [&](Dep dep) { return dep.step() == last; }))
      run.sequels.insert({step.index, last.index});
    needs.deps.push_back(last);
  }
  last = step;
  normalize(needs.deps);
  run.steps.add(event.index, needs.deps);
  run.causes.push_back(cause);
  run.accepted.push_back(run.history.now());
  if (!needs.guards.empty())
    run.guards[step.index] = needs.guards;
  if (needs.guards.empty()) {
    enter(step);
  } else {
    starts(step);
    entering.push_back(step);
  }
  return step;
}

/// An operation that stands for tasks is in flight until the last of them has
/// ended.
void Simulation::ends(StepId step) {
  EventId event = run.event(step);
  if (!tasks.isBegin(event))
    inFlight.set(event, false);
  if (std::optional<EventId> begun = tasks.begunBy(event)) {
    inFlight.set(*begun, false);
    inFlight.lastStep(*begun) = step;
  }
}

void Simulation::end(StepId step) {
  finish(step);
  tasks.ended(step, [&](const Send &sent) { send(sent); });
  EventId event = run.event(step);
  EventId ended = tasks.begunBy(event).value_or(event);
  if (inFlight.takeAwaited(ended))
    affected.add(layout.place(ended));
}

void Simulation::runSteps() {
  settle();
  for (; numEnded != run.steps.size() && !hasFailed(); ++numEnded) {
    StepId step{numEnded};
    if (run.steps.isJoin(step))
      continue;
    if (repetitions.comesBack(run.event(step))) {
      setEndless(run.event(step), causeOf(run, step),
                 "again when everything is as it was before");
      return;
    }
    end(step);
    settle();
  }
}

/// Fires level rules that hold before anything happens. Of instances that start
/// alike, and for which a rule cannot hold, only those are looked at that were
/// written to.
void Simulation::checkRules() {
  for (const RuleBlock &block : system.rules) {
    uint32_t number = &block - &system.ruleOf(block.slot, 0);
    auto check = [&](uint32_t row) {
      system.forEachRule(block.slot, row, number, [&](RuleId rule) {
        if (!hasFailed())
          checkRule(rule);
      });
    };
    for (RowRange range : alike.of(block.slot))
      if (!alike.canFire(block, range))
        writer.writtenEntities().forEachRow(block.slot, range, check);
      else
        for (uint32_t row = range.first; row != range.end; ++row)
          check(row);
  }
}

bool Simulation::simulate(llvm::function_ref<bool()> isReached) {
  for (const CellGoal &goal : start.goals)
    writer.write(layout.place(goal.desired), goal.value, StepId());
  affected.rules.clear();
  for (EventId event : start.events)
    send({event, StepId(), start.trigger, run.history.now()});
  auto begin = [&] { tasks.begin([&](const Send &sent) { send(sent); }); };
  if (!start.tasksAreLater)
    begin();
  checkRules();
  runSteps();
  tasks.finish();
  if (hasFailed() || !start.hasLater())
    return !hasFailed();
  if (!isReached())
    return false;
  repetitions.forget();
  run.later = {run.history.now(), uint32_t(run.steps.size())};
  system.layout.leavingHasLeft = true;
  truth.countAnew();
  for (const CellGoal &goal : start.laterGoals)
    writer.write(layout.place(goal.desired), goal.value, StepId());
  for (EventId event : start.laterEvents)
    send({event, StepId(), nullptr, run.history.now()});
  if (start.tasksAreLater)
    begin();
  checkRules();
  runSteps();
  tasks.finish();
  return !hasFailed();
}

bool toscac::plan::simulate(const Start &start, unsigned maxRepeats,
                            SymbolicRun &run,
                            llvm::function_ref<bool()> isReached) {
  return Simulation(start, run, maxRepeats).simulate(isReached);
}
