//===- Interleavings.h - Orders in which operations can end -----*- C++ -*-===//
///
/// \file
/// All orders in which the operations of a small ground system can end. Pairs
/// that end in both orders, or overlap, are the candidates for hazards.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_INTERLEAVINGS_H
#define TOSCAC_LIB_PLAN_INTERLEAVINGS_H

#include "Verify/Search.h"
#include "llvm/ADT/DenseMap.h"

namespace toscac::plan {

/// One of the times that an event is accepted, counted from 1.
struct Occurrence {
  EventId event;
  uint32_t number = 1;
  friend bool operator==(Occurrence, Occurrence) = default;
};

class Interleavings {
public:
  /// Where there are too many orders, isComplete stays false and the rest means
  /// nothing.
  Interleavings(const GroundSystem &system, const Layout &layout);

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
  bool endsBefore(Occurrence a, Occurrence b) const;
  /// Whether some order starts \p a while \p b runs.
  bool startsDuring(EventId a, EventId b) const;
  /// The ends of operations, in some order that accepts \p event less often
  /// than the run does, up to a sender that ends before \p missed.
  std::vector<Occurrence>
  orderThatLoses(EventId event, EventId missed,
                 llvm::function_ref<bool(EventId)> isSender) const;

private:
  void prepare();
  void note();
  void noteEnd(uint32_t number);
  std::optional<uint32_t> find(EventId event) const;
  uint32_t countOf(EventId event, llvm::ArrayRef<uint8_t> counts) const;
  /// The occurrences that are looked at: one more than the run has.
  uint32_t numOccurrences(uint32_t operation) const {
    return firstOccurrences[operation + 1] - firstOccurrences[operation];
  }
  std::optional<uint32_t> indexOf(Occurrence occurrence) const;

  const GroundSystem &system;
  Search search;
  GroundInterpreter &interpreter = search.interpreter;
  llvm::DenseMap<uint32_t, uint32_t> operations;
  // By operation.
  std::vector<uint8_t> least, greatest;

  /// Where an order ended, and how often each operation was accepted.
  std::vector<std::pair<uint32_t, std::vector<uint8_t>>> terminals;

  // Relations: a row for each first one.
  std::vector<uint32_t> firstOccurrences{0};
  std::vector<llvm::BitVector> ended;
  std::vector<llvm::BitVector> during;
};

} // namespace toscac::plan

#endif
