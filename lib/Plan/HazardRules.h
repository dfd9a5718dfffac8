//===- HazardRules.h - The rules about other orders -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_HAZARDRULES_H
#define TOSCAC_LIB_PLAN_HAZARDRULES_H

#include "Arrivals.h"
#include "Explore.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

/// Reports hazards, one for all instances of the classes involved. A small
/// system is explored first: what no order shows is no hazard.
class HazardReport {
public:
  HazardReport(const Start &start, Arrivals &arrivals)
      : start(start), run(arrivals.run), arrivals(arrivals) {}

  /// \p first and \p second can come in either order, which decides whether
  /// \p about is accepted.
  void race(EventId about, Turn first, Turn second, CellId cell);
  void writeRace(const Write &first, const Write &second);
  /// Whether one of \p causes comes before \p first or \p second, two steps of
  /// one event, ends decides how often the event is accepted.
  void twice(StepId first, StepId second, llvm::ArrayRef<StepId> causes);
  void early(StepId step, const Write &entry);
  void transient(EventId event, const Write &entry);
  void lost(StepId step, StepId missed, const Send *send);

  Turn turnOf(StepId step) const;
  /// Whether it is known that no order accepts \p event.
  bool isNever(EventId event) {
    const Exploration *all = seen();
    return all && all->most[event.index] == 0;
  }

private:
  bool isNew(char rule, EventId a, EventId b);
  /// Null: the system is too large to be explored.
  const Exploration *seen();
  bool areExclusive(Turn a, Turn b);
  /// Whether both orders of the two are there, and a difference.
  bool isRace(Turn a, Turn b);
  std::vector<Turn> orderThatLoses(StepId step, StepId missed,
                                   const Send &send);
  /// Whether \p sender, when it ends, sends \p event.
  bool sends(EventId sender, EventId event);
  std::string describe(llvm::ArrayRef<Turn> order, llvm::StringRef verb) const;
  std::string nameOf(Turn turn) const;
  std::string nameOf(StepId step) const { return nameOf(turnOf(step)); }
  SourceRange rangeOf(EventId event) const {
    return run.system.layout.operation(event).range;
  }

  const Start &start;
  Run &run;
  Arrivals &arrivals;
  std::optional<Exploration> exploration;
  /// Rule, and the operations of both.
  llvm::DenseSet<std::pair<const void *, const void *>> reported[128];
};

/// Turns edges into choices where another occasion or sender would do; says
/// whether there were any.
bool settleChoices(Arrivals &arrivals, llvm::ArrayRef<EventId> events);

/// The rule "Sure": `lost-trigger`.
void findLostTriggers(Arrivals &arrivals, Order &order, HazardReport &report);
/// The rule "Goal", for what the workflow's own event of the service sends.
void findIgnoredEvents(Arrivals &arrivals, Order &order, HazardReport &report);
/// The rule "Races", (a).
void findWriteRaces(Order &order, HazardReport &report);
/// The rules "In flight" and "Races", (b), (c) and (d), for \p event.
void findEventRaces(Arrivals &arrivals, Order &order, EventId event,
                    HazardReport &report);

/// Whether some order offers \p occasion.
bool isPossible(const Occasion &occasion, Order &order);
/// Whether \p send can arrive on \p occasion.
bool canArrive(SendId send, const Occasion &occasion, Order &order);
/// Whether \p step, once accepted, itself ends \p occasion, so that it is
/// taken once at most.
bool isClosedBy(const Occasion &occasion, StepId step, const Run &run);

} // namespace toscac::plan

#endif
