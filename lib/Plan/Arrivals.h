//===- Arrivals.h - All ways in which an event can be accepted --*- C++ -*-===//
///
/// \file
/// An event arrives because a level rule fires or because somebody sent it. It
/// is accepted where the intervals overlap in which the cells of its condition
/// have the right values. Each combination of intervals is an occasion. The
/// symbolic run took some of them; other orders may take others.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ARRIVALS_H
#define TOSCAC_LIB_PLAN_ARRIVALS_H

#include "Cubes.h"
#include "EventSteps.h"
#include "Order.h"

namespace toscac::plan {

/// Events that come with the same condition.
struct Arrival {
  std::optional<RuleId> rule;
  /// Otherwise: those who send it.
  llvm::SmallVector<SendId, 2> sends;
};

/// Where an interval begins or ends.
struct Bound {
  uint32_t stage;
  WriteId write;
  StepId step;
};

/// A combination of intervals in which an event would be accepted.
struct Occasion {
  const Arrival *arrival;
  llvm::SmallVector<Interval, 4> intervals;
  /// Of the intervals, by ascending stage: no step comes after one of a lower
  /// stage. So most of them need not be compared with each other, nor with
  /// those who send the event.
  llvm::SmallVector<Bound, 4> begins, ends;
};

/// All that is known of how an event can be accepted.
struct Ways {
  std::vector<Arrival> arrivals;
  std::vector<Occasion> occasions;
  /// False: there are too many occasions to look at.
  bool areAll = false;
};

/// Indexes the run by event.
class Arrivals {
public:
  explicit Arrivals(Run &run);

  Run &run;
  TruthOf truth;

  llvm::ArrayRef<SendId> sendsTo(EventId event) const;
  llvm::ArrayRef<StepId> stepsOf(EventId event) const {
    return steps.of(event);
  }
  std::vector<Arrival> arrivalsOf(EventId event) const;
  /// Whether an event that nobody looked at twice needs to be: false if its
  /// steps, or that it has none, are the same in every order.
  bool needsCare(EventId event);

  /// Those of the first events that are asked for are kept.
  std::shared_ptr<const Ways> waysOf(EventId event);

  /// Whether the symbolic run accepted \p step on \p occasion.
  bool isTakenBy(const Occasion &occasion, StepId step) const;

private:
  bool couldHold(TermId term, llvm::SmallVectorImpl<ir::EntityId> &bound,
                 bool wanted);
  bool isPlain(TermId term, llvm::SmallVectorImpl<ir::EntityId> &bound,
               StepId step);
  bool isPlainAtom(AtomId atom, llvm::ArrayRef<ir::EntityId> bound,
                   StepId step);
  bool occasionsOf(EventId event, llvm::ArrayRef<Arrival> arrivals,
                   std::vector<Occasion> &occasions);
  bool addOccasions(const Arrival &arrival, const Cube &cube,
                    std::vector<Occasion> &occasions);
  void sortBounds(Occasion &occasion) const;
  TermId conditionOf(const Arrival &arrival, ir::EntityId &sender) const;

  /// Sorted by event.
  std::vector<SendId> sends;
  EventSteps steps;
  static constexpr size_t mostKept = 1 << 14;
  llvm::DenseMap<uint32_t, std::shared_ptr<const Ways>> kept;
};

} // namespace toscac::plan

#endif
