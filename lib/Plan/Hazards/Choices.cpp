//===- Choices.cpp - Edges that are one of several ------------------------===//
///
/// \file
/// A step whose own writes end the window in which it is accepted happens once,
/// however many windows and senders there are: in the first one. So an edge
/// proves an order only if no other window could come first without it;
/// otherwise it becomes a choice.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

bool toscac::plan::isClosedBy(const AcceptanceWindow &window, StepId step,
                              const SymbolicRun &run) {
  return llvm::any_of(window.intervals, [&](const Interval &interval) {
    return interval.end && run.history.writes[interval.end.index].step == step;
  });
}

/// Those of \p bounds whose stage is \p lowest or higher.
static llvm::ArrayRef<Bound> fromStage(llvm::ArrayRef<Bound> bounds,
                                       uint32_t lowest) {
  const Bound *first = llvm::partition_point(
      bounds, [&](const Bound &bound) { return bound.stage < lowest; });
  return bounds.drop_front(first - bounds.begin());
}

bool toscac::plan::canArrive(SendId id, const AcceptanceWindow &window,
                             Order &order) {
  const Send &send = order.run.sends[id.index];
  llvm::ArrayRef<Bound> begins = window.begins, ends = window.ends;
  // What is sent by the end of a step comes before what has a higher stage
  // only, and after what is at most one stage further on when it starts.
  if (send.sender && !send.onEntry) {
    uint32_t stage = order.run.steps.stage(send.sender);
    begins = fromStage(begins, stage + 1);
    ends = ends.drop_back(fromStage(ends, stage + 2).size());
  }
  return llvm::none_of(begins,
                       [&](const Bound &begin) {
                         return begin.step != send.sender &&
                                order.arrivesBefore(id,
                                                    order.actOf(begin.write));
                       }) &&
         llvm::none_of(ends, [&](const Bound &end) {
           return order.isNotAfterArrival(order.actOf(end.write), id);
         });
}

/// Whether one of the intervals ends before another can begin.
static bool excludeEachOther(const AcceptanceWindow &window, Order &order) {
  auto isOnEntry = [&](const Bound &bound) {
    return !order.actOf(bound.write).isEnd;
  };
  // What one step sends starts in the order in which it is sent, at any stage.
  bool haveAnyStage = llvm::any_of(window.begins, isOnEntry);
  for (const Bound &end : window.ends) {
    llvm::ArrayRef<Bound> begins = window.begins;
    if (!haveAnyStage)
      begins = fromStage(begins, end.stage);
    if (begins.empty())
      return false;
    Act act = order.actOf(end.write);
    if (llvm::any_of(begins, [&](const Bound &begin) {
          return order.isNotAfter(act, order.actOf(begin.write));
        }))
      return true;
  }
  return false;
}

bool toscac::plan::isPossible(const AcceptanceWindow &window, Order &order) {
  if (excludeEachOther(window, order))
    return false;
  if (window.delivery->rule)
    return true;
  return llvm::any_of(window.delivery->sends, [&](SendId send) {
    return canArrive(send, window, order);
  });
}

/// Steps that must be done for \p window to be taken.
static llvm::SmallDenseSet<uint32_t, 8> needsOf(const AcceptanceWindow &window,
                                                StepId step, Order &order) {
  llvm::SmallDenseSet<uint32_t, 8> needs;
  auto needStart = [&](StepId writer) {
    for (Dep dep : order.run.steps.deps(writer))
      needs.insert(dep.step().index);
  };
  for (const Interval &interval : window.intervals) {
    Act begin = order.actOf(interval.begin);
    if (begin.step && begin.isEnd)
      needs.insert(begin.step.index);
    else if (begin.step)
      needStart(begin.step);
  }
  // A task waits for the tasks before it, whatever else is sent.
  std::optional<SendId> cause = order.run.causes[step.index].send();
  if (cause && order.run.sends[cause->index].isTask) {
    if (StepId sender = order.run.sends[cause->index].sender)
      needs.insert(sender.index);
    return needs;
  }
  llvm::SmallVector<const Send *, 2> senders;
  for (SendId id : window.delivery->sends) {
    const Send &send = order.run.sends[id.index];
    bool comesLater = send.sender && order.isAtOrBefore(step, send.sender);
    if (!comesLater && canArrive(id, window, order))
      senders.push_back(&send);
  }
  // Where there are several senders, none of them is needed.
  if (senders.size() != 1 || !senders.front()->sender)
    return needs;
  if (!senders.front()->onEntry)
    needs.insert(senders.front()->sender.index);
  else
    needStart(senders.front()->sender);
  return needs;
}

static bool settle(Deliveries &deliveries, Order &order, EventId event) {
  SymbolicRun &run = deliveries.run;
  llvm::ArrayRef<StepId> steps = deliveries.stepsOf(event);
  if (steps.empty())
    return false;
  std::shared_ptr<const Ways> ways = deliveries.waysOf(event);
  if (!ways->areAll)
    return false;
  bool changed = false;
  StepId previous;
  for (StepId step : steps) {
    for (const AcceptanceWindow &window : ways->windows) {
      bool isAlternative =
          deliveries.isTakenBy(window, step) || isClosedBy(window, step, run);
      if (!isAlternative || !isPossible(window, order))
        continue;
      auto needs = needsOf(window, step, order);
      llvm::SmallVector<Dep, 8> deps(run.steps.deps(step));
      for (Dep dep : deps)
        if (!dep.isChoice() && dep.step() != previous &&
            !needs.contains(dep.step().index)) {
          run.steps.makeChoice(step, dep.step());
          changed = true;
        }
    }
    previous = step;
  }
  return changed;
}

bool toscac::plan::settleChoices(Deliveries &deliveries,
                                 llvm::ArrayRef<EventId> events) {
  Order order(deliveries.run);
  order.index();
  bool changed = false;
  for (EventId event : events)
    changed |= settle(deliveries, order, event);
  return changed;
}
