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
#include "System/GraphEnvironment.h"
#include "System/ReverseWalk.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Steps after one failure. A reaction that is longer is a workflow of its own,
/// and each failing step of a plan would repeat it.
static constexpr size_t maxSteps = 1000;

Answer FailureLowering::evaluateRule(const RulePlace &at, bool strict) {
  ir::EntityId sender = layout.entity(at.block->slot, at.row);
  llvm::SaveAndRestore looked(receiver, std::optional(at.receiver));
  Answer answer = evaluate(at.block->condition, sender, strict);
  if (answer.truth == Truth::False)
    return answer;
  Answer accepts = evaluate(system.precondition(at.receiver),
                            layout.entityOf(at.receiver), strict);
  answer.truth = std::min(answer.truth, accepts.truth);
  answer.isUnsettled |= accepts.isUnsettled;
  answer.add(accepts);
  return answer;
}

llvm::SmallVector<RuleId, 4>
FailureLowering::rulesThatRead(ArrayRef<CellId> written) {
  llvm::SmallVector<RuleId, 4> rules;
  auto add = [&](RuleId rule) {
    if (!llvm::is_contained(rules, rule) &&
        !isLeftToPlan(system.place(rule).receiver, /*isAskedFor=*/false))
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

/// Does \p act, which writes the cells \p written, then looks at the rules that
/// it may have made true.
void FailureLowering::change(ArrayRef<CellId> written,
                             std::optional<EventId> ended,
                             llvm::function_ref<void()> act) {
  llvm::SmallVector<RuleId, 4> rules = rulesThatRead(written);
  for (RuleId rule : rules)
    if (!openRules.contains(rule.index) &&
        evaluateRule(system.place(rule), /*strict=*/true).truth == Truth::True)
      heldRules.insert(rule.index);
  act();
  // What holds on was blocked as long as the operation ran.
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
  needs = evaluateRule(at, /*strict=*/false);
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

void FailureLowering::acceptBy(RuleId rule, const Answer &needs) {
  RulePlace at = system.place(rule);
  ir::EntityId sender = layout.entity(at.block->slot, at.row);
  accept({at.receiver, at.block->rule, sender}, std::nullopt, needs);
}

bool FailureLowering::holds(EventId event, Answer &needs) {
  llvm::SaveAndRestore looked(receiver, std::optional(event));
  needs = evaluate(system.precondition(event), layout.entityOf(event));
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
  bool isGuarded = writer && step(*writer).guard;
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
  Invocation own = sender ? step(*sender).invocation
                          : invocationOf(plan.run, plan.origins[failed.index]);
  for (const ir::Trigger &trigger : triggers) {
    Answer condition = evaluate(trigger.condition, entity);
    if (!condition.isPossible())
      continue;
    system.forEachReceiver(entity, trigger, [&](EventId receiver) {
      if (!isLeftToPlan(receiver, /*isAskedFor=*/!sender))
        pending.push_back(
            {sentBy(own, trigger, receiver, system), sender, condition});
    });
    tryPending();
  }
}

bool FailureLowering::isLeftToPlan(EventId event, bool isAskedFor) {
  return llvm::any_of(eventSteps.of(event), [&](StepId step) {
    if (step == failed)
      return false;
    if (step > failed)
      return !isAskedFor || !order.isBefore(failed, step);
    return !order.isBefore(step, failed);
  });
}

/// Whether a step that makes the precondition hold comes after the sender: then
/// the event has arrived too early.
bool FailureLowering::isLate(const Answer &answer, Sender sender) {
  llvm::SmallVector<uint32_t, 2> open(answer.writers);
  llvm::SmallDenseSet<uint32_t, 8> seen;
  if (!sender)
    return !open.empty();
  while (!open.empty()) {
    uint32_t at = open.pop_back_val();
    if (at == *sender || !seen.insert(at).second)
      continue;
    for (uint32_t dep : step(at).deps) {
      if (dep < plan.steps.size())
        continue;
      uint32_t number = dep - plan.steps.size() - first;
      if (number == *sender)
        return true;
      open.push_back(number);
    }
  }
  return false;
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
    if (!accepted.task && isLate(needs, accepted.sender))
      continue;
    needs.add(accepted.condition);
    if (accepted.task)
      tasks.accepted(accepted.task, numSteps());
    accept(accepted.invocation, accepted.sender, needs);
  }
}

uint32_t FailureLowering::occurrenceOf(EventId event) {
  uint32_t count = 1;
  for (StepId other : eventSteps.of(event))
    count += other == failed || order.isBefore(other, failed);
  for (uint32_t i = 0; i != numSteps(); ++i)
    count += step(i).invocation.event == event;
  return count;
}

/// Its guard, unless the step itself changes what the guard reads: then that it
/// has done so.
const Expr *FailureLowering::hasRun(const FailureStep &step) {
  if (!step.guard)
    return nullptr;
  EventPlace at = layout.place(step.invocation.event);
  ir::EntityId entity = layout.entity(at.slot, at.row);
  const ir::Machine &machine = layout.machine(at.slot);
  const ir::Operation &operation = machine.operations[at.operation];
  bool isChanged = false;
  forEachQuery(*step.guard, Function::GetState,
               [&](uint32_t read, ArrayRef<Expr>) {
                 isChanged |= read == entity.index;
               });
  if (!isChanged || operation.success.sets.empty())
    return step.guard;
  ValueArena &arena = system.conditions.arena;
  llvm::SmallVector<const Expr *, 2> done;
  for (const ir::Set &set : operation.success.sets) {
    Expr path[] = {
        Expr::literal(Value::integer(entity.index)),
        Expr::literal(Value::string(machine.interface.str())),
        Expr::literal(Value::string(machine.cells[set.cell].name.str()))};
    Expr sides[] = {
        Expr::call(Function::GetState, arena.save(ArrayRef<Expr>(path))),
        *set.value};
    done.push_back(arena.make(
        Expr::call(Function::Equal, arena.save(ArrayRef<Expr>(sides)))));
  }
  return combineGuards(done, Function::And, arena);
}

bool FailureLowering::isTooMany() {
  if (numSteps() != maxSteps)
    return false;
  if (!wasCut)
    system.conditions.diags.report(
        layout.operation({plan.steps.event(failed)}).range, diag::LongFailure,
        plan.nameOf(failed), unsigned(maxSteps));
  wasCut = true;
  return true;
}

/// What is there to wait for: who made it possible, who asked for it, the same
/// operation before, and who writes what it reads.
void FailureLowering::addDeps(FailureStep &made, Sender sender,
                              const Answer &needs) {
  auto add = [&](uint32_t number) {
    made.deps.push_back(plan.steps.size() + first + number);
  };
  llvm::for_each(needs.writers, add);
  if (sender)
    add(*sender);
  for (uint32_t i = 0; i != numSteps(); ++i)
    if (step(i).invocation.event == made.invocation.event)
      add(i);
  addDataDeps(made);
  llvm::sort(made.deps);
  made.deps.erase(std::unique(made.deps.begin(), made.deps.end()),
                  made.deps.end());
  for (uint32_t dep : made.deps) {
    bool isMain = dep < plan.steps.size();
    uint32_t stage = isMain ? plan.steps.stage({dep})
                            : plan.failureSteps[dep - plan.steps.size()].stage;
    made.stage = std::max(made.stage, stage + 1);
  }
}

void FailureLowering::accept(const Invocation &invocation, Sender sender,
                             const Answer &needs) {
  if (isTooMany())
    return;
  EventId event = invocation.event;
  uint32_t number = numSteps();
  FailureStep made{invocation, failed};
  made.occurrence = occurrenceOf(event);
  addDeps(made, sender, needs);
  Guards guards = needs.guards;
  const Expr *inherited = sender ? hasRun(step(*sender)) : nullptr;
  if (inherited)
    addGuards(guards, inherited);
  if (!guards.empty())
    made.guard = combineGuards(guards, Function::And, system.conditions.arena);
  plan.failureSteps.push_back(std::move(made));
  change(cellsOf(event, layout.operation(event).entry.sets), std::nullopt,
         [&] { enter(number); });
}

void FailureLowering::writeAll(uint32_t number, When when) {
  EventId event = eventOf(number);
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
  EventId event = eventOf(number);
  const ir::Operation &operation = layout.operation(event);
  sendAll(event,
          when == When::Entry ? operation.entry.triggers
                              : operation.success.triggers,
          Sender(number));
}

void FailureLowering::end(uint32_t number) {
  EventId event = eventOf(number);
  const ir::Operation &operation = layout.operation(event);
  auto written = cellsOf(event, operation.success.sets);
  written.append(cellsOf(event, operation.entry.sets));
  change(written, event, [&] {
    finish(number);
    if (tasks.isActive())
      withTasks([&](const FailureTasks::Events &events) {
        tasks.ended(number, events);
      });
  });
}

void FailureLowering::lower(StepId step) {
  failed = step;
  first = plan.failureSteps.size();
  contested.clear();
  do {
    plan.failureSteps.erase(plan.failureSteps.begin() + first,
                            plan.failureSteps.end());
    lowerOnce();
  } while (findContested());
}

bool FailureLowering::findContested() {
  size_t known = contested.size();
  // By step: those that it waits for.
  std::vector<llvm::BitVector> before(numSteps(), llvm::BitVector(numSteps()));
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> writers, steps;
  for (uint32_t i = 0; i != numSteps(); ++i) {
    for (uint32_t dep : step(i).deps)
      if (dep >= plan.steps.size() + first) {
        before[i].set(dep - plan.steps.size() - first);
        before[i] |= before[dep - plan.steps.size() - first];
      }
    EventId event = eventOf(i);
    steps[event.index].push_back(i);
    const ir::Operation &operation = layout.operation(event);
    for (ArrayRef<ir::Set> sets :
         {ArrayRef(operation.entry.sets), ArrayRef(operation.success.sets)})
      for (CellId cell : cellsOf(event, sets))
        writers[cell.index].push_back(i);
  }
  for (const auto &[read, value] : reads) {
    // What is unknown has a guard.
    if (!value)
      continue;
    for (uint32_t reader : steps.lookup(read.first))
      for (uint32_t writer : writers.lookup(read.second))
        if (writer != reader && !before[reader].test(writer) &&
            !before[writer].test(reader))
          contested.insert(read);
  }
  return contested.size() != known;
}

void FailureLowering::lowerOnce() {
  cells.begin(failed);
  running.clear();
  heldRules.clear();
  openRules.clear();
  pending.clear();
  reads.clear();
  EventId event{plan.steps.event(failed)};
  const ir::Operation &operation = layout.operation(event);
  change(cellsOf(event, operation.failure.sets), std::nullopt, [&] {
    apply(event, operation.failure.sets, std::nullopt, /*isInFlight=*/false);
    sendAll(event, operation.failure.triggers, std::nullopt);
    beginTasks();
  });
  uint32_t ended = 0;
  do {
    for (; ended != numSteps(); ++ended)
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
