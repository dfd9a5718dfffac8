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

void toscac::plan::findHazards(const Start &start, Run &run) {
  Arrivals arrivals(run);
  std::vector<EventId> careful = CarefulEvents(arrivals).find();
  while (!careful.empty() && settleChoices(arrivals, careful)) {
  }
  Order order(run);
  HazardReport report(start, arrivals);
  findLostTriggers(arrivals, order, report);
  findWriteRaces(order, report);
  findIgnoredEvents(arrivals, order, report);
  for (EventId event : careful)
    findEventRaces(arrivals, order, event, report);
}
