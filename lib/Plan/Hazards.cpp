//===- Hazards.cpp - Orders that the symbolic run did not see -------------===//
///
/// \file
/// First it is settled which edges are choices: they prove no order, which may
/// make further edges choices. Then the rules of DESIGN 6.2 are checked, one
/// file each.
///
//===----------------------------------------------------------------------===//

#include "Hazards.h"

#include "AlikeRows.h"
#include "HazardRules.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

/// Finds events that need care.
class CarefulEvents {
public:
  explicit CarefulEvents(Arrivals &arrivals)
      : arrivals(arrivals), system(arrivals.run.system), layout(system.layout),
        alike(arrivals.run.system, arrivals.run.history), reached(layout) {
    for (const Write &write : arrivals.run.history.writes)
      reached.add(layout.entityOf(write.cell));
    for (const Send &send : arrivals.run.sends)
      reached.add(layout.entityOf(send.event));
  }

  std::vector<EventId> find();

private:
  void addRows(SlotId slot, RowRange range);
  void add(SlotId slot, uint32_t row, uint32_t operation) {
    EventId event = layout.event(slot, row, operation);
    if (arrivals.needsCare(event))
      result.push_back(event);
  }
  /// Whether no order accepts it in rows that nothing reaches.
  bool isRuledOut(SlotId slot, RowRange range, uint32_t operation) const;

  Arrivals &arrivals;
  const EventSystem &system;
  const Layout &layout;
  const AlikeRows alike;
  /// Entities with cells that are written to, or to which events are sent.
  WrittenEntities reached;
  std::vector<EventId> result;
};

} // namespace

bool CarefulEvents::isRuledOut(SlotId slot, RowRange range,
                               uint32_t operation) const {
  if (alike.isFalse(system.program(slot).preconditions[operation], slot, range))
    return true;
  return !system.hasForeignRules() &&
         llvm::all_of(system.ownRulesOf(slot, operation), [&](uint32_t rule) {
           return alike.isFalse(system.rules[rule].condition, slot, range);
         });
}

void CarefulEvents::addRows(SlotId slot, RowRange range) {
  uint32_t operations = layout.slots[slot.index].eventsPerRow;
  llvm::SmallVector<uint32_t> open;
  for (uint32_t i = 0; i != operations; ++i)
    if (!isRuledOut(slot, range, i))
      open.push_back(i);
  auto addAll = [&](uint32_t row) {
    for (uint32_t i = 0; i != operations; ++i)
      add(slot, row, i);
  };
  if (open.empty())
    return reached.forEachRow(slot, range, addAll);
  for (uint32_t row = range.first; row != range.end; ++row) {
    if (reached.contains(layout.entity(slot, row))) {
      addAll(row);
      continue;
    }
    for (uint32_t i : open)
      add(slot, row, i);
  }
}

std::vector<EventId> CarefulEvents::find() {
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (RowRange range : alike.of({i}))
      addRows({i}, range);
  return std::move(result);
}

namespace {

/// Of the events that need care, finds those that come the same way in every
/// order after all: on no other occasion than the one that was taken, because a
/// rule asks for it, or because whatever makes its precondition true, or
/// somebody who comes later, sends it. Nobody vouches for himself: senders are
/// settled before what they send.
class Unsettled {
public:
  Unsettled(Arrivals &arrivals, Order &order)
      : arrivals(arrivals), order(order), run(arrivals.run) {}

  /// Leaves in \p events what is not settled.
  void find(std::vector<EventId> &events);

private:
  bool isSettled(EventId event);
  bool areSent(const Occasion &occasion, StepId step);
  /// The only occasion that some order offers; null if there are others, or
  /// one that begins while an operation runs.
  const Occasion *onlyOccasion(const Ways &ways, size_t &possible);
  bool isOnEntry(WriteId write) const {
    return write && run.history.writes[write.index].isOnEntry();
  }

  Arrivals &arrivals;
  Order &order;
  const Run &run;
  llvm::DenseSet<uint32_t> unsettled;
};

} // namespace

const Occasion *Unsettled::onlyOccasion(const Ways &ways, size_t &possible) {
  const Occasion *only = nullptr;
  for (const Occasion &occasion : ways.occasions) {
    if (!isPossible(occasion, order))
      continue;
    ++possible;
    only = &occasion;
    for (const Interval &interval : occasion.intervals)
      if (isOnEntry(interval.begin))
        return nullptr;
  }
  return possible == 1 ? only : nullptr;
}

/// Whether somebody sends the event of \p step when all of \p occasion has
/// begun, and nobody can send it twice.
bool Unsettled::areSent(const Occasion &occasion, StepId step) {
  llvm::ArrayRef<SendId> sends = arrivals.sendsTo(run.event(step));
  llvm::SmallDenseSet<uint32_t, 8> senders;
  for (SendId id : sends) {
    const Send &send = run.sends[id.index];
    if (send.isTask || !send.wasSent ||
        (send.sender && unsettled.contains(run.event(send.sender).index)) ||
        (send.sender && order.isAtOrBefore(step, send.sender)))
      return false;
    if (send.sender && !send.onEntry)
      senders.insert(send.sender.index);
  }
  bool isClosed = llvm::any_of(occasion.intervals, [&](const Interval &at) {
    return isOnEntry(at.end) && run.history.writes[at.end.index].step == step;
  });
  if (sends.size() > 1 && !isClosed)
    return false;
  return llvm::all_of(occasion.intervals, [&](const Interval &interval) {
    if (!interval.begin)
      return true;
    Act begin = order.actOf(interval.begin);
    return senders.contains(begin.step.index) ||
           llvm::any_of(sends, [&](SendId id) {
             return order.isNotAfterArrival(begin, id);
           });
  });
}

bool Unsettled::isSettled(EventId event) {
  llvm::ArrayRef<StepId> steps = arrivals.stepsOf(event);
  std::shared_ptr<const Ways> ways = arrivals.waysOf(event);
  bool isSent = !arrivals.sendsTo(event).empty();
  if (steps.size() > 1 || (isSent && ways->arrivals.size() != 1) ||
      !ways->areAll)
    return false;
  size_t possible = 0;
  const Occasion *only = onlyOccasion(*ways, possible);
  if (steps.empty())
    return possible == 0;
  StepId step = steps.front();
  if (!only || !arrivals.isTakenBy(*only, step))
    return false;
  bool lasts = llvm::all_of(only->intervals, [&](const Interval &interval) {
    Act end = order.actOf(interval.end);
    return !interval.end || end.step == step ||
           order.comesBefore({step, false}, end);
  });
  return lasts && (arrivals.sendsTo(event).empty() || areSent(*only, step));
}

void Unsettled::find(std::vector<EventId> &events) {
  for (EventId event : events)
    unsettled.insert(event.index);
  auto firstStep = [&](EventId event) {
    llvm::ArrayRef<StepId> steps = arrivals.stepsOf(event);
    return steps.empty() ? StepId{~0u} : steps.front();
  };
  std::vector<EventId> inOrder = events;
  llvm::stable_sort(inOrder, [&](EventId a, EventId b) {
    return firstStep(a).index < firstStep(b).index;
  });
  for (EventId event : inOrder)
    if (isSettled(event))
      unsettled.erase(event.index);
  llvm::erase_if(
      events, [&](EventId event) { return !unsettled.contains(event.index); });
}

/// Where the rules prove that there is no difference, promises are looked at,
/// up to so many operations, and not for long.
static constexpr uint32_t fewEvents = 512;
static constexpr uint64_t fewStates = 200;

/// Looks at other orders where the rules alone do not prove that there is no
/// difference.
static void lookAtOrders(Orders &orders, llvm::ArrayRef<EventId> unsettled,
                         bool hasWarned, const Run &run) {
  const Layout &layout = run.system.layout;
  DiagnosticEngine &diags = run.system.conditions.diags;
  if (diags.hasErrors() ||
      (unsettled.empty() && layout.numEvents() > fewEvents))
    return;
  switch (unsettled.empty() ? orders.verdict(fewStates) : orders.verdict()) {
  case Orders::Verdict::Same:
    return;
  case Orders::Verdict::Differs:
    if (!hasWarned)
      orders.warn();
    return;
  case Orders::Verdict::Breaks:
    return orders.warn();
  case Orders::Verdict::NotProved:
    if (!unsettled.empty())
      diags.report({}, diag::NotProved, orders.problem(), unsettled.size(),
                   layout.nameOf(unsettled.front()));
    return;
  }
}

void toscac::plan::findHazards(Run &run, Orders &orders,
                               bool areOrdersVerified) {
  Arrivals arrivals(run);
  std::vector<EventId> careful = CarefulEvents(arrivals).find();
  while (!careful.empty() && settleChoices(arrivals, careful)) {
  }
  Order order(run);
  HazardReport report(orders, arrivals);
  findLostTriggers(arrivals, order, report);
  std::vector<EventId> unordered = findWriteRaces(order, report);
  findIgnoredEvents(arrivals, order, report);
  for (EventId event : careful)
    findEventRaces(arrivals, order, event, report);
  if (areOrdersVerified)
    return;
  // What is settled relies on the order of all writes.
  if (unordered.empty())
    Unsettled(arrivals, order).find(careful);
  llvm::append_range(careful, unordered);
  lookAtOrders(orders, careful, report.hasWarned, run);
}
