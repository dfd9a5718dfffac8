//===- FailureSteps.cpp - What follows a failure --------------------------===//
///
/// \file
/// The rule "Failure steps". From what is known when a step has failed, the
/// events that it sends and the rules that its writes set off are lowered once,
/// much as Simulate does it for the plan itself; what is unknown becomes a
/// guard. Failures of failure steps are not planned. What other failure steps
/// write, which nothing orders, is unknown, too: where there is such a thing,
/// it is done again with this in mind.
///
/// An operation that a step of the plan may still run, because it does not wait
/// for the failed one, is left to that step. What waits for the failed step is
/// not made up for, except where the failed step itself asks for it: going on
/// is the matter of a new plan.
///
//===----------------------------------------------------------------------===//

#include "FailureSteps.h"

#include "FailureLowering.h"
#include "Steps/RaisedRules.h"
#include "System/ReverseWalk.h"
#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

llvm::SmallVector<RuleId, 4>
FailureLowering::rulesThatRead(ArrayRef<CellId> written) {
  llvm::SmallVector<RuleId, 4> rules;
  auto add = [&](RuleId rule) {
    if (!llvm::is_contained(rules, rule) &&
        !steps.isLeftToPlan(system.place(rule).receiver, /*isAskedFor=*/false))
      rules.push_back(rule);
  };
  for (CellId cell : written) {
    CellPlace at = layout.place(cell);
    ir::EntityId entity = layout.entity(at.slot, at.row);
    for (uint32_t watch : system.watchesOf(at.slot, at.cell))
      forEachOrigin(
          layout.graph, entity, system.watches[watch].fromSelf,
          system.watches[watch].self, [&](ir::EntityId owner) {
            system.forEachReader(
                owner, watch,
                [&](const EventPlace &at) { system.forEachRuleOf(at, add); },
                add);
          });
  }
  return rules;
}

/// Does \p act, which writes the cells \p written, then fires the level rules
/// that these writes have made true.
void FailureLowering::change(ArrayRef<CellId> written,
                             std::optional<EventId> ended,
                             llvm::function_ref<void()> act) {
  llvm::SmallVector<RuleId, 4> rules = rulesThatRead(written);
  for (RuleId rule : rules)
    if (!openRules.contains(rule.index) &&
        conditions.of(system.place(rule), /*strict=*/true).truth == Truth::True)
      heldRules.insert(rule.index);
  act();
  // A rule that holds could not fire as long as the operation was in flight.
  if (ended)
    system.forEachRuleOf(*ended, [&](RuleId rule) {
      if (openRules.contains(rule.index) && !llvm::is_contained(rules, rule))
        rules.push_back(rule);
    });
  for (RuleId rule : rules) {
    Answer needs;
    if (rises(rule, needs))
      fire(rule, needs);
  }
  tryPending();
}

bool FailureLowering::isReady(RuleId rule, Answer &needs) {
  RulePlace at = system.place(rule);
  needs = conditions.of(at, /*strict=*/false);
  bool ready = needs.isPossible() && !isInFlight(at.receiver);
  if (!ready)
    openRules.insert(rule.index);
  return ready;
}

void FailureLowering::setHeld(RuleId rule, bool isHeld) {
  openRules.erase(rule.index);
  if (isHeld)
    heldRules.insert(rule.index);
  else
    heldRules.erase(rule.index);
}

bool FailureLowering::holds(EventId event, Answer &needs) {
  needs = conditions.of(event);
  return needs.isPossible();
}

llvm::SmallVector<CellId, 4> FailureLowering::cellsOf(EventId event,
                                                      ArrayRef<ir::Set> sets) {
  EventPlace at = layout.place(event);
  llvm::SmallVector<CellId, 4> result;
  for (const ir::Set &set : sets)
    result.push_back(layout.cell(at.slot, at.row, set.cell));
  return result;
}

void FailureLowering::apply(EventId event, ArrayRef<ir::Set> sets,
                            Sender writer, bool isInFlight) {
  EventPlace at = layout.place(event);
  bool isGuarded = writer && steps[*writer].guard;
  for (const ir::Set &set : sets) {
    CellId id = layout.cell(at.slot, at.row, set.cell);
    FailureCell cell{ValueId(), writer, isInFlight};
    auto read = [&](CellId other) -> const Value * {
      ValueId value = cells[other].value;
      return value ? &system.values[value] : nullptr;
    };
    // Whether a guarded step writes is known only when the plan runs.
    if (!isGuarded)
      cell.value = system.valueOf(set, layout.entity(at.slot, at.row), read);
    cells.write(id, cell);
    plan.run.writtenOnFailure.insert(id.index);
  }
}

void FailureLowering::sendAll(EventId event, ArrayRef<ir::Trigger> triggers,
                              Sender sender) {
  ir::EntityId entity = layout.entityOf(event);
  Invocation own =
      sender ? steps[*sender].invocation
             : invocationOf(plan.run, plan.origins[steps.failed().index]);
  for (const ir::Trigger &trigger : triggers) {
    Answer condition = conditions.of(trigger.condition, entity);
    if (!condition.isPossible())
      continue;
    system.forEachReceiver(entity, trigger, [&](EventId receiver) {
      if (!steps.isLeftToPlan(receiver, /*isAskedFor=*/!sender))
        pending.push_back(
            {sentBy(own, trigger, receiver, system), sender, condition});
    });
    tryPending();
  }
}

/// Each event that is accepted may change what becomes of the others.
void FailureLowering::tryPending() {
  for (size_t i = 0; i < pending.size();) {
    const PendingEvent &next = pending[i];
    EventId event = next.invocation.event;
    Answer needs;
    if (!accepts(event, needs)) {
      ++i;
      continue;
    }
    PendingEvent accepted = next;
    pending.erase(pending.begin() + i);
    i = 0;
    if (!accepted.task && steps.isLate(needs.writers, accepted.sender))
      continue;
    needs.add(accepted.condition);
    if (accepted.task)
      tasks.accepted(accepted.task, steps.size());
    accept(accepted.invocation, accepted.sender, needs);
  }
}

void FailureLowering::acceptBy(RuleId rule, const Answer &needs) {
  RulePlace at = system.place(rule);
  ir::EntityId sender = layout.entity(at.block->slot, at.row);
  accept({at.receiver, at.block->rule, sender}, std::nullopt, needs);
}

void FailureLowering::accept(const Invocation &invocation, Sender sender,
                             const Answer &needs) {
  if (steps.isFull())
    return;
  EventId event = invocation.event;
  uint32_t number = steps.size();
  steps.add(invocation, sender, needs);
  change(cellsOf(event, layout.operation(event).entry.sets), std::nullopt,
         [&] { enter(number); });
}

void FailureLowering::writeAll(uint32_t number, When when) {
  EventId event = steps.eventOf(number);
  const ir::Operation &operation = layout.operation(event);
  if (when == When::Entry)
    return apply(event, operation.entry.sets, number, /*isInFlight=*/true);
  for (CellId cell : cellsOf(event, operation.entry.sets)) {
    FailureCell content = cells[cell];
    content.isInFlight = false;
    cells.write(cell, content);
  }
  apply(event, operation.success.sets, number, /*isInFlight=*/false);
}

void FailureLowering::sendAll(uint32_t number, When when) {
  EventId event = steps.eventOf(number);
  const ir::Operation &operation = layout.operation(event);
  sendAll(event,
          when == When::Entry ? operation.entry.triggers
                              : operation.success.triggers,
          Sender(number));
}

void FailureLowering::end(uint32_t number) {
  EventId event = steps.eventOf(number);
  const ir::Operation &operation = layout.operation(event);
  auto written = cellsOf(event, operation.success.sets);
  written.append(cellsOf(event, operation.entry.sets));
  change(written, event, [&] {
    finish(number);
    if (tasks.isActive())
      withTasks([&](FailureTasks::Send send) { tasks.ended(number, send); });
  });
}

void FailureLowering::withTasks(
    llvm::function_ref<void(FailureTasks::Send)> act) {
  act([&](TaskId task, EventId event, Answer condition) {
    pending.push_back({{event, tasks.tasks().tasks[task.index].trigger,
                        layout.entityOf(event)},
                       {},
                       std::move(condition),
                       task});
  });
  tryPending();
}

void FailureLowering::beginTasks() {
  tasks.end();
  auto found =
      plan.run.failureTasks.find(plan.origins[steps.failed().index].index);
  if (found == plan.run.failureTasks.end())
    return;
  const TaskGraph &graph = plan.start.tasks.onFailure[found->second];
  withTasks([&](FailureTasks::Send send) { tasks.begin(graph, send); });
}

/// The first event of a task that is still pending is never accepted: its task
/// goes on without it. False if no event of a task is pending.
bool FailureLowering::skipTasks() {
  auto *next =
      llvm::find_if(llvm::MutableArrayRef(pending),
                    [](const PendingEvent &event) { return bool(event.task); });
  if (next == llvm::MutableArrayRef(pending).end())
    return false;
  TaskId task = next->task;
  pending.erase(pending.begin() + (next - pending.data()));
  withTasks([&](FailureTasks::Send send) { tasks.skip(task, send); });
  return true;
}

void FailureLowering::lower(StepId step) {
  steps.begin(step);
  conditions.reads.clearAll();
  do {
    steps.clear();
    lowerOnce();
  } while (findContested());
}

bool FailureLowering::findContested() {
  // By step: those that it waits for.
  std::vector<llvm::BitVector> before(steps.size(),
                                      llvm::BitVector(steps.size()));
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> writers, readers;
  for (uint32_t i = 0; i != steps.size(); ++i) {
    for (uint32_t dep : steps[i].deps)
      if (std::optional<uint32_t> earlier = steps.numberOf(dep)) {
        before[i].set(*earlier);
        before[i] |= before[*earlier];
      }
    EventId event = steps.eventOf(i);
    readers[event.index].push_back(i);
    const ir::Operation &operation = layout.operation(event);
    for (ArrayRef<ir::Set> sets :
         {ArrayRef(operation.entry.sets), ArrayRef(operation.success.sets)})
      for (CellId cell : cellsOf(event, sets))
        writers[cell.index].push_back(i);
  }
  return conditions.reads.findContested([&](CellReads::Read read) {
    for (uint32_t reader : readers.lookup(read.first))
      for (uint32_t writer : writers.lookup(read.second))
        if (writer != reader && !before[reader].test(writer) &&
            !before[writer].test(reader))
          return true;
    return false;
  });
}

void FailureLowering::lowerOnce() {
  cells.begin(steps.failed());
  running.clear();
  heldRules.clear();
  openRules.clear();
  pending.clear();
  conditions.reads.clear();
  EventId event{plan.steps.event(steps.failed())};
  const ir::Operation &operation = layout.operation(event);
  change(cellsOf(event, operation.failure.sets), std::nullopt, [&] {
    apply(event, operation.failure.sets, std::nullopt, /*isInFlight=*/false);
    sendAll(event, operation.failure.triggers, std::nullopt);
    beginTasks();
  });
  uint32_t ended = 0;
  do {
    for (; ended != steps.size(); ++ended)
      end(ended);
  } while (skipTasks());
}

void toscac::plan::lowerFailures(PlanData &plan) {
  const Layout &layout = plan.system.layout;
  std::optional<RaisedRules> rules;
  std::optional<FailureLowering> lowering;
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    // A step that runs nothing cannot fail.
    if (!plan.isCall({i}))
      continue;
    EventPlace at = layout.place(EventId{plan.steps.event({i})});
    const ir::Operation &operation =
        layout.machine(at.slot).operations[at.operation];
    if (operation.failure.triggers.empty() &&
        !plan.run.failureTasks.contains(plan.origins[i].index)) {
      if (!rules)
        rules.emplace(plan.run);
      if (!rules->mayRaise(at.slot, at.operation))
        continue;
    }
    if (!lowering)
      lowering.emplace(plan);
    lowering->lower({i});
  }
}
