//===- Explore.h - All orders of completion of a small system ---*- C++ -*-===//
///
/// \file
/// Runs the event system itself, by the strict rules of DESIGN 6.1, in every
/// order in which its operations can end, as long as there are not too many
/// states. What it saw confirms hazards, or shows that there are none.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_EXPLORE_H
#define TOSCAC_LIB_PLAN_EXPLORE_H

#include "Run.h"
#include "Simulate.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac::plan {

/// One of the times that an event is accepted, counted from 1.
struct Turn {
  EventId event;
  uint32_t number = 1;
};

/// What was seen.
struct Exploration {
  /// All orders were seen.
  bool isComplete = false;
  /// Some order took other steps, or ended in another state, than the run.
  bool differs = false;
  // By event: how often it was accepted in the run, and at least and at most
  // in the end of any order.
  std::vector<uint32_t> planned;
  std::vector<uint32_t> fewest;
  std::vector<uint32_t> most;

  /// Whether some order ends \p a before it ends \p b, if ever.
  bool endsBefore(Turn a, Turn b) const {
    return ended[indexOf(a)].test(indexOf(b));
  }
  /// Whether some order starts \p a while \p b runs.
  bool startsDuring(EventId a, EventId b) const {
    return during[a.index].test(b.index);
  }
  /// The turns that are looked at: one more than the run has.
  uint32_t numTurns(EventId event) const {
    return firstTurns[event.index + 1] - firstTurns[event.index];
  }
  uint32_t indexOf(Turn turn) const {
    return firstTurns[turn.event.index] + turn.number - 1;
  }

  /// The ends of operations, in some order that accepts \p event less often
  /// than the run does, up to a sender that ends before \p missed.
  std::vector<Turn>
  orderThatLoses(EventId event, EventId missed,
                 llvm::function_ref<bool(EventId)> isSender) const;

  /// A state that was come to when an operation ended.
  struct Visit {
    /// Of Exploration::visits; itself: the beginning.
    uint32_t parent;
    EventId ended;
  };
  std::vector<Visit> visits{{0, {0}}};
  /// Where an order ended, and how often each event was accepted.
  std::vector<std::pair<uint32_t, std::vector<uint8_t>>> terminals;

  // Relations: a row for each first one.
  std::vector<uint32_t> firstTurns{0};
  std::vector<llvm::BitVector> ended;
  std::vector<llvm::BitVector> during;
};

/// Explores the system of \p run, which \p start starts; not complete if it is
/// too large.
Exploration explore(const Start &start, const Run &run);

} // namespace toscac::plan

#endif
