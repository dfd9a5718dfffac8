//===- FailureStepList.cpp - The failure steps of one failure -------------===//

#include "FailureStepList.h"

#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::StringRef;

/// Steps after one failure. A reaction that is longer is a workflow of its own,
/// and each failing step of a plan would repeat it.
static constexpr size_t maxSteps = 1000;

void FailureStepList::begin(StepId step) {
  failure = step;
  first = plan.failureSteps.size();
}

void FailureStepList::clear() {
  plan.failureSteps.erase(plan.failureSteps.begin() + first,
                          plan.failureSteps.end());
}

bool FailureStepList::isFull() {
  if (size() != maxSteps)
    return false;
  if (!wasCut)
    plan.system.conditions.diags.report(
        layout.operation({plan.steps.event(failure)}).range, diag::LongFailure,
        plan.nameOf(failure), unsigned(maxSteps));
  wasCut = true;
  return true;
}

bool FailureStepList::isLeftToPlan(EventId event, bool isAskedFor) const {
  return llvm::any_of(eventSteps.of(event), [&](StepId step) {
    if (step == failure)
      return false;
    if (step > failure)
      return !isAskedFor || !order.isBefore(failure, step);
    return !order.isBefore(step, failure);
  });
}

bool FailureStepList::isLate(ArrayRef<uint32_t> writers, Sender sender) {
  llvm::SmallVector<uint32_t, 2> open(writers);
  llvm::SmallDenseSet<uint32_t, 8> seen;
  if (!sender)
    return !open.empty();
  while (!open.empty()) {
    uint32_t at = open.pop_back_val();
    if (at == *sender || !seen.insert(at).second)
      continue;
    for (uint32_t dep : (*this)[at].deps) {
      std::optional<uint32_t> number = numberOf(dep);
      if (number == *sender)
        return true;
      if (number)
        open.push_back(*number);
    }
  }
  return false;
}

uint32_t FailureStepList::occurrenceOf(EventId event) {
  uint32_t count = 1;
  for (StepId other : eventSteps.of(event))
    count += other == failure || order.isBefore(other, failure);
  for (uint32_t i = 0; i != size(); ++i)
    count += (*this)[i].invocation.event == event;
  return count;
}

/// The guard of the step. Where the step itself writes what its guard reads,
/// the guard would be false afterwards; then it is that the cells have what the
/// step writes.
const Expr *FailureStepList::hasRun(const FailureStep &step) {
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
  ValueArena &arena = plan.system.conditions.arena;
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

//===----------------------------------------------------------------------===//
// What they wait for
//===----------------------------------------------------------------------===//

static bool writesAttribute(const ir::Operation &operation,
                            StringRef attribute) {
  auto fits = [&](const ir::OutputMapping &output) {
    return output.target.size() >= 2 && output.target[1].str() == attribute;
  };
  return llvm::any_of(operation.outputs, fits) ||
         llvm::any_of(operation.handlers, [&](const ir::Handler &handler) {
           return llvm::any_of(handler.outputs, fits);
         });
}

/// The first step of the plan that writes \p attribute and may still be running
/// when the failure step starts; none if it was written before the failure, or
/// only by steps that never start.
std::optional<uint32_t>
FailureStepList::openWriterOf(ir::EntityId entity, StringRef attribute) const {
  std::optional<uint32_t> found;
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    uint32_t row = layout.rowOf(slot, entity);
    for (auto [i, operation] :
         llvm::enumerate(layout.machine(slot).operations)) {
      if (!writesAttribute(operation, attribute))
        continue;
      for (StepId step : eventSteps.of(layout.event(slot, row, i))) {
        if (step == failure || order.isBefore(failure, step))
          continue;
        if (order.isBefore(step, failure))
          return std::nullopt;
        found = std::min(found.value_or(step.index), step.index);
      }
    }
  }
  return found;
}

/// Lets \p reader wait, for each attribute that its inputs read, for the last
/// failure step that writes it or else for a step of the plan that does.
void FailureStepList::addDataDeps(FailureStep &reader) {
  auto wait = [&](uint32_t entity, ArrayRef<Expr> path) {
    if (!path[0].isLiteral() || !path[0].value().isString())
      return;
    StringRef attribute = path[0].value().asString();
    for (uint32_t i = size(); i-- != 0;) {
      EventId event = (*this)[i].invocation.event;
      if (layout.entityOf(event).index == entity &&
          writesAttribute(layout.operation(event), attribute)) {
        reader.deps.push_back(plan.steps.size() + first + i);
        return;
      }
    }
    if (auto writer = openWriterOf({entity}, attribute))
      reader.deps.push_back(*writer);
  };
  ValueArena arena;
  for (const ir::Handler &handler :
       layout.operation(reader.invocation.event).handlers)
    for (const StepInput &input :
         inputsOf(plan.run, reader.invocation, handler, arena))
      forEachQuery(*input.value, Function::GetAttribute, wait);
}

/// A failure step waits for those that made its condition hold, for the one
/// that sent its event, for earlier ones of the same operation, and for those
/// that write what its inputs read.
void FailureStepList::addDeps(FailureStep &made, Sender sender,
                              const Answer &needs) {
  auto add = [&](uint32_t number) {
    made.deps.push_back(plan.steps.size() + first + number);
  };
  llvm::for_each(needs.writers, add);
  if (sender)
    add(*sender);
  for (uint32_t i = 0; i != size(); ++i)
    if ((*this)[i].invocation.event == made.invocation.event)
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

void FailureStepList::add(const Invocation &invocation, Sender sender,
                          const Answer &needs) {
  FailureStep made{invocation, failure};
  made.occurrence = occurrenceOf(invocation.event);
  addDeps(made, sender, needs);
  Guards guards = needs.guards;
  const Expr *inherited = sender ? hasRun((*this)[*sender]) : nullptr;
  if (inherited)
    addGuards(guards, inherited);
  if (!guards.empty())
    made.guard =
        combineGuards(guards, Function::And, plan.system.conditions.arena);
  plan.failureSteps.push_back(std::move(made));
}
