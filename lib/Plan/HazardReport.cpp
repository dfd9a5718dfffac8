//===- HazardReport.cpp - Saying what other orders do ---------------------===//

#include "CellOutputs.h"
#include "HazardRules.h"
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

const Exploration *HazardReport::seen() {
  // Exploring knows one outcome of each operation.
  if (run.system.hasLateCells)
    return nullptr;
  if (!exploration)
    exploration = explore(start, run);
  return exploration->isComplete ? &*exploration : nullptr;
}

/// Whether no outcome of operations leads to both.
bool HazardReport::areExclusive(Turn a, Turn b) {
  llvm::ArrayRef<StepId> first = arrivals.stepsOf(a.event);
  llvm::ArrayRef<StepId> second = arrivals.stepsOf(b.event);
  return a.number <= first.size() && b.number <= second.size() &&
         plan::areExclusive(run, first[a.number - 1], second[b.number - 1]);
}

bool HazardReport::isRace(Turn a, Turn b) {
  if (areExclusive(a, b))
    return false;
  const Exploration *all = seen();
  if (!all)
    return true;
  return all->differs && all->endsBefore(a, b) && all->endsBefore(b, a);
}

Turn HazardReport::turnOf(StepId step) const {
  EventId event = run.event(step);
  llvm::ArrayRef<StepId> steps = arrivals.stepsOf(event);
  return {event, uint32_t(llvm::find(steps, step) - steps.begin() + 1)};
}

std::string HazardReport::nameOf(Turn turn) const {
  std::string name = run.system.layout.nameOf(turn.event);
  if (turn.number > 1)
    name += "#" + std::to_string(turn.number);
  return name;
}

void HazardReport::race(EventId about, Turn first, Turn second, CellId cell) {
  if (isNever(about) || !isRace(first, second) ||
      !isNew('r', first.event, second.event))
    return;
  const Layout &layout = run.system.layout;
  run.system.conditions.diags
      .report(rangeOf(about), diag::EventRace, nameOf(first), nameOf(second),
              layout.nameOf(about))
      .note(rangeOf(second.event), diag::RaceOverCell, layout.nameOf(cell));
}

void HazardReport::writeRace(const Write &first, const Write &second) {
  Turn a = turnOf(first.step), b = turnOf(second.step);
  if (!isRace(a, b) || !isNew('w', a.event, b.event))
    return;
  const Layout &layout = run.system.layout;
  run.system.conditions.diags
      .report(rangeOf(b.event), diag::EventRace, nameOf(a), nameOf(b),
              layout.nameOf(first.cell))
      .note(rangeOf(a.event), diag::RaceOfWrites, layout.nameOf(first.cell),
            toText(run.system.values[first.value]),
            toText(run.system.values[second.value]));
}

void HazardReport::twice(StepId first, StepId second,
                         llvm::ArrayRef<StepId> causes) {
  EventId event = run.event(first);
  const Exploration *all = seen();
  if (all && all->fewest[event.index] == all->most[event.index])
    return;
  for (StepId step : {first, second})
    for (StepId cause : causes) {
      EventId other = run.event(cause);
      if (other == event || !isRace(turnOf(step), turnOf(cause)))
        continue;
      if (isNew('t', event, other))
        run.system.conditions.diags
            .report(rangeOf(event), diag::EventRace, nameOf(step),
                    nameOf(cause), run.system.layout.nameOf(event))
            .note(rangeOf(other), diag::RaceAcceptedTwice, nameOf(cause));
      return;
    }
}

void HazardReport::early(StepId step, const Write &entry) {
  EventId event = run.event(step), writer = run.event(entry.step);
  const Exploration *all = seen();
  if ((all && !all->startsDuring(event, writer)) || !isNew('e', event, writer))
    return;
  run.system.conditions.diags.report(rangeOf(run.event(step)), diag::EarlyEvent,
                                     nameOf(step), nameOf(entry.step),
                                     run.system.layout.nameOf(entry.cell),
                                     toText(run.system.values[entry.value]));
}

void HazardReport::transient(EventId event, const Write &entry) {
  if (isNever(event) || !isNew('p', event, run.event(entry.step)))
    return;
  run.system.conditions.diags.report(
      rangeOf(event), diag::TransientPrecondition,
      run.system.layout.nameOf(event), nameOf(entry.step),
      run.system.layout.nameOf(entry.cell),
      toText(run.system.values[entry.value]));
}

/// What its sender waits for, and the sender; only then comes what the event
/// needs. Where choices are involved, there may be another way to the sender.
std::vector<Turn> HazardReport::orderThatLoses(StepId step, StepId missed,
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
  if (const Exploration *all = isCertain ? nullptr : seen())
    return all->orderThatLoses(event, run.event(missed), [&](EventId sender) {
      return sends(sender, event);
    });
  llvm::sort(needed);
  std::vector<Turn> turns;
  for (StepId at : needed)
    if (!run.steps.isJoin(at))
      turns.push_back(turnOf(at));
  return turns;
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
std::string HazardReport::describe(llvm::ArrayRef<Turn> order,
                                   llvm::StringRef verb) const {
  static constexpr size_t most = 12;
  std::string text = order.size() > most ? "…, " : "";
  order = order.take_back(most);
  for (Turn turn : order.drop_back())
    text += "'" + nameOf(turn) + "' ends, ";
  return text + "'" + nameOf(order.back()) + "' " + verb.str();
}

void HazardReport::lost(StepId step, StepId missed, const Send *send) {
  EventId event = run.event(step);
  const Exploration *all = seen();
  bool isTaken = all && all->fewest[event.index] >= all->planned[event.index];
  if (isTaken || !isNew('l', event, run.event(missed)))
    return;
  auto &diags = run.system.conditions.diags;
  auto builder = diags.report(rangeOf(event), diag::LostTrigger, nameOf(step),
                              nameOf(missed));
  if (!send || send->isFromWorkflow()) {
    builder.note(rangeOf(run.event(missed)), diag::LostFromWorkflow,
                 nameOf(missed));
    return;
  }
  std::vector<Turn> order = orderThatLoses(step, missed, *send);
  if (!order.empty())
    builder.note(send->trigger->range, diag::LostSchedule,
                 describe(order, send->onEntry ? "starts" : "ends"),
                 nameOf(missed));
}
