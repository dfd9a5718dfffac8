//===- Sure.cpp - Steps whose event cannot be lost ------------------------===//
///
/// \file
/// The rule "Sure". A step is sure if every step it needs is sure and, for each
/// of these, a sure sender ends with it or after it; a step that a level rule
/// makes happen needs no sender. The least fixed point: steps cannot vouch for
/// each other, nor for what leads to them.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class SureSteps {
public:
  SureSteps(Arrivals &arrivals, Order &order)
      : arrivals(arrivals), order(order), run(arrivals.run),
        sure(run.steps.size()) {}

  void find();
  void report(HazardReport &report);

private:
  bool isSure(StepId step);
  /// Whether the sender of \p send, taken to be there, ends when \p needed is
  /// done.
  bool isAfter(const Send &send, StepId needed);
  /// Whether \p step needs only what \p needed writes when it starts, and
  /// \p send arrives later than that.
  bool isAfterEntry(StepId step, SendId send, StepId needed);
  bool hasRule(StepId step);
  /// A step that no sender is known to follow, if unsure senders counted.
  std::optional<StepId> missedBySenders(StepId step, bool onlySure);
  bool reportIfRoot(StepId step, HazardReport &report);

  Arrivals &arrivals;
  Order &order;
  Run &run;
  std::vector<bool> sure;
};

} // namespace

bool SureSteps::isAfter(const Send &send, StepId needed) {
  if (!send.sender)
    return false;
  if (send.onEntry)
    return order.isBefore(needed, send.sender);
  return order.isAtOrBefore(needed, send.sender);
}

bool SureSteps::isAfterEntry(StepId step, SendId send, StepId needed) {
  if (!order.isNotAfterArrival({needed, false}, send))
    return false;
  EventId event = run.event(step);
  std::shared_ptr<const Ways> ways = arrivals.waysOf(event);
  if (!ways->areAll)
    return false;
  auto needsEntry = [&](const Interval &interval) {
    if (!interval.begin)
      return false;
    const Write &begin = run.history.writes[interval.begin.index];
    return begin.step == needed && begin.isOnEntry();
  };
  return llvm::any_of(ways->occasions, [&](const Occasion &occasion) {
    return arrivals.isTakenBy(occasion, step) &&
           llvm::any_of(occasion.intervals, needsEntry);
  });
}

bool SureSteps::hasRule(StepId step) {
  if (run.causes[step.index].rule())
    return true;
  bool found = false;
  run.system.forEachRuleOf(run.event(step), [&](RuleId rule) {
    RulePlace at = run.system.place(rule);
    ir::EntityId sender = run.system.layout.entity(at.block->slot, at.row);
    found |=
        arrivals.truth(at.block->condition, sender, run.accepted[step.index])
            .stable == Truth::True;
  });
  return found;
}

/// Nothing: some sender serves each step that is needed. A step with no
/// sender at all is said to miss itself.
std::optional<StepId> SureSteps::missedBySenders(StepId step, bool onlySure) {
  auto counts = [&](const Send &send) {
    if (!send.wasSent)
      return false;
    if (!send.sender)
      return true;
    if (onlySure)
      return bool(sure[send.sender.index]);
    return !order.isAtOrBefore(step, send.sender);
  };
  llvm::ArrayRef<SendId> sends = arrivals.sendsTo(run.event(step));
  bool needsNothing = true;
  for (Dep dep : run.steps.deps(step)) {
    bool isSender = llvm::any_of(sends, [&](SendId id) {
      return run.sends[id.index].sender == dep.step();
    });
    if (dep.isChoice() && isSender)
      continue;
    needsNothing = false;
    if (llvm::none_of(sends, [&](SendId id) {
          const Send &send = run.sends[id.index];
          return counts(send) && (isAfter(send, dep.step()) ||
                                  isAfterEntry(step, id, dep.step()));
        }))
      return dep.step();
  }
  if (!needsNothing || llvm::any_of(sends, [&](SendId id) {
        return counts(run.sends[id.index]);
      }))
    return std::nullopt;
  return step;
}

bool SureSteps::isSure(StepId step) {
  for (Dep dep : run.steps.deps(step))
    if (!dep.isChoice() && !sure[dep.step().index])
      return false;
  return run.steps.isJoin(step) || hasRule(step) ||
         !missedBySenders(step, /*onlySure=*/true);
}

void SureSteps::find() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i != run.steps.size(); ++i)
      if (!sure[i] && isSure({i})) {
        sure[i] = true;
        changed = true;
      }
  }
}

/// Reports \p step unless it is only lost because another one is.
bool SureSteps::reportIfRoot(StepId step, HazardReport &report) {
  for (Dep dep : run.steps.deps(step))
    if (!dep.isChoice() && !sure[dep.step().index])
      return false;
  std::optional<StepId> missed = missedBySenders(step, /*onlySure=*/false);
  if (!missed)
    return false;
  // That an operation may still be in flight is a race, reported as such.
  if (*missed != step && run.event(*missed) == run.event(step))
    return true;
  std::optional<SendId> cause = run.causes[step.index].send();
  report.lost(step, *missed, cause ? &run.sends[cause->index] : nullptr);
  return true;
}

void SureSteps::report(HazardReport &report) {
  bool found = false;
  StepId first;
  for (uint32_t i = 0; i != run.steps.size(); ++i) {
    if (sure[i])
      continue;
    found |= reportIfRoot({i}, report);
    if (!first)
      first = {i};
  }
  // Steps that vouch for each other have no root.
  if (first && !found) {
    std::optional<StepId> missed = missedBySenders(first, /*onlySure=*/true);
    std::optional<SendId> cause = run.causes[first.index].send();
    report.lost(first, missed.value_or(first),
                cause ? &run.sends[cause->index] : nullptr);
  }
}

void toscac::plan::findLostTriggers(Arrivals &arrivals, Order &order,
                                    HazardReport &report) {
  if (arrivals.run.sends.empty())
    return;
  SureSteps steps(arrivals, order);
  steps.find();
  steps.report(report);
}
