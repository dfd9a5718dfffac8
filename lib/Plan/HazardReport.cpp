//===- HazardReport.cpp - Saying what other orders do ---------------------===//

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
  if (!exploration)
    exploration = explore(start, run);
  return exploration->isComplete ? &*exploration : nullptr;
}

bool HazardReport::isRace(EventId a, EventId b) {
  const Exploration *all = seen();
  if (!all)
    return true;
  return all->differs && all->endsBefore(a, b) && all->endsBefore(b, a);
}

std::string HazardReport::nameOf(StepId step) const {
  return run.system.layout.nameOf(run.event(step));
}

void HazardReport::race(EventId about, EventId first, EventId second,
                        CellId cell) {
  if (!isRace(first, second) || !isNew('r', first, second))
    return;
  const Layout &layout = run.system.layout;
  run.system.conditions.diags
      .report(rangeOf(about), diag::EventRace, layout.nameOf(first),
              layout.nameOf(second), layout.nameOf(about))
      .note(rangeOf(second), diag::RaceOverCell, layout.nameOf(cell));
}

void HazardReport::writeRace(const Write &first, const Write &second) {
  EventId a = run.event(first.step), b = run.event(second.step);
  if (!isRace(a, b) || !isNew('w', a, b))
    return;
  const Layout &layout = run.system.layout;
  run.system.conditions.diags
      .report(rangeOf(b), diag::EventRace, layout.nameOf(a), layout.nameOf(b),
              layout.nameOf(first.cell))
      .note(rangeOf(a), diag::RaceOfWrites, layout.nameOf(first.cell),
            toText(run.system.values[first.value]),
            toText(run.system.values[second.value]));
}

void HazardReport::twice(EventId event, StepId step, StepId sender) {
  const Exploration *all = seen();
  bool isFixed = all && all->fewest[event.index] == all->most[event.index];
  if (isFixed || !isNew('t', event, run.event(sender)))
    return;
  run.system.conditions.diags
      .report(rangeOf(event), diag::EventRace, nameOf(step), nameOf(sender),
              run.system.layout.nameOf(event))
      .note(rangeOf(run.event(sender)), diag::RaceAcceptedTwice,
            nameOf(sender));
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
  const Exploration *all = seen();
  bool isNever = all && all->most[event.index] == 0;
  if (isNever || !isNew('p', event, run.event(entry.step)))
    return;
  run.system.conditions.diags.report(
      rangeOf(event), diag::TransientPrecondition,
      run.system.layout.nameOf(event), nameOf(entry.step),
      run.system.layout.nameOf(entry.cell),
      toText(run.system.values[entry.value]));
}

void HazardReport::lost(StepId step, StepId missed, const Send *send) {
  EventId event = run.event(step);
  const Exploration *all = seen();
  bool isFixed = all && all->fewest[event.index] == all->most[event.index];
  if (isFixed || !isNew('l', event, run.event(missed)))
    return;
  auto &diags = run.system.conditions.diags;
  if (!send || send->isFromWorkflow()) {
    diags
        .report(rangeOf(run.event(step)), diag::LostTrigger, nameOf(step),
                nameOf(missed))
        .note(rangeOf(run.event(missed)), diag::LostFromWorkflow,
              nameOf(missed));
    return;
  }
  diags
      .report(rangeOf(run.event(step)), diag::LostTrigger, nameOf(step),
              nameOf(missed))
      .note(send->trigger->range, diag::LostSchedule, nameOf(send->sender),
            nameOf(missed));
}
