//===- IgnoredEvents.cpp - Events that are never accepted -----------------===//
///
/// \file
/// The rule "Goal" for events: what the workflow sends, be it by its event of
/// the service, is accepted. Events do not wait where they do not come from the
/// workflow directly, so that it takes the order to say which can be in time.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"
#include "Lower/CheckGoals.h"

using namespace toscac;
using namespace toscac::plan;

/// Whether nothing writes what the precondition of \p event reads.
static bool isConstant(SymbolicRun &run, EventId event) {
  EventSystem &system = run.system;
  llvm::SmallVector<ir::EntityId, 1> self{system.layout.entityOf(event)};
  bool isWritten = false;
  auto look = [&](const CellRef &ref) {
    Route route{0, ref.route.fromSelf, ref.route.fromSelf, ref.route.self};
    forEachEntity(system.layout, route, self, [&](ir::EntityId entity) {
      CellId cell = system.layout.findCell(entity, ref.interface, ref.cell);
      isWritten |= cell && run.history.lastWrite(cell);
      return !isWritten;
    });
  };
  system.conditions.visitReads(
      system.precondition(event),
      [&](AtomId atom, bool) {
        look(system.conditions.atoms[atom.index].cell);
      },
      look);
  return !isWritten;
}

void toscac::plan::findIgnoredEvents(Deliveries &deliveries, Order &order,
                                     HazardReport &report) {
  SymbolicRun &run = deliveries.run;
  // One for all instances of a class.
  llvm::DenseSet<const ir::Operation *> reported;
  for (SendId id : findUnheard(run)) {
    EventId event = run.sends[id.index].event;
    std::shared_ptr<const Ways> ways = deliveries.waysOf(event);
    bool isPossible =
        (!ways->areAll && !isConstant(run, event)) ||
        llvm::any_of(ways->windows, [&](const AcceptanceWindow &window) {
          return plan::isPossible(window, order);
        });
    if ((!isPossible || report.isNever(event)) &&
        reported.insert(&run.system.layout.operation(event)).second)
      reportIgnored(id, run);
  }
}
