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

using namespace toscac;
using namespace toscac::plan;

void toscac::plan::findHazards(const Start &start, Run &run) {
  Arrivals arrivals(run);
  std::vector<EventId> careful;
  for (uint32_t i = 0; i != run.system.layout.numEvents(); ++i)
    if (arrivals.needsCare({i}))
      careful.push_back({i});
  while (!careful.empty() && settleChoices(arrivals, careful)) {
  }
  Order order(run);
  HazardReport report(start, arrivals);
  findLostTriggers(arrivals, order, report);
  findWriteRaces(order, report);
  for (EventId event : careful)
    findEventRaces(arrivals, order, event, report);
}
