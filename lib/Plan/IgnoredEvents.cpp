//===- IgnoredEvents.cpp - What the workflow sends in vain ----------------===//
///
/// \file
/// The rule "Goal" for events: what the workflow sends, be it by its event of
/// the service, is accepted. Events do not wait where they do not come from the
/// workflow directly, so that it takes the order to say which can be in time.
///
//===----------------------------------------------------------------------===//

#include "Goal.h"
#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

/// Whether \p step is the workflow's own event of the service, or one that this
/// sends.
static bool isOfWorkflow(const Run &run, StepId step) {
  const Layout &layout = run.system.layout;
  while (!run.steps.isJoin(step) &&
         layout.graph.kindOf(layout.entityOf(run.event(step))) ==
             ir::EntityKind::Service) {
    std::optional<SendId> cause = run.causes[step.index].send();
    if (!cause)
      return false;
    const Send &send = run.sends[cause->index];
    if (send.isFromWorkflow())
      return true;
    step = send.sender;
  }
  return false;
}

/// An instance that is there already may have what a message to all of its kind
/// is to bring about.
static bool maySpare(const Run &run, const Send &send) {
  const ir::Graph &graph = run.system.layout.graph;
  ir::EntityId entity = run.system.layout.entityOf(send.event);
  if (!graph.isContinued || graph.presenceOf(entity) == ir::Presence::New)
    return false;
  return llvm::any_of(
      send.trigger->receiver.steps,
      [](const ir::PathStep &step) { return step.hasName() && !step.index; });
}

/// Whether nothing writes what the precondition of \p event reads.
static bool isConstant(Run &run, EventId event) {
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
      [&](AtomId atom) { look(system.conditions.atoms[atom.index].cell); },
      look);
  return !isWritten;
}

void toscac::plan::findIgnoredEvents(Arrivals &arrivals, Order &order,
                                     HazardReport &report) {
  Run &run = arrivals.run;
  // One for all instances of a class.
  llvm::DenseSet<const ir::Operation *> reported;
  for (uint32_t i = 0; i != run.sends.size(); ++i) {
    const Send &send = run.sends[i];
    if (send.accepted || !send.wasSent || send.heldOnArrival ||
        send.isFromWorkflow() || !isOfWorkflow(run, send.sender) ||
        !arrivals.stepsOf(send.event).empty() || maySpare(run, send))
      continue;
    std::shared_ptr<const Ways> ways = arrivals.waysOf(send.event);
    bool isPossible =
        (!ways->areAll && !isConstant(run, send.event)) ||
        llvm::any_of(ways->occasions, [&](const Occasion &occasion) {
          return plan::isPossible(occasion, order);
        });
    if ((!isPossible || report.isNever(send.event)) &&
        reported.insert(&run.system.layout.operation(send.event)).second)
      reportIgnored({i}, run);
  }
}
