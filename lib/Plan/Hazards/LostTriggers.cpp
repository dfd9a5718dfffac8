//===- LostTriggers.cpp - Steps whose event cannot be lost ----------------===//
///
/// \file
/// The rule "Sure": a step is sure if it happens in every order. For that, each
/// step it needs is sure and, for each of these, a sure sender ends with it or
/// after it; what a level rule starts needs no sender. The least fixed point of
/// that: no step is sure by a cycle of steps that each rely on the next.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class SureSteps {
public:
  SureSteps(Deliveries &deliveries, Order &order)
      : deliveries(deliveries), order(order), run(deliveries.run),
        sure(run.steps.size()) {}

  void find();
  void report(HazardReport &report);

private:
  bool isSure(StepId step);
  /// Whether the sender of \p send, taken to be there, ends when \p needed is
  /// done.
  bool isAfter(const Send &send, StepId needed);
  /// Steps of which \p step needs only what they write when they start.
  llvm::DenseSet<uint32_t> neededOnEntry(StepId step);
  bool hasRule(StepId step);
  /// A step that \p step needs and that no sender of its event is known to end
  /// with or after; with \p onlySure, senders that may be lost themselves do
  /// not count.
  std::optional<StepId> missedBySenders(StepId step, bool onlySure);
  bool reportIfRoot(StepId step, HazardReport &report);

  Deliveries &deliveries;
  Order &order;
  SymbolicRun &run;
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

llvm::DenseSet<uint32_t> SureSteps::neededOnEntry(StepId step) {
  llvm::DenseSet<uint32_t> needed;
  std::shared_ptr<const Ways> ways = deliveries.waysOf(run.event(step));
  if (!ways->areAll)
    return needed;
  for (const AcceptanceWindow &window : ways->windows) {
    if (!deliveries.isTakenBy(window, step))
      continue;
    for (const Interval &interval : window.intervals)
      if (interval.begin) {
        const Write &begin = run.history.writes[interval.begin.index];
        if (begin.step && begin.isOnEntry())
          needed.insert(begin.step.index);
      }
  }
  return needed;
}

bool SureSteps::hasRule(StepId step) {
  if (run.causes[step.index].rule())
    return true;
  bool found = false;
  run.system.forEachRuleOf(run.event(step), [&](RuleId rule) {
    RulePlace at = run.system.place(rule);
    ir::EntityId sender = run.system.layout.entity(at.block->slot, at.row);
    found |=
        deliveries.truth(at.block->condition, sender, run.accepted[step.index])
            .stable == Truth::True;
  });
  return found;
}

/// Nothing, if for each step that is needed some sender ends with it or after
/// it. Where there is no sender at all, \p step itself is the answer.
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
  llvm::ArrayRef<SendId> sends = deliveries.sendsTo(run.event(step));
  // Where many need the step, each of them usually sends the event itself.
  llvm::SmallDenseSet<uint32_t, 4> senders, sendersThatCount;
  for (SendId id : sends)
    if (const Send &send = run.sends[id.index]; send.sender) {
      senders.insert(send.sender.index);
      if (!send.onEntry && counts(send))
        sendersThatCount.insert(send.sender.index);
    }
  std::optional<llvm::DenseSet<uint32_t>> onEntry;
  auto isAfterEntry = [&](SendId id, StepId needed) {
    if (!onEntry)
      onEntry = neededOnEntry(step);
    return onEntry->contains(needed.index) &&
           order.isNotAfterArrival({needed, false}, id);
  };
  bool needsNothing = true;
  for (Dep dep : run.steps.deps(step)) {
    if (dep.isChoice() && senders.contains(dep.step().index))
      continue;
    needsNothing = false;
    if (sendersThatCount.contains(dep.step().index))
      continue;
    if (llvm::none_of(sends, [&](SendId id) {
          const Send &send = run.sends[id.index];
          // What a task sends waits.
          return counts(send) && (send.isTask || isAfter(send, dep.step()) ||
                                  isAfterEntry(id, dep.step()));
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
  // Steps that only prove each other have no root.
  if (first && !found) {
    std::optional<StepId> missed = missedBySenders(first, /*onlySure=*/true);
    std::optional<SendId> cause = run.causes[first.index].send();
    report.lost(first, missed.value_or(first),
                cause ? &run.sends[cause->index] : nullptr);
  }
}

void toscac::plan::findLostTriggers(Deliveries &deliveries, Order &order,
                                    HazardReport &report) {
  if (deliveries.run.sends.empty())
    return;
  SureSteps steps(deliveries, order);
  steps.find();
  steps.report(report);
}
