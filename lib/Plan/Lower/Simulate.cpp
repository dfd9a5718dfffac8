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

void Simulation::write(const CellPlace &at, ValueId value, StepId step,
                       ValueId ending) {
  CellId cell = layout.cell(at);
  CellState before = run.history.stateAfter(cell, run.history.lastWrite(cell));
  repetitions.note({0, cell.index, before.value.index});
  repetitions.note({0, cell.index, value.index});
  run.history.add(cell, value, step, ending);
  CellState after{value, ending, before.value};
  ir::EntityId entity = layout.entity(at.slot, at.row);
  touched.add(entity);
  // The body of a loop may read the cell twice: an element is counted once.
  llvm::SmallVector<uint32_t, 4> counted;
  auto isCounted = [&](uint32_t loop, const Watch &watch) {
    return llvm::any_of(counted, [&](uint32_t earlier) {
      return llvm::is_contained(system.loopsOfWatch[earlier], loop) &&
             leadAlike(system.watches[earlier].fromSelf, watch.fromSelf);
    });
  };
  auto notify = [&](uint32_t id, bool matters) {
    const Watch &watch = system.watches[id];
    for (uint32_t loop : system.loopsOfOwnWatch[id])
      truth.ownerChanged(loop, entity);
    for (uint32_t loop : system.loopsOfWatch[id])
      if (!isCounted(loop, watch))
        countElement(loop, watch, entity);
    if (!system.loopsOfWatch[id].empty())
      counted.push_back(id);
    if (matters)
      forEachOrigin(layout.graph, entity, watch.fromSelf, watch.self,
                    [&](ir::EntityId owner) { lookAgain(owner, id); });
  };
  watched.forEachChanged(at.slot, at.cell, before, after, notify);
}

void Simulation::countElement(uint32_t id, const Watch &watch,
                              ir::EntityId written) {
  if (!truth.isCounting(id))
    return;
  ArrayRef<ir::PathStep> toElement = system.conditions.loops[id].route.fromSelf;
  ArrayRef<ir::PathStep> toCell = watch.fromSelf.drop_front(toElement.size());
  forEachOrigin(layout.graph, written, toCell, kindAfter(toElement, watch.self),
                [&](ir::EntityId element) {
                  forEachOrigin(layout.graph, element, toElement, watch.self,
                                [&](ir::EntityId owner) {
                                  truth.elementChanged(id, owner, element);
                                });
                });
}

void Simulation::lookAgain(ir::EntityId owner, uint32_t watch) {
  system.forEachReader(
      owner, watch, [&](const EventPlace &at) { markEvent(at); },
      [&](RuleId rule) { markRule(rule); });
}

void Simulation::markEvent(const EventPlace &at) {
  EventId event = layout.event(at);
  if (pending.contains(event.index) && !eventIsDirty.test(event.index)) {
    eventIsDirty.set(event.index);
    dirtyEvents.push_back(event);
  }
  system.forEachRuleOf(at, [&](RuleId rule) { markRule(rule); });
}

void Simulation::markRule(RuleId rule) {
  if (ruleIsDirty.test(rule.index))
    return;
  ruleIsDirty.set(rule.index);
  dirtyRules.push_back(rule);
}

/// Looks at everything that the last act may have changed; what that accepts
/// is an act of its own.
void Simulation::settle() {
  size_t event = 0, rule = 0;
  while (!failed && (event != dirtyEvents.size() || rule != dirtyRules.size() ||
                     !entering.empty())) {
    if (event == dirtyEvents.size() && rule == dirtyRules.size()) {
      for (StepId step : std::exchange(entering, {}))
        enter(step);
      continue;
    }
    if (event != dirtyEvents.size()) {
      EventId next = dirtyEvents[event++];
      eventIsDirty.reset(next.index);
      tryPending(next);
      continue;
    }
    RuleId next = dirtyRules[rule++];
    ruleIsDirty.reset(next.index);
    checkRule(next);
  }
  dirtyEvents.clear();
  dirtyRules.clear();
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
  return !isBusy(event, needs) && isPossible(needs);
}

bool Simulation::holds(EventId event, Justification &needs) {
  TermId precondition = system.precondition(event);
  ir::EntityId entity = layout.entityOf(event);
  if (truth(precondition, entity).stable != Truth::True)
    return false;
  justification(precondition, entity, never, needs);
  return !isBusy(event, needs) && isPossible(needs);
}

/// Whether some outcome of outputs into cells has all that \p needs asks for.
bool Simulation::isPossible(const Justification &needs) const {
  return !system.hasLateCells || !isImpossible(run, lateOf(run, needs));
}

/// Whether the operation is in flight where \p needs is there; it is awaited.
bool Simulation::isBusy(EventId event, const Justification &needs) {
  if (!running.test(event.index))
    return false;
  if (system.hasLateCells &&
      exclude(run, run.late.lookup(lastSteps[event.index].index),
              lateOf(run, needs)))
    return false;
  isAwaited.set(event.index);
  return true;
}

void Simulation::send(const Send &send) {
  SendId id{uint32_t(run.sends.size())};
  run.sends.push_back(send);
  if (!send.wasSent)
    return;
  run.sends.back().heldOnArrival =
      truth(system.precondition(send.event), layout.entityOf(send.event))
          .strict;
  if (running.test(send.event.index) &&
      arrivesInFlight(run, send, lastSteps[send.event.index]))
    return;
  pending[send.event.index].push_back(id);
  setPending(id, true);
  if (send.isFromWorkflow())
    repetitions.noteWorkflow();
  tryPending(send.event);
}

void Simulation::sendAll(StepId step, When when) {
  if (failed)
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
  auto waiting = pending.find(event.index);
  if (waiting == pending.end())
    return;
  Justification needs;
  if (!accepts(event, needs))
    return;
  llvm::SmallVector<SendId, 2> &sends = waiting->second;
  EarlierSteps isEarlier(dependants, needs.deps);
  llvm::erase_if(sends, [&](SendId send) {
    bool isLate = !isInTime(run, run.sends[send.index], needs, isEarlier);
    if (isLate)
      setPending(send, false);
    return isLate;
  });
  if (sends.empty()) {
    pending.erase(waiting);
    return;
  }
  // What the workflow sends waits; other events have been in time or not.
  auto next = llvm::find_if(
      sends, [&](SendId id) { return run.sends[id.index].isFromWorkflow(); });
  if (next == sends.end())
    next = sends.begin();
  SendId accepted = *next;
  const Send &send = run.sends[accepted.index];
  if (send.isTask) {
    tasks.addNeeds(accepted, needs);
  } else if (!send.isFromWorkflow()) {
    ir::EntityId sender = layout.entityOf(run.event(send.sender));
    justification(conditionOf(*send.trigger, sender), sender, send.moment,
                  needs);
    if (!isPossible(needs)) {
      sends.erase(next);
      setPending(accepted, false);
      return tryPending(event);
    }
  }
  addSender(event, accepted, needs);
  sends.erase(next);
  setPending(accepted, false);
  run.sends[accepted.index].accepted = {uint32_t(run.steps.size())};
  if (run.sends[accepted.index].isTask)
    tasks.accepted(accepted, {uint32_t(run.steps.size())});
  // What else the workflow sends there waits for the end of this one.
  if (llvm::any_of(sends, [&](SendId id) {
        return run.sends[id.index].isFromWorkflow();
      }))
    isAwaited.set(event.index);
  else if (sends.empty())
    pending.erase(waiting);
  accept(event, accepted, needs);
}

/// A task waits for the step after which it begins, whatever else is sent.
void Simulation::addTaskSender(const Send &send, Justification &needs) {
  if (!send.sender || llvm::any_of(needs.deps, [&](Dep dep) {
        return dep.step() == send.sender && !dep.isChoice();
      }))
    return;
  needs.deps.push_back(send.sender);
  run.sequenced.insert(run.steps.size());
}

/// Adds a sender to wait for, unless one of them has to be waited for anyway:
/// the one of the lowest stage. One that sends when it starts has only to be
/// ready.
void Simulation::addSender(EventId event, SendId accepted,
                           Justification &needs) {
  ArrayRef<SendId> sends = pending[event.index];
  const Send *best = &run.sends[accepted.index];
  if (best->isTask)
    return addTaskSender(*best, needs);
  for (SendId id : sends) {
    const Send &send = run.sends[id.index];
    if (!send.sender)
      return;
    if (!send.onEntry && llvm::any_of(needs.deps, [&](Dep dep) {
          return dep.step() == send.sender;
        }))
      return;
    if (run.steps.stage(send.sender) < run.steps.stage(best->sender))
      best = &send;
  }
  bool isChoice = sends.size() > 1;
  if (!best->onEntry) {
    needs.deps.push_back(Dep(best->sender, isChoice));
    return;
  }
  for (Dep dep : run.steps.deps(best->sender))
    needs.deps.push_back(Dep(dep.step(), isChoice || dep.isChoice()));
}

void Simulation::setRunning(EventId event, bool isRunning) {
  if (running.test(event.index) != isRunning)
    repetitions.note({1, event.index});
  running[event.index] = isRunning;
}

void Simulation::setHeld(RuleId rule, bool isHeld) {
  if (held.test(rule.index) != isHeld)
    repetitions.note({2, rule.index});
  held[rule.index] = isHeld;
}

void Simulation::setPending(SendId id, bool isPending) {
  const Send &send = run.sends[id.index];
  repetitions.notePending(send.event,
                          send.sender ? run.steps.event(send.sender)
                                      : StepGraph::noEvent,
                          isPending);
}

StepId Simulation::accept(EventId event, Cause cause, Justification &needs) {
  if (lastSteps[event.index] && repetitions.countAgain(event)) {
    StepId leader = cause.send() ? run.sends[cause.send()->index].sender
                    : needs.deps.empty()
                        ? StepId()
                        : llvm::max_element(needs.deps)->step();
    setEndless(event, leader,
               "more than " + std::to_string(repetitions.most) + " times");
    return {};
  }
  StepId &last = lastSteps[event.index];
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

void Simulation::writeEntry(StepId step, const EventPlace &at) {
  ir::EntityId entity = layout.entity(at.slot, at.row);
  const ir::Operation &operation =
      layout.machine(at.slot).operations[at.operation];
  for (const ir::Set &set : operation.entry.sets) {
    ValueId value = valueOf(set, entity);
    if (!value)
      return;
    ValueId ending = value;
    const ir::Set *later =
        llvm::find_if(operation.success.sets, [&](const ir::Set &other) {
          return other.cell == set.cell;
        });
    if (later != operation.success.sets.end())
      ending = later->value->isLiteral() ? literal(*later->value) : notKnown;
    else if (system.hasLateCells &&
             isOutput(layout.machine(at.slot), operation, set.cell))
      ending = notKnown;
    write({at.slot, at.row, set.cell}, value, step, ending);
  }
}

/// Outputs are there before the operation writes what it does on success.
void Simulation::writeOutputs(StepId step, const EventPlace &at) {
  const ir::Machine &machine = layout.machine(at.slot);
  for (const CellOutput &output :
       cellOutputs(machine, machine.operations[at.operation])) {
    if (!output.cell) {
      failed = true;
      system.conditions.diags.report(
          output.mapping->range, diag::OutputIntoOtherCell,
          output.mapping->output.str(), machine.interface.str());
      return;
    }
    ValueId value =
        run.outcome ? run.outcome(run.event(step), *output.cell) : atRunTime;
    write({at.slot, at.row, *output.cell}, value, step);
  }
}

void Simulation::writeAll(StepId step, When when) {
  EventPlace at = layout.place(run.event(step));
  if (when == When::Entry)
    return writeEntry(step, at);
  ir::EntityId entity = layout.entity(at.slot, at.row);
  const ir::Operation &operation =
      layout.machine(at.slot).operations[at.operation];
  if (system.hasLateCells)
    writeOutputs(step, at);
  for (const ir::Set &set : operation.success.sets)
    if (ValueId value = valueOf(set, entity))
      write({at.slot, at.row, set.cell}, value, step);
  for (const ir::Set &set : operation.entry.sets) {
    CellPlace cell{at.slot, at.row, set.cell};
    WriteId last = run.history.lastWrite(layout.cell(cell));
    const Write &entry = run.history.writes[last.index];
    if (entry.step == step && entry.isOnEntry())
      write(cell, ValueId(entry.value), step);
  }
}

/// What tasks have to end is in flight until they have.
void Simulation::ends(StepId step) {
  EventId event = run.event(step);
  if (!tasks.isBegin(event))
    setRunning(event, false);
  if (std::optional<EventId> begun = tasks.begunBy(event)) {
    setRunning(*begun, false);
    lastSteps[begun->index] = step;
  }
}

void Simulation::end(StepId step) {
  finish(step);
  tasks.ended(step, [&](const Send &sent) { send(sent); });
  EventId event = run.event(step);
  EventId ended = tasks.begunBy(event).value_or(event);
  if (isAwaited.test(ended.index)) {
    isAwaited.reset(ended.index);
    markEvent(layout.place(ended));
  }
}

ValueId Simulation::literal(const Expr &expr) {
  ValueId &known = literals[&expr];
  if (!known)
    known = system.values.intern(expr.value());
  return known;
}

ValueId Simulation::valueOf(const ir::Set &set, ir::EntityId entity) {
  if (set.value->isLiteral())
    return literal(*set.value);
  ValueId value =
      system.valueOf(set, entity, [&](CellId cell) -> const Value * {
        ValueId known = run.history.value(cell);
        return known == atRunTime ? nullptr : &system.values[known];
      });
  if (!value) {
    failed = true;
    system.conditions.diags.report(set.range, diag::UnknownCellValue,
                                   layout.graph.nameOf(entity));
  }
  return value;
}

void Simulation::runSteps() {
  settle();
  for (; numEnded != run.steps.size() && !failed; ++numEnded) {
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

/// Rows that nobody wrote to are left out where a rule cannot fire.
void Simulation::checkRules() {
  for (const RuleBlock &block : system.rules) {
    uint32_t number = &block - &system.ruleOf(block.slot, 0);
    auto check = [&](uint32_t row) {
      system.forEachRule(block.slot, row, number, [&](RuleId rule) {
        if (!failed)
          checkRule(rule);
      });
    };
    for (RowRange range : alike.of(block.slot))
      if (!alike.canFire(block, range))
        touched.forEachRow(block.slot, range, check);
      else
        for (uint32_t row = range.first; row != range.end; ++row)
          check(row);
  }
}

bool Simulation::simulate(llvm::function_ref<bool()> isReached) {
  for (const CellGoal &goal : start.goals)
    write(layout.place(goal.desired), goal.value, StepId());
  dirtyRules.clear();
  ruleIsDirty.reset();
  for (EventId event : start.events)
    send({event, StepId(), start.trigger, run.history.now()});
  auto begin = [&] { tasks.begin([&](const Send &sent) { send(sent); }); };
  if (!start.tasksAreLater)
    begin();
  checkRules();
  runSteps();
  tasks.finish();
  if (failed || !start.hasLater())
    return !failed;
  if (!isReached())
    return false;
  repetitions.forget();
  run.later = {run.history.now(), uint32_t(run.steps.size())};
  system.layout.leavingHasLeft = true;
  truth.countAnew();
  for (const CellGoal &goal : start.laterGoals)
    write(layout.place(goal.desired), goal.value, StepId());
  for (EventId event : start.laterEvents)
    send({event, StepId(), nullptr, run.history.now()});
  if (start.tasksAreLater)
    begin();
  checkRules();
  runSteps();
  tasks.finish();
  return !failed;
}

bool toscac::plan::simulate(const Start &start, unsigned maxRepeats,
                            SymbolicRun &run,
                            llvm::function_ref<bool()> isReached) {
  return Simulation(start, run, maxRepeats).simulate(isReached);
}
