//===- Choices.cpp - Edges that others would do for -----------------------===//
///
/// \file
/// A step that ends the occasion on which it is accepted happens once, however
/// many occasions and senders there are: the first one counts. So an edge is
/// certain only if no other occasion could have been the first without it.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

bool toscac::plan::isClosedBy(const Occasion &occasion, StepId step,
                              const Run &run) {
  return llvm::any_of(occasion.intervals, [&](const Interval &interval) {
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

bool toscac::plan::canArrive(SendId id, const Occasion &occasion,
                             Order &order) {
  const Send &send = order.run.sends[id.index];
  llvm::ArrayRef<Bound> begins = occasion.begins, ends = occasion.ends;
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
static bool excludeEachOther(const Occasion &occasion, Order &order) {
  auto isOnEntry = [&](const Bound &bound) {
    return !order.actOf(bound.write).isEnd;
  };
  // What one step sends starts in the order in which it is sent, at any stage.
  bool haveAnyStage = llvm::any_of(occasion.begins, isOnEntry);
  for (const Bound &end : occasion.ends) {
    llvm::ArrayRef<Bound> begins = occasion.begins;
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

bool toscac::plan::isPossible(const Occasion &occasion, Order &order) {
  if (excludeEachOther(occasion, order))
    return false;
  if (occasion.arrival->rule)
    return true;
  return llvm::any_of(occasion.arrival->sends, [&](SendId send) {
    return canArrive(send, occasion, order);
  });
}

/// Steps that must be done for \p occasion to be taken.
static llvm::SmallDenseSet<uint32_t, 8> needsOf(const Occasion &occasion,
                                                StepId step, Order &order) {
  llvm::SmallDenseSet<uint32_t, 8> needs;
  auto needStart = [&](StepId writer) {
    for (Dep dep : order.run.steps.deps(writer))
      needs.insert(dep.step().index);
  };
  for (const Interval &interval : occasion.intervals) {
    Act begin = order.actOf(interval.begin);
    if (begin.step && begin.isEnd)
      needs.insert(begin.step.index);
    else if (begin.step)
      needStart(begin.step);
  }
  // A task waits for what comes before it, whatever else is sent.
  std::optional<SendId> cause = order.run.causes[step.index].send();
  if (cause && order.run.sends[cause->index].isTask) {
    if (StepId sender = order.run.sends[cause->index].sender)
      needs.insert(sender.index);
    return needs;
  }
  llvm::SmallVector<const Send *, 2> senders;
  for (SendId id : occasion.arrival->sends) {
    const Send &send = order.run.sends[id.index];
    bool comesLater = send.sender && order.isAtOrBefore(step, send.sender);
    if (!comesLater && canArrive(id, occasion, order))
      senders.push_back(&send);
  }
  // Only one that cannot be replaced is needed.
  if (senders.size() != 1 || !senders.front()->sender)
    return needs;
  if (!senders.front()->onEntry)
    needs.insert(senders.front()->sender.index);
  else
    needStart(senders.front()->sender);
  return needs;
}

static bool settle(Arrivals &arrivals, Order &order, EventId event) {
  Run &run = arrivals.run;
  llvm::ArrayRef<StepId> steps = arrivals.stepsOf(event);
  if (steps.empty())
    return false;
  std::shared_ptr<const Ways> ways = arrivals.waysOf(event);
  if (!ways->areAll)
    return false;
  bool changed = false;
  StepId previous;
  for (StepId step : steps) {
    for (const Occasion &occasion : ways->occasions) {
      bool isAlternative =
          arrivals.isTakenBy(occasion, step) || isClosedBy(occasion, step, run);
      if (!isAlternative || !isPossible(occasion, order))
        continue;
      auto needs = needsOf(occasion, step, order);
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

bool toscac::plan::settleChoices(Arrivals &arrivals,
                                 llvm::ArrayRef<EventId> events) {
  Order order(arrivals.run);
  order.index();
  bool changed = false;
  for (EventId event : events)
    changed |= settle(arrivals, order, event);
  return changed;
}
