//===- Deliveries.h - How an event can be accepted --------------*- C++ -*-===//
///
/// \file
/// An event arrives because a level rule fires or because somebody sent it. It
/// is accepted where the intervals overlap in which the cells of its condition
/// have the right values. Each combination of intervals is a window. The
/// symbolic run took some of them; other orders may take others.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_DELIVERIES_H
#define TOSCAC_LIB_PLAN_DELIVERIES_H

#include "Steps/EventSteps.h"
#include "Steps/Order.h"
#include "System/NormalForm.h"

namespace toscac::plan {

/// A way in which an event is sent: by a level rule, or by senders with the
/// same condition.
struct Delivery {
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
struct AcceptanceWindow {
  const Delivery *delivery;
  llvm::SmallVector<Interval, 4> intervals;
  /// Of the intervals, by ascending stage: no step comes after one of a lower
  /// stage. So most of them need not be compared with each other, nor with
  /// those who send the event.
  llvm::SmallVector<Bound, 4> begins, ends;
};

/// All deliveries of an event, and all windows in which it would be accepted.
struct Ways {
  std::vector<Delivery> deliveries;
  std::vector<AcceptanceWindow> windows;
  /// False: there are too many windows to look at.
  bool areAll = false;
};

/// Indexes the run by event.
class Deliveries {
public:
  explicit Deliveries(SymbolicRun &run);

  SymbolicRun &run;
  TruthOf truth;

  llvm::ArrayRef<SendId> sendsTo(EventId event) const;
  llvm::ArrayRef<StepId> stepsOf(EventId event) const {
    return steps.of(event);
  }
  std::vector<Delivery> deliveriesOf(EventId event) const;
  /// A quick look at \p event. False if it is clear that every order accepts it
  /// as often as the run, or never; then its windows need not be computed.
  bool needsCare(EventId event);

  /// Those of the first events that are asked for are kept.
  std::shared_ptr<const Ways> waysOf(EventId event);

  /// Whether the symbolic run accepted \p step on \p window.
  bool isTakenBy(const AcceptanceWindow &window, StepId step) const;

private:
  bool windowsOf(EventId event, llvm::ArrayRef<Delivery> deliveries,
                 std::vector<AcceptanceWindow> &windows);
  bool addWindows(const Delivery &delivery, const Conjunction &conjunction,
                  std::vector<AcceptanceWindow> &windows);
  void sortBounds(AcceptanceWindow &window) const;
  TermId conditionOf(const Delivery &delivery, ir::EntityId &sender) const;

  /// Sorted by event.
  std::vector<SendId> sends;
  EventSteps steps;
  static constexpr size_t mostKept = 1 << 14;
  llvm::DenseMap<uint32_t, std::shared_ptr<const Ways>> kept;
};

} // namespace toscac::plan

#endif
