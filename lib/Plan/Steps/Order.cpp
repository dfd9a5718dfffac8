//===- Order.cpp - Acts and their order -----------------------------------===//

#include "Order.h"

using namespace toscac;
using namespace toscac::plan;

/// Events of one act that are compared one by one. An act that sends more (a
/// hub to its spokes) would make this quadratic; the answer is then "not known
/// to be first", which costs an edge, not correctness.
static constexpr uint32_t maxSendsLookedAt = 256;

Act Order::actOf(WriteId write) const {
  if (!write)
    return {};
  const Write &made = run.history.writes[write.index];
  return {made.step, !made.isOnEntry()};
}

/// A step starts as soon as what it waits for is done. So it has started when
/// \p b ends, if \p b itself waited for all of that.
bool Order::startsBeforeEnd(StepId a, StepId b) {
  if (a == b || isBefore(a, b))
    return true;
  if (isBefore(b, a))
    return false;
  return llvm::all_of(run.steps.deps(a), [&](Dep dep) {
    return dep.step() != b && isBefore(dep.step(), b);
  });
}

/// Both are events that one step sent: they arrive as written.
bool Order::isDeliveredFirst(StepId a, StepId b) const {
  std::optional<SendId> first = run.causes[a.index].send();
  std::optional<SendId> second = run.causes[b.index].send();
  if (!first || !second || first->index > second->index)
    return false;
  return run.sends[first->index].sender == run.sends[second->index].sender;
}

bool Order::startsBeforeStart(StepId a, StepId b) {
  if (isBefore(a, b) || isDeliveredFirst(a, b))
    return true;
  return llvm::any_of(run.steps.deps(b), [&](Dep dep) {
    return !dep.isChoice() && startsBeforeEnd(a, dep.step());
  });
}

bool Order::comesBefore(Act a, Act b) {
  if (!b.step)
    return false;
  if (!a.step)
    return true;
  if (a.step == b.step)
    return !a.isEnd && b.isEnd;
  if (a.isEnd)
    return isBefore(a.step, b.step);
  return b.isEnd ? startsBeforeEnd(a.step, b.step)
                 : startsBeforeStart(a.step, b.step);
}

bool Order::isNotAfter(Act a, Act b) {
  if (a.step == b.step && (!a.step || a.isEnd == b.isEnd))
    return true;
  return comesBefore(a, b);
}

/// Whether an earlier event of the same act starts \p a, which then waits for
/// nothing else.
bool Order::isStartedFirst(StepId a, SendId id) {
  const Send &send = run.sends[id.index];
  if (!send.sender)
    return false;
  auto isEarlier = [&](const Send &other) {
    return other.event == run.event(a) && other.sender == send.sender &&
           other.onEntry == send.onEntry && other.wasSent;
  };
  // What one act sends stands together.
  uint32_t first = id.index - std::min<uint32_t>(id.index, maxSendsLookedAt);
  if (llvm::none_of(llvm::ArrayRef(run.sends).slice(first, id.index - first),
                    isEarlier))
    return false;
  return llvm::all_of(run.steps.deps(a), [&](Dep dep) {
    return dep.isChoice() ||
           (send.onEntry ? isBefore(dep.step(), send.sender)
                         : isAtOrBefore(dep.step(), send.sender));
  });
}

bool Order::isNotAfterArrival(Act a, SendId send) {
  if (a.step && !a.isEnd && isStartedFirst(a.step, send))
    return true;
  return isNotAfter(a, arrivalOf(send));
}

bool Order::arrivesBefore(SendId send, Act b) {
  if (b.step && !b.isEnd && isStartedFirst(b.step, send))
    return false;
  return comesBefore(arrivalOf(send), b);
}
