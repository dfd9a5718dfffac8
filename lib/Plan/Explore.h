//===- Explore.h - All orders of completion of a small system ---*- C++ -*-===//
///
/// \file
/// Follows a small ground system through every order in which its operations
/// can end, and leaves out none: what comes before what, and what runs beside
/// what, tells which hazards are there.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_EXPLORE_H
#define TOSCAC_LIB_PLAN_EXPLORE_H

#include "Acts.h"
#include "llvm/ADT/DenseMap.h"

namespace toscac::plan {

/// One of the times that an event is accepted, counted from 1.
struct Turn {
  EventId event;
  uint32_t number = 1;
};

/// What was seen.
class Exploration {
public:
  /// Not complete if there is too much to see.
  explicit Exploration(const GroundSystem &system);

  /// All orders were seen.
  bool isComplete = false;
  /// Some order took other steps, or ended in another state, than the run.
  bool differs = false;

  // How often an event is accepted in the end of any order.
  uint32_t fewest(EventId event) const { return countOf(event, least); }
  uint32_t most(EventId event) const { return countOf(event, greatest); }
  /// How often it was accepted in the run.
  uint32_t planned(EventId event) const;

  /// Whether some order ends \p a before it ends \p b, if ever.
  bool endsBefore(Turn a, Turn b) const;
  /// Whether some order starts \p a while \p b runs.
  bool startsDuring(EventId a, EventId b) const;
  /// The ends of operations, in some order that accepts \p event less often
  /// than the run does, up to a sender that ends before \p missed.
  std::vector<Turn>
  orderThatLoses(EventId event, EventId missed,
                 llvm::function_ref<bool(EventId)> isSender) const;

private:
  void prepare();
  void run();
  void note(const ActState &state);
  void noteEnd(uint32_t visit, const ActState &state);
  std::optional<uint32_t> find(EventId event) const;
  uint32_t countOf(EventId event, llvm::ArrayRef<uint8_t> counts) const;
  /// The turns that are looked at: one more than the run has.
  uint32_t numTurns(uint32_t operation) const {
    return firstTurns[operation + 1] - firstTurns[operation];
  }
  std::optional<uint32_t> indexOf(Turn turn) const;

  const GroundSystem &system;
  const Independence independence;
  Acts acts;
  llvm::DenseMap<uint32_t, uint32_t> operations;
  // By operation.
  std::vector<uint8_t> least, greatest;

  /// A state that was come to when an operation ended.
  struct Visit {
    /// Of `visits`; itself: the beginning.
    uint32_t parent;
    uint32_t ended;
  };
  std::vector<Visit> visits{{0, 0}};
  /// Where an order ended, and how often each operation was accepted.
  std::vector<std::pair<uint32_t, std::vector<uint8_t>>> terminals;

  // Relations: a row for each first one.
  std::vector<uint32_t> firstTurns{0};
  std::vector<llvm::BitVector> ended;
  std::vector<llvm::BitVector> during;
};

} // namespace toscac::plan

#endif
