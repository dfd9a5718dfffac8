//===- HazardRules.h - The rules about other orders -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_HAZARDRULES_H
#define TOSCAC_LIB_PLAN_HAZARDRULES_H

#include "Deliveries.h"
#include "Orders.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

/// Reports hazards, one for all instances of the classes involved. Other orders
/// are looked at first: what none of them shows is no hazard.
class HazardReport {
public:
  HazardReport(Orders &orders, Deliveries &deliveries)
      : orders(orders), run(deliveries.run), deliveries(deliveries) {}

  /// An order that differs has been warned of.
  bool hasWarned = false;
  /// Hazards that no order is known to bear out, and that none refutes.
  struct Suspicion {
    EventId about;
    std::string first, second;
  };
  std::vector<Suspicion> suspicions;

  /// \p first and \p second can come in either order, which decides whether
  /// \p about is accepted.
  void race(EventId about, Occurrence first, Occurrence second, CellId cell);
  void writeRace(const Write &first, const Write &second);
  /// Reports that an event may be accepted once or twice: \p first and \p
  /// second are steps of it, and it depends on whether one of \p causes, which
  /// lead to one of them, ends before the other has ended.
  void twice(StepId first, StepId second, llvm::ArrayRef<StepId> causes);
  void early(StepId step, const Write &entry);
  void transient(EventId event, const Write &entry);
  void lost(StepId step, StepId missed, const Send *send);
  /// \p send finds in flight what the same act has sent before.
  void sentTwice(const Send &send);

  Occurrence occurrenceOf(StepId step) const;
  /// Whether it is known that no order accepts \p event.
  bool isNever(EventId event);

private:
  bool isNew(char rule, EventId a, EventId b);
  /// All orders are known to do the same.
  bool isRefuted() { return orders.verdict() == Orders::Verdict::Same; }
  bool areExclusive(Occurrence a, Occurrence b);
  /// Whether both orders of the two may be there, and a difference.
  bool isRace(Occurrence a, Occurrence b);
  /// An order that shows that it matters which of the two ends first; where
  /// there is none, the suspicion is noted.
  std::optional<Witness> witness(EventId about, Occurrence a, Occurrence b);
  /// `'a' ends, 'b' ends; then …`: what of \p witness concerns the two.
  std::string describe(const Witness &witness, Occurrence a,
                       Occurrence b) const;
  /// The step of the run, if it has one.
  StepId stepOf(Occurrence occurrence) const;
  DiagnosticEngine::Builder report(EventId where, Occurrence first,
                                   Occurrence second, std::string about,
                                   const Witness &order);
  void tell(const Witness &order);
  std::vector<Occurrence> orderThatLoses(StepId step, StepId missed,
                                         const Send &send);
  /// Whether \p sender, when it ends, sends \p event.
  bool sends(EventId sender, EventId event);
  std::string describe(llvm::ArrayRef<Occurrence> order,
                       llvm::StringRef verb) const;
  std::string nameOf(Occurrence occurrence) const;
  std::string nameOf(StepId step) const { return nameOf(occurrenceOf(step)); }
  SourceRange rangeOf(EventId event) const {
    return run.system.layout.operation(event).range;
  }

  Orders &orders;
  SymbolicRun &run;
  Deliveries &deliveries;
  /// Rule, and the operations of both.
  llvm::DenseSet<std::pair<const void *, const void *>> reported[128];
};

/// Turns edges into choices where another window or sender would do; says
/// whether there were any.
bool settleChoices(Deliveries &deliveries, llvm::ArrayRef<EventId> events);

/// The rule "Sure": `lost-trigger`.
void findLostTriggers(Deliveries &deliveries, Order &order,
                      HazardReport &report);
/// The rule "Goal", for what the workflow's own event of the service sends.
void findIgnoredEvents(Deliveries &deliveries, Order &order,
                       HazardReport &report);
/// The rule "Races", (a). Gives events whose steps write what others write, be
/// it the same value, in no certain order.
std::vector<EventId> findWriteRaces(Order &order, HazardReport &report);
/// The rules "In flight" and "Races", (b), (c) and (d), for \p event.
void findEventRaces(Deliveries &deliveries, Order &order, EventId event,
                    HazardReport &report);

/// The rule "Races", (d), for sends of one moment.
void findEventSentTwice(Deliveries &deliveries, EventId event,
                        HazardReport &report);

/// Whether some order offers \p window.
bool isPossible(const AcceptanceWindow &window, Order &order);
/// Whether \p send can arrive on \p window.
bool canArrive(SendId send, const AcceptanceWindow &window, Order &order);
/// Whether \p step, once accepted, itself ends \p window, so that it is
/// taken once at most.
bool isClosedBy(const AcceptanceWindow &window, StepId step,
                const SymbolicRun &run);

} // namespace toscac::plan

#endif
