//===- Races.cpp - Orders that give another result ------------------------===//
///
/// \file
/// The rule "Races": (a) unordered writes of different values to a cell; (b) an
/// unordered write that makes false what an accepted event needs; (c) an
/// window that the symbolic run did not take although some order offers it;
/// (d) an operation that some order accepts twice. And "In flight": a step that
/// could be accepted on a value that another has written on entry.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

/// Compares a write with those before it, back to the first that surely comes
/// before: what is further back does so, too.
std::vector<EventId> toscac::plan::findWriteRaces(Order &order,
                                                  HazardReport &report) {
  const History &history = order.run.history;
  std::vector<EventId> unordered;
  for (uint32_t i = 0; i != history.writes.size(); ++i) {
    const Write &write = history.writes[i];
    if (!write.step)
      continue;
    for (WriteId at = write.previous; at;
         at = history.writes[at.index].previous) {
      const Write &before = history.writes[at.index];
      if (!before.step || order.isNotAfter(order.actOf(at), order.actOf({i})))
        break;
      unordered.push_back(order.run.event(write.step));
      if (before.value == write.value)
        continue;
      report.writeRace(before, write);
      break;
    }
  }
  return unordered;
}

namespace {

class EventRaces {
public:
  EventRaces(Deliveries &deliveries, Order &order, EventId event,
             HazardReport &report)
      : deliveries(deliveries), order(order), run(deliveries.run), event(event),
        report(report), ways(deliveries.waysOf(event)), windows(ways->windows) {
  }

  void find();

private:
  void checkStep(StepId step);
  /// The first end of an interval that may come before \p step starts.
  std::optional<Interval> endsEarly(const AcceptanceWindow &window,
                                    StepId step);
  void checkEarly(const AcceptanceWindow &window, StepId step);
  void checkTwice(const AcceptanceWindow &window, StepId step);
  bool isStartedBy(StepId step, StepId starter) const;
  WriteId inFlightDuring(const Interval &interval) const;
  void checkMissed(const AcceptanceWindow &window);
  void checkRepeat(StepId first, StepId second);
  bool isWithin(StepId writer, const AcceptanceWindow &window);
  Occurrence occurrenceOf(WriteId write) const {
    return report.occurrenceOf(run.history.writes[write.index].step);
  }

  Deliveries &deliveries;
  Order &order;
  SymbolicRun &run;
  EventId event;
  HazardReport &report;
  std::shared_ptr<const Ways> ways;
  llvm::ArrayRef<AcceptanceWindow> windows;
};

} // namespace

void EventRaces::find() {
  if (!ways->areAll)
    return;
  llvm::ArrayRef<StepId> steps = deliveries.stepsOf(event);
  for (StepId step : steps)
    checkStep(step);
  for (size_t i = 1; i < steps.size(); ++i)
    checkRepeat(steps[i - 1], steps[i]);
  for (const AcceptanceWindow &window : windows) {
    bool isKnown = llvm::any_of(steps, [&](StepId step) {
      return deliveries.isTakenBy(window, step) ||
             isClosedBy(window, step, run);
    });
    if (!isKnown && isPossible(window, order))
      checkMissed(window);
  }
}

std::optional<Interval> EventRaces::endsEarly(const AcceptanceWindow &window,
                                              StepId step) {
  for (const Interval &interval : window.intervals) {
    if (!interval.end)
      continue;
    Act end = order.actOf(interval.end);
    if (end.step != step && !order.comesBefore({step, false}, end))
      return interval;
  }
  return std::nullopt;
}

void EventRaces::checkStep(StepId step) {
  std::optional<Interval> endedEarly;
  bool isSafe = false;
  for (const AcceptanceWindow &window : windows) {
    bool isTaken = deliveries.isTakenBy(window, step);
    if ((isTaken || isClosedBy(window, step, run)) && isPossible(window, order))
      checkEarly(window, step);
    if (!isTaken)
      continue;
    std::optional<Interval> early = endsEarly(window, step);
    isSafe |= !early;
    if (!endedEarly)
      endedEarly = early;
    checkTwice(window, step);
  }
  if (!isSafe && endedEarly)
    report.race(event, report.occurrenceOf(step), occurrenceOf(endedEarly->end),
                endedEarly->cell);
}

/// Whether \p writer has surely ended when \p window can be taken.
bool EventRaces::isWithin(StepId writer, const AcceptanceWindow &window) {
  Act end{writer, true};
  for (const Interval &interval : window.intervals)
    if (interval.begin && order.isNotAfter(end, order.actOf(interval.begin)))
      return true;
  if (window.delivery->rule)
    return false;
  return llvm::all_of(window.delivery->sends, [&](SendId id) {
    return order.isNotAfterArrival(end, id) || !canArrive(id, window, order);
  });
}

void EventRaces::checkEarly(const AcceptanceWindow &window, StepId step) {
  for (const Interval &interval : window.intervals) {
    if (!interval.begin)
      continue;
    const Write &entry = run.history.writes[interval.begin.index];
    if (entry.isOnEntry() && !isWithin(entry.step, window))
      report.early(step, entry);
  }
}

/// Whether the start of \p starter is what starts \p step, at the same moment.
bool EventRaces::isStartedBy(StepId step, StepId starter) const {
  while (step != starter) {
    bool hasRule = false;
    run.system.forEachRuleOf(run.event(step), [&](RuleId) { hasRule = true; });
    llvm::ArrayRef<SendId> sends = deliveries.sendsTo(run.event(step));
    if (hasRule || sends.size() != 1)
      return false;
    const Send &send = run.sends[sends.front().index];
    if (!send.onEntry || !send.sender)
      return false;
    step = send.sender;
  }
  return true;
}

/// Another event that arrives while the window lasts is accepted, too, once
/// the step has ended, and ignored before.
void EventRaces::checkTwice(const AcceptanceWindow &window, StepId step) {
  if (isClosedBy(window, step, run))
    return;
  for (SendId id : window.delivery->sends) {
    const Send &send = run.sends[id.index];
    std::optional<SendId> cause = run.causes[step.index].send();
    if ((cause && cause->index == id.index) || send.isFromWorkflow())
      continue;
    bool isLater = order.isAtOrBefore(step, send.sender);
    bool isEarlier =
        order.comesBefore({send.sender, !send.onEntry}, {step, false});
    bool isDuring = send.onEntry &&
                    (isStartedBy(send.sender, step) ||
                     order.isNotAfterArrival({step, false}, id)) &&
                    order.comesBefore({send.sender, false}, {step, true});
    if (!isLater && !isEarlier && !isDuring && canArrive(id, window, order))
      report.twice(step, step, send.sender);
  }
}

/// Two steps of one operation come one after the other if what leads to the
/// second comes after the end of the first. A rule also waits for that end, if
/// the first has surely started before.
void EventRaces::checkRepeat(StepId first, StepId second) {
  bool byRule = run.causes[second.index].rule().has_value();
  // What a task sends waits until it can be accepted.
  std::optional<SendId> again = run.causes[second.index].send();
  if (again && run.sends[again->index].isTask)
    return;
  for (Dep dep : run.steps.deps(second)) {
    if (dep.step() == first || dep.isChoice())
      continue;
    if (order.isAtOrBefore(first, dep.step()) ||
        (byRule && order.comesBefore({first, false}, {dep.step(), true})))
      return;
  }
  // Whoever leads to the second, or to the first, may come before or after the
  // end of the other.
  llvm::SmallVector<StepId, 8> causes;
  for (StepId step : {second, first}) {
    std::optional<SendId> cause = run.causes[step.index].send();
    if (cause && !run.sends[cause->index].isFromWorkflow())
      causes.push_back(run.sends[cause->index].sender);
    for (Dep dep : run.steps.deps(step))
      if (dep.step() != first && !run.steps.isJoin(dep.step()))
        causes.push_back(dep.step());
  }
  for (SendId send : deliveries.sendsTo(event))
    if (!run.sends[send.index].isFromWorkflow())
      causes.push_back(run.sends[send.index].sender);
  report.twice(first, second, causes);
}

/// The last write of \p interval if, while it lasts, a step that wrote the cell
/// on entry is in flight: one, or one that starts what comes next by its end.
WriteId EventRaces::inFlightDuring(const Interval &interval) const {
  if (!interval.begin || !interval.end)
    return {};
  const History &history = run.history;
  StepId next = history.writes[interval.end.index].step;
  WriteId last;
  for (WriteId at = history.writes[interval.end.index].previous;;) {
    const Write &write = history.writes[at.index];
    if (write.isOnEntry()) {
      if (write.step != next)
        return {};
      last = last ? last : at;
    } else {
      std::optional<SendId> cause = run.causes[next.index].send();
      if (!cause || run.sends[cause->index].sender != write.step ||
          run.sends[cause->index].onEntry)
        return {};
      next = write.step;
    }
    if (at.index == interval.begin.index)
      return write.isOnEntry() ? last : WriteId();
    at = write.previous;
  }
}

/// Reports a window that the run did not take. The two acts whose order
/// decided are an interval's end and another's begin, or the event's arrival.
void EventRaces::checkMissed(const AcceptanceWindow &window) {
  for (const Interval &interval : window.intervals)
    if (WriteId entry = inFlightDuring(interval))
      return report.transient(event, run.history.writes[entry.index]);
  for (const Interval &a : window.intervals)
    for (const Interval &b : window.intervals)
      if (a.end && b.begin && a.end.index <= b.begin.index)
        return report.race(event, occurrenceOf(a.end), occurrenceOf(b.begin),
                           b.cell);
  for (SendId id : window.delivery->sends) {
    const Send &send = run.sends[id.index];
    if (send.isFromWorkflow() || !canArrive(id, window, order))
      continue;
    for (const Interval &interval : window.intervals) {
      if (interval.begin && interval.begin.index >= send.moment.writes)
        return report.race(event, report.occurrenceOf(send.sender),
                           occurrenceOf(interval.begin), interval.cell);
      if (interval.end && interval.end.index < send.moment.writes)
        return report.race(event, report.occurrenceOf(send.sender),
                           occurrenceOf(interval.end), interval.cell);
    }
  }
  // Both were ready in the same act, and the other one was looked at first.
  for (const Interval &interval : window.intervals)
    if (interval.end)
      return report.race(event, {event}, occurrenceOf(interval.end),
                         interval.cell);
}

void toscac::plan::findEventRaces(Deliveries &deliveries, Order &order,
                                  EventId event, HazardReport &report) {
  EventRaces(deliveries, order, event, report).find();
}
