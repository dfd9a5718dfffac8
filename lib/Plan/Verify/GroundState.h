//===- GroundState.h - A state of a ground system ---------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_GROUNDSTATE_H
#define TOSCAC_LIB_PLAN_GROUNDSTATE_H

#include "Ground.h"

namespace toscac::plan {

/// Between two completions: bytes for cells, then for each operation how often
/// it started, how often it ended, then whether each rule has held.
using GroundState = std::vector<uint8_t>;

/// Where what stands in the states of a system.
class StatePlaces {
public:
  explicit StatePlaces(const GroundSystem &system)
      : numCells(system.cells.size()), numOperations(system.operations.size()),
        numRules(system.rules.size()) {}

  const uint32_t numCells;
  const uint32_t numOperations;
  const uint32_t numRules;

  size_t size() const { return numCells + 2 * numOperations + numRules; }
  uint32_t started(uint32_t operation) const { return numCells + operation; }
  uint32_t ended(uint32_t operation) const {
    return numCells + numOperations + operation;
  }
  uint32_t held(uint32_t rule) const {
    return numCells + 2 * numOperations + rule;
  }
  bool isRunning(const GroundState &state, uint32_t operation) const {
    return state[started(operation)] != state[ended(operation)];
  }
};

} // namespace toscac::plan

#endif
