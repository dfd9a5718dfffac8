//===- HazardReport.cpp - Saying what other orders do ---------------------===//

#include "HazardRules.h"
#include "Steps/LateLiterals.h"
#include "System/CellOutputs.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

/// Instances of the same classes have the same hazards; one is enough.
bool HazardReport::isNew(char rule, EventId a, EventId b) {
  const Layout &layout = run.system.layout;
  return reported[unsigned(rule)]
      .insert({&layout.operation(a), &layout.operation(b)})
      .second;
}

bool HazardReport::isNever(EventId event) {
  if (isRefuted())
    return deliveries.stepsOf(event).empty();
  const Interleavings *all = orders.seen();
  return all && all->most(event) == 0;
}

/// Whether no outcome of operations leads to both.
bool HazardReport::areExclusive(Occurrence a, Occurrence b) {
  llvm::ArrayRef<StepId> first = deliveries.stepsOf(a.event);
  llvm::ArrayRef<StepId> second = deliveries.stepsOf(b.event);
  return a.number <= first.size() && b.number <= second.size() &&
         plan::areExclusive(run, first[a.number - 1], second[b.number - 1]);
}

bool HazardReport::isRace(Occurrence a, Occurrence b) {
  if (isRefuted() || areExclusive(a, b))
    return false;
  const Interleavings *all = orders.seen();
  return !all ||
         (all->differs && all->endsBefore(a, b) && all->endsBefore(b, a));
}

Occurrence HazardReport::occurrenceOf(StepId step) const {
  EventId event = run.event(step);
  llvm::ArrayRef<StepId> steps = deliveries.stepsOf(event);
  return {event, uint32_t(llvm::find(steps, step) - steps.begin() + 1)};
}

std::string HazardReport::nameOf(Occurrence occurrence) const {
  std::string name = run.system.layout.nameOf(occurrence.event);
  if (occurrence.number > 1)
    name += "#" + std::to_string(occurrence.number);
  return name;
}

std::optional<Witness> HazardReport::witness(EventId about, Occurrence a,
                                             Occurrence b) {
  std::optional<Witness> found = orders.witness(a, b);
  if (!found)
    suspicions.push_back({about, nameOf(a), nameOf(b)});
  return found;
}

StepId HazardReport::stepOf(Occurrence occurrence) const {
  llvm::ArrayRef<StepId> steps = deliveries.stepsOf(occurrence.event);
  return occurrence.number <= steps.size() ? steps[occurrence.number - 1]
                                           : StepId();
}

/// Steps that the two wait for, and the two; what ends after both is left out,
/// since by then it is decided.
std::string HazardReport::describe(const Witness &witness, Occurrence a,
                                   Occurrence b) const {
  llvm::DenseSet<uint32_t> known;
  std::vector<StepId> needed;
  auto need = [&](StepId step) {
    if (step && known.insert(step.index).second)
      needed.push_back(step);
  };
  need(stepOf(a));
  need(stepOf(b));
  for (size_t i = 0; i != needed.size(); ++i)
    for (Dep dep : run.steps.deps(needed[i]))
      need(dep.step());
  std::vector<Occurrence> order;
  size_t decided = 0;
  for (Occurrence occurrence : witness.ends) {
    bool isOneOfThem = occurrence == a || occurrence == b;
    StepId step = stepOf(occurrence);
    if (isOneOfThem || !step || known.contains(step.index))
      order.push_back(occurrence);
    if (isOneOfThem)
      decided = order.size();
  }
  if (decided != 0)
    order.resize(decided);
  if (order.empty())
    return witness.difference;
  return describe(order, "ends") + "; then " + witness.difference;
}

void HazardReport::race(EventId about, Occurrence first, Occurrence second,
                        CellId cell) {
  if (!isRace(first, second) || isNever(about) ||
      !isNew('r', first.event, second.event))
    return;
  std::optional<Witness> order = witness(about, first, second);
  if (!order)
    return;
  const Layout &layout = run.system.layout;
  report(about, first, second, layout.nameOf(about), *order)
      .note(rangeOf(second.event), diag::RaceOverCell, layout.nameOf(cell));
}

void HazardReport::writeRace(const Write &first, const Write &second) {
  Occurrence a = occurrenceOf(first.step), b = occurrenceOf(second.step);
  if (!isRace(a, b) || !isNew('w', a.event, b.event))
    return;
  std::optional<Witness> order = witness(b.event, a, b);
  if (!order)
    return;
  const Layout &layout = run.system.layout;
  report(b.event, a, b, layout.nameOf(first.cell), *order)
      .note(rangeOf(a.event), diag::RaceOfWrites, layout.nameOf(first.cell),
            toText(run.system.values[first.value]),
            toText(run.system.values[second.value]));
}

DiagnosticEngine::Builder HazardReport::report(EventId where, Occurrence first,
                                               Occurrence second,
                                               std::string about,
                                               const Witness &order) {
  hasWarned = true;
  auto builder = run.system.conditions.diags.report(
      rangeOf(where), diag::EventRace, nameOf(first), nameOf(second), about);
  builder.note(rangeOf(where), diag::RaceSchedule,
               describe(order, first, second));
  tell(order);
  return builder;
}

/// Lets those who want to follow it step through \p order, which was warned of
/// last.
void HazardReport::tell(const Witness &order) {
  if (!order.story)
    return;
  run.system.stories->push_back(*order.story);
  run.system.stories->back().claim =
      run.system.conditions.diags.all().back().message;
}

void HazardReport::twice(StepId first, StepId second,
                         llvm::ArrayRef<StepId> causes) {
  EventId event = run.event(first);
  if (isRefuted())
    return;
  const Interleavings *all = orders.seen();
  if (all && all->fewest(event) == all->most(event))
    return;
  for (StepId step : {first, second})
    for (StepId cause : causes) {
      EventId other = run.event(cause);
      if (other == event || !isRace(occurrenceOf(step), occurrenceOf(cause)))
        continue;
      if (!isNew('t', event, other))
        return;
      if (auto order = witness(event, occurrenceOf(step), occurrenceOf(cause)))
        report(event, occurrenceOf(step), occurrenceOf(cause),
               run.system.layout.nameOf(event), *order)
            .note(rangeOf(other), diag::RaceAcceptedTwice, nameOf(cause));
      return;
    }
}

void HazardReport::early(StepId step, const Write &entry) {
  EventId event = run.event(step), writer = run.event(entry.step);
  const Interleavings *all = orders.seen();
  if ((all && !all->startsDuring(event, writer)) || !isNew('e', event, writer))
    return;
  run.system.conditions.diags.report(rangeOf(run.event(step)), diag::EarlyEvent,
                                     nameOf(step), nameOf(entry.step),
                                     run.system.layout.nameOf(entry.cell),
                                     toText(run.system.values[entry.value]));
}

void HazardReport::transient(EventId event, const Write &entry) {
  if (isRefuted() || isNever(event) ||
      !isNew('p', event, run.event(entry.step)))
    return;
  run.system.conditions.diags.report(
      rangeOf(event), diag::TransientPrecondition,
      run.system.layout.nameOf(event), nameOf(entry.step),
      run.system.layout.nameOf(entry.cell),
      toText(run.system.values[entry.value]));
}

/// What its sender waits for, and the sender; only then comes what the event
/// needs. Where choices are involved, there may be another way to the sender.
std::vector<Occurrence> HazardReport::orderThatLoses(StepId step, StepId missed,
                                                     const Send &send) {
  std::vector<StepId> needed{send.sender};
  llvm::DenseSet<uint32_t> known;
  bool isCertain = true;
  for (size_t i = 0; i != needed.size(); ++i)
    for (Dep dep : run.steps.deps(needed[i])) {
      isCertain &= !dep.isChoice() && dep.step() != missed;
      if (known.insert(dep.step().index).second)
        needed.push_back(dep.step());
    }
  EventId event = run.event(step);
  if (const Interleavings *all = isCertain ? nullptr : orders.seen())
    return all->orderThatLoses(event, run.event(missed), [&](EventId sender) {
      return sends(sender, event);
    });
  llvm::sort(needed);
  std::vector<Occurrence> occurrences;
  for (StepId at : needed)
    if (!run.steps.isJoin(at))
      occurrences.push_back(occurrenceOf(at));
  return occurrences;
}

bool HazardReport::sends(EventId sender, EventId event) {
  const ir::Operation &operation = run.system.layout.operation(sender);
  bool found = false;
  for (const ir::Trigger &trigger : operation.success.triggers)
    run.system.forEachReceiver(
        run.system.layout.entityOf(sender), trigger,
        [&](EventId receiver) { found |= receiver == event; });
  return found;
}

/// `'a' ends, 'b' ends`; the last one \p verb.
std::string HazardReport::describe(llvm::ArrayRef<Occurrence> order,
                                   llvm::StringRef verb) const {
  // A longer list hides the two that matter, which are the last.
  static constexpr size_t most = 12;
  std::string text = order.size() > most ? "…, " : "";
  order = order.take_back(most);
  for (Occurrence occurrence : order.drop_back())
    text += "'" + nameOf(occurrence) + "' ends, ";
  return text + "'" + nameOf(order.back()) + "' " + verb.str();
}

void HazardReport::lost(StepId step, StepId missed, const Send *send) {
  if (isRefuted())
    return;
  EventId event = run.event(step);
  const Interleavings *all = orders.seen();
  bool isTaken = all && all->fewest(event) >= all->planned(event);
  if (isTaken || !isNew('l', event, run.event(missed)))
    return;
  std::optional<Witness> loss =
      witness(event, occurrenceOf(missed), occurrenceOf(step));
  if (!loss)
    return;
  hasWarned = true;
  auto &diags = run.system.conditions.diags;
  auto builder = diags.report(rangeOf(event), diag::LostTrigger, nameOf(step),
                              nameOf(missed));
  tell(*loss);
  if (!send || send->isFromWorkflow()) {
    builder.note(rangeOf(run.event(missed)), diag::LostFromWorkflow,
                 nameOf(missed));
    return;
  }
  std::vector<Occurrence> order = orderThatLoses(step, missed, *send);
  if (!order.empty())
    builder.note(send->trigger->range, diag::LostSchedule,
                 describe(order, send->onEntry ? "starts" : "ends"),
                 nameOf(missed));
}

void HazardReport::sentTwice(const Send &send) {
  EventId sender = run.event(send.sender);
  if (!isNew('s', sender, send.event))
    return;
  const Layout &layout = run.system.layout;
  run.system.conditions.diags.report(
      send.trigger->range, diag::SentTwice, layout.nameOf(sender),
      layout.nameOf(send.event), send.onEntry ? "entry" : "end");
}
