//===- Acts.h - What one completion does ------------------------*- C++ -*-===//
///
/// \file
/// The strict rules of DESIGN 6.1 on a ground system: an operation ends, sends
/// its events, and then level rules fire until none rises any more.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ACTS_H
#define TOSCAC_LIB_PLAN_ACTS_H

#include "Ground.h"

namespace toscac::plan {

/// Between two acts: bytes for cells, then for each operation how often it
/// started, how often it ended, then whether each rule has held.
using ActState = std::vector<uint8_t>;

/// All that the start of an operation, with what it sends on entry, may write
/// and ask for. Tests are formulas of that kind.
struct Footprint {
  std::vector<GroundWrite> writes;
  std::vector<const Formula *> tests;
  std::vector<uint32_t> starts;
};

/// Of the start of \p operation alone.
Footprint footprintOf(const GroundSystem &system, uint32_t operation);

class Acts {
public:
  explicit Acts(const GroundSystem &system);

  const GroundSystem &system;
  const uint32_t numCells;
  const uint32_t numOperations;

  size_t stateSize() const {
    return numCells + 2 * numOperations + system.rules.size();
  }
  uint32_t started(uint32_t operation) const { return numCells + operation; }
  uint32_t ended(uint32_t operation) const {
    return numCells + numOperations + operation;
  }
  uint32_t held(uint32_t rule) const {
    return numCells + 2 * numOperations + rule;
  }
  bool isRunning(const ActState &state, uint32_t operation) const {
    return state[started(operation)] != state[ended(operation)];
  }
  bool holds(const ActState &state, FormulaId formula) const {
    return system.holds(formula, [&](uint32_t cell) { return state[cell]; });
  }

  /// What the workflow itself does, in whatever order rules fire.
  std::vector<ActState> begin();
  /// What the end of \p operation leads to, likewise.
  std::vector<ActState> end(const ActState &state, uint32_t operation);

  /// Set when an operation was accepted more often than is worth following.
  bool isEndless = false;

private:
  void deliver(ActState &state, uint32_t operation);
  void send(ActState &state, llvm::ArrayRef<GroundSend> sends);
  std::vector<ActState> settle(ActState state);
  std::vector<uint32_t> risen(ActState &state) const;
  /// Those of \p risen whose order has to be tried: one, if it makes no
  /// difference to anything that may yet fire when that one does.
  llvm::ArrayRef<uint32_t> toTry(const ActState &state,
                                 llvm::ArrayRef<uint32_t> risen) const;
  std::vector<uint32_t> mayFire(const ActState &state,
                                llvm::ArrayRef<uint32_t> risen) const;
  bool disturbs(const ActState &state, const Footprint &writer,
                const Footprint &reader) const;

  /// Of each rule: its condition, and the start of its operation.
  std::vector<Footprint> footprints;
};

/// Adds all tests below \p formula to \p tests.
void collectTests(const GroundSystem &system, FormulaId formula,
                  std::vector<const Formula *> &tests);

} // namespace toscac::plan

#endif
