//===- Races.cpp - Orders that give another result ------------------------===//
///
/// \file
/// The rule "Races": (a) unordered writes of different values to a cell; (b) an
/// unordered write that makes false what an accepted event needs; (c) an
/// occasion that the symbolic run did not take although some order offers it;
/// (d) an operation that some order accepts twice. And "In flight": a step that
/// could be accepted on a value that another has written on entry.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

/// Compares a write with those before it, back to the first that surely comes
/// before: what is further back does so, too.
void toscac::plan::findWriteRaces(Order &order, HazardReport &report) {
  const History &history = order.run.history;
  for (uint32_t i = 0; i != history.writes.size(); ++i) {
    const Write &write = history.writes[i];
    if (!write.step)
      continue;
    for (WriteId at = write.previous; at;
         at = history.writes[at.index].previous) {
      const Write &before = history.writes[at.index];
      if (!before.step || order.isNotAfter(order.actOf(at), order.actOf({i})))
        break;
      if (before.value == write.value)
        continue;
      report.writeRace(before, write);
      break;
    }
  }
}

namespace {

class EventRaces {
public:
  EventRaces(Arrivals &arrivals, Order &order, EventId event,
             HazardReport &report)
      : arrivals(arrivals), order(order), run(arrivals.run), event(event),
        report(report), ways(arrivals.waysOf(event)),
        occasions(ways->occasions) {}

  void find();

private:
  void checkStep(StepId step);
  /// The first end of an interval that may come before \p step starts.
  std::optional<Interval> endsEarly(const Occasion &occasion, StepId step);
  void checkEarly(const Occasion &occasion, StepId step);
  void checkTwice(const Occasion &occasion, StepId step);
  bool isStartedBy(StepId step, StepId starter) const;
  void checkMissed(const Occasion &occasion);
  void checkRepeat(StepId first, StepId second);
  bool isWithin(StepId writer, const Occasion &occasion);
  Turn turnOf(WriteId write) const {
    return report.turnOf(run.history.writes[write.index].step);
  }

  Arrivals &arrivals;
  Order &order;
  Run &run;
  EventId event;
  HazardReport &report;
  std::shared_ptr<const Ways> ways;
  llvm::ArrayRef<Occasion> occasions;
};

} // namespace

void EventRaces::find() {
  if (!ways->areAll)
    return;
  llvm::ArrayRef<StepId> steps = arrivals.stepsOf(event);
  for (StepId step : steps)
    checkStep(step);
  for (size_t i = 1; i < steps.size(); ++i)
    checkRepeat(steps[i - 1], steps[i]);
  for (const Occasion &occasion : occasions) {
    bool isKnown = llvm::any_of(steps, [&](StepId step) {
      return arrivals.isTakenBy(occasion, step) ||
             isClosedBy(occasion, step, run);
    });
    if (!isKnown && isPossible(occasion, order))
      checkMissed(occasion);
  }
}

std::optional<Interval> EventRaces::endsEarly(const Occasion &occasion,
                                              StepId step) {
  for (const Interval &interval : occasion.intervals) {
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
  for (const Occasion &occasion : occasions) {
    bool isTaken = arrivals.isTakenBy(occasion, step);
    if ((isTaken || isClosedBy(occasion, step, run)) &&
        isPossible(occasion, order))
      checkEarly(occasion, step);
    if (!isTaken)
      continue;
    std::optional<Interval> early = endsEarly(occasion, step);
    isSafe |= !early;
    if (!endedEarly)
      endedEarly = early;
    checkTwice(occasion, step);
  }
  if (!isSafe && endedEarly)
    report.race(event, report.turnOf(step), turnOf(endedEarly->end),
                endedEarly->cell);
}

/// Whether \p writer has surely ended when \p occasion can be taken.
bool EventRaces::isWithin(StepId writer, const Occasion &occasion) {
  Act end{writer, true};
  for (const Interval &interval : occasion.intervals)
    if (interval.begin && order.isNotAfter(end, order.actOf(interval.begin)))
      return true;
  if (occasion.arrival->rule)
    return false;
  return llvm::all_of(occasion.arrival->sends, [&](SendId id) {
    return order.isNotAfterArrival(end, id) || !canArrive(id, occasion, order);
  });
}

void EventRaces::checkEarly(const Occasion &occasion, StepId step) {
  for (const Interval &interval : occasion.intervals) {
    if (!interval.begin)
      continue;
    const Write &entry = run.history.writes[interval.begin.index];
    if (entry.isOnEntry() && !isWithin(entry.step, occasion))
      report.early(step, entry);
  }
}

/// Whether the start of \p starter is what starts \p step, at the same moment.
bool EventRaces::isStartedBy(StepId step, StepId starter) const {
  while (step != starter) {
    bool hasRule = false;
    run.system.forEachRuleOf(run.event(step), [&](RuleId) { hasRule = true; });
    llvm::ArrayRef<SendId> sends = arrivals.sendsTo(run.event(step));
    if (hasRule || sends.size() != 1)
      return false;
    const Send &send = run.sends[sends.front().index];
    if (!send.onEntry || !send.sender)
      return false;
    step = send.sender;
  }
  return true;
}

/// Another event that arrives while the occasion lasts is accepted, too, once
/// the step has ended, and ignored before.
void EventRaces::checkTwice(const Occasion &occasion, StepId step) {
  if (isClosedBy(occasion, step, run))
    return;
  for (SendId id : occasion.arrival->sends) {
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
    if (!isLater && !isEarlier && !isDuring && canArrive(id, occasion, order))
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
  for (SendId send : arrivals.sendsTo(event))
    if (!run.sends[send.index].isFromWorkflow())
      causes.push_back(run.sends[send.index].sender);
  report.twice(first, second, causes);
}

/// Reports an occasion that the run did not take. The two acts whose order
/// decided are an interval's end and another's begin, or the event's arrival.
void EventRaces::checkMissed(const Occasion &occasion) {
  for (const Interval &interval : occasion.intervals) {
    if (!interval.begin || !interval.end)
      continue;
    const Write &begin = run.history.writes[interval.begin.index];
    if (begin.isOnEntry() &&
        begin.step == run.history.writes[interval.end.index].step)
      return report.transient(event, begin);
  }
  for (const Interval &a : occasion.intervals)
    for (const Interval &b : occasion.intervals)
      if (a.end && b.begin && a.end.index <= b.begin.index)
        return report.race(event, turnOf(a.end), turnOf(b.begin), b.cell);
  for (SendId id : occasion.arrival->sends) {
    const Send &send = run.sends[id.index];
    if (send.isFromWorkflow() || !canArrive(id, occasion, order))
      continue;
    for (const Interval &interval : occasion.intervals) {
      if (interval.begin && interval.begin.index >= send.moment.writes)
        return report.race(event, report.turnOf(send.sender),
                           turnOf(interval.begin), interval.cell);
      if (interval.end && interval.end.index < send.moment.writes)
        return report.race(event, report.turnOf(send.sender),
                           turnOf(interval.end), interval.cell);
    }
  }
  // Both were ready in the same act, and the other one was looked at first.
  for (const Interval &interval : occasion.intervals)
    if (interval.end)
      return report.race(event, {event}, turnOf(interval.end), interval.cell);
}

void toscac::plan::findEventRaces(Arrivals &arrivals, Order &order,
                                  EventId event, HazardReport &report) {
  EventRaces(arrivals, order, event, report).find();
}
