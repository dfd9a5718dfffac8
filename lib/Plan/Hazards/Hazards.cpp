//===- Hazards.cpp - Orders that the symbolic run did not see -------------===//
///
/// \file
/// First it is settled which edges are choices: they prove no order, which may
/// make further edges choices. Then the rules of DESIGN 6.2 are checked, one
/// file each.
///
//===----------------------------------------------------------------------===//

#include "Hazards.h"

#include "HazardRules.h"
#include "Steps/EquivalentRows.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

/// Finds events that need care.
class CarefulEvents {
public:
  explicit CarefulEvents(Deliveries &deliveries)
      : deliveries(deliveries), system(deliveries.run.system),
        layout(system.layout),
        alike(deliveries.run.system, deliveries.run.history), reached(layout) {
    for (const Write &write : deliveries.run.history.writes)
      reached.add(layout.entityOf(write.cell));
    for (const Send &send : deliveries.run.sends)
      reached.add(layout.entityOf(send.event));
  }

  std::vector<EventId> find();

private:
  void addRows(SlotId slot, RowRange range);
  void add(SlotId slot, uint32_t row, uint32_t operation) {
    EventId event = layout.event(slot, row, operation);
    if (deliveries.needsCare(event))
      result.push_back(event);
  }
  /// Whether no order accepts the operation in those rows of \p range to which
  /// nothing is written or sent.
  bool isRuledOut(SlotId slot, RowRange range, uint32_t operation) const;

  Deliveries &deliveries;
  const EventSystem &system;
  const Layout &layout;
  const EquivalentRows alike;
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
/// order after all: on no other window than the one that was taken, because a
/// rule asks for it, or because it is sent by the step that makes its
/// precondition true, or by a later one. A sender must be settled before what
/// it sends, so that no event proves itself.
class Unsettled {
public:
  Unsettled(Deliveries &deliveries, Order &order)
      : deliveries(deliveries), order(order), run(deliveries.run) {}

  /// Leaves in \p events what is not settled.
  void find(std::vector<EventId> &events);

private:
  bool isSettled(EventId event);
  bool areSent(const AcceptanceWindow &window, StepId step);
  /// The only window that some order offers; null if there are others, or
  /// one that begins while an operation runs.
  const AcceptanceWindow *onlyWindow(const Ways &ways, size_t &possible);
  bool isOnEntry(WriteId write) const {
    return write && run.history.writes[write.index].isOnEntry();
  }

  Deliveries &deliveries;
  Order &order;
  const SymbolicRun &run;
  llvm::DenseSet<uint32_t> unsettled;
};

} // namespace

const AcceptanceWindow *Unsettled::onlyWindow(const Ways &ways,
                                              size_t &possible) {
  const AcceptanceWindow *only = nullptr;
  for (const AcceptanceWindow &window : ways.windows) {
    if (!isPossible(window, order))
      continue;
    ++possible;
    only = &window;
    for (const Interval &interval : window.intervals)
      if (isOnEntry(interval.begin))
        return nullptr;
  }
  return possible == 1 ? only : nullptr;
}

/// Whether somebody sends the event of \p step when all of \p window has
/// begun, and nobody can send it twice.
bool Unsettled::areSent(const AcceptanceWindow &window, StepId step) {
  llvm::ArrayRef<SendId> sends = deliveries.sendsTo(run.event(step));
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
  bool isClosed = llvm::any_of(window.intervals, [&](const Interval &at) {
    return isOnEntry(at.end) && run.history.writes[at.end.index].step == step;
  });
  if (sends.size() > 1 && !isClosed)
    return false;
  return llvm::all_of(window.intervals, [&](const Interval &interval) {
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
  llvm::ArrayRef<StepId> steps = deliveries.stepsOf(event);
  std::shared_ptr<const Ways> ways = deliveries.waysOf(event);
  bool isSent = !deliveries.sendsTo(event).empty();
  if (steps.size() > 1 || (isSent && ways->deliveries.size() != 1) ||
      !ways->areAll)
    return false;
  size_t possible = 0;
  const AcceptanceWindow *only = onlyWindow(*ways, possible);
  if (steps.empty())
    return possible == 0;
  StepId step = steps.front();
  if (!only || !deliveries.isTakenBy(*only, step))
    return false;
  bool lasts = llvm::all_of(only->intervals, [&](const Interval &interval) {
    Act end = order.actOf(interval.end);
    return !interval.end || end.step == step ||
           order.comesBefore({step, false}, end);
  });
  return lasts && (deliveries.sendsTo(event).empty() || areSent(*only, step));
}

void Unsettled::find(std::vector<EventId> &events) {
  for (EventId event : events)
    unsettled.insert(event.index);
  auto firstStep = [&](EventId event) {
    llvm::ArrayRef<StepId> steps = deliveries.stepsOf(event);
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

namespace {
/// A promise that has to be kept at every moment.
struct KeptPromise {
  const ir::Promise *promise;
  ir::EntityId owner;
};
} // namespace

/// The first one; none: there are none.
static std::optional<KeptPromise> findPromise(const Layout &layout) {
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Promise &promise : layout.machine({i}).promises)
      if (promise.kind == ir::Promise::Kind::Always && layout.slots[i].rows)
        return KeptPromise{&promise, layout.entity({i}, 0)};
  return std::nullopt;
}

/// \p promise is what is left to be proved where all is settled.
static void reportNotProved(Orders &orders, llvm::ArrayRef<EventId> unsettled,
                            const std::optional<KeptPromise> &promise,
                            const HazardReport &report,
                            const SymbolicRun &run) {
  // As many notes as a person reads; the message has their number.
  static constexpr size_t most = 8;
  const Layout &layout = run.system.layout;
  std::string what =
      unsettled.empty()
          ? "promises may be broken on the way, the first is 'always." +
                promise->promise->name.str().str() + "' of '" +
                layout.graph.nameOf(promise->owner) + "'"
          : std::to_string(unsettled.size()) +
                " operations may come otherwise than planned, the first is '" +
                layout.nameOf(unsettled.front()) + "'";
  auto builder = run.system.conditions.diags.report({}, diag::NotProved,
                                                    orders.problem(), what);
  for (const auto &[about, first, second] :
       llvm::ArrayRef(report.suspicions).take_front(most))
    builder.note(layout.operation(about).range, diag::NotProvedRace, first,
                 second, layout.nameOf(about));
}

/// Looks at other orders where the rules alone do not prove that there is no
/// difference, and, as they say nothing of promises, where there are some. True
/// if that takes to know what outputs write.
static bool lookAtOrders(Orders &orders, llvm::ArrayRef<EventId> unsettled,
                         const HazardReport &report, const SymbolicRun &run) {
  DiagnosticEngine &diags = run.system.conditions.diags;
  std::optional<KeptPromise> promise = findPromise(run.system.layout);
  if (diags.hasErrors() || (unsettled.empty() && !promise))
    return false;
  if (run.system.hasLateCells)
    return true;
  switch (orders.verdict()) {
  case Orders::Verdict::Same:
    break;
  case Orders::Verdict::Differs:
    if (!report.hasWarned)
      orders.warn();
    break;
  case Orders::Verdict::Breaks:
    orders.warn();
    break;
  case Orders::Verdict::NotProved:
    reportNotProved(orders, unsettled, promise, report, run);
    break;
  }
  return false;
}

bool toscac::plan::lookAtOutcome(const Start &start, const SymbolicRun &run,
                                 llvm::StringRef given) {
  for (Part part : {Part::First, Part::Later}) {
    if (part == Part::Later && !start.hasLater())
      break;
    Orders orders(start, run, part);
    switch (orders.verdict()) {
    case Orders::Verdict::Same:
      break;
    case Orders::Verdict::Differs:
    case Orders::Verdict::Breaks:
      orders.warn(given);
      return false;
    case Orders::Verdict::NotProved:
      run.system.conditions.diags.report({}, diag::NotProved, orders.problem(),
                                         "orders may differ if " + given.str());
      return false;
    }
  }
  return true;
}

bool toscac::plan::findHazards(SymbolicRun &run, Orders &orders,
                               bool areOrdersVerified) {
  Deliveries deliveries(run);
  std::vector<EventId> careful = CarefulEvents(deliveries).find();
  while (!careful.empty() && settleChoices(deliveries, careful)) {
  }
  Order order(run);
  HazardReport report(orders, deliveries);
  findLostTriggers(deliveries, order, report);
  std::vector<EventId> unordered = findWriteRaces(order, report);
  findIgnoredEvents(deliveries, order, report);
  for (EventId event : careful) {
    findEventRaces(deliveries, order, event, report);
    findEventSentTwice(deliveries, event, report);
  }
  if (areOrdersVerified)
    return false;
  // What is settled relies on the order of all writes.
  if (unordered.empty())
    Unsettled(deliveries, order).find(careful);
  llvm::append_range(careful, unordered);
  for (const HazardReport::Suspicion &suspicion : report.suspicions)
    careful.push_back(suspicion.about);
  llvm::sort(careful);
  careful.erase(llvm::unique(careful), careful.end());
  return lookAtOrders(orders, careful, report, run);
}
