//===- Knowledge.h - What holds where a move is possible --------*- C++ -*-===//
///
/// \file
/// What holds while a move is possible tells which moves never meet: the
/// precondition and entry of an operation, as far as nothing that may happen
/// while it runs changes it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_KNOWLEDGE_H
#define TOSCAC_LIB_PLAN_KNOWLEDGE_H

#include "Moves.h"

namespace toscac::plan {

/// What the value of a cell is known to be one of.
struct Known {
  uint32_t cell;
  uint64_t values;
};

/// Sorted by cell, of which each is there once.
using Knowledge = std::vector<Known>;

/// What \p formula asks for at least.
Knowledge neededFor(const GroundSystem &system, FormulaId formula);

/// The values that \p cell may have; all, where nothing is known.
uint64_t valuesOf(const Knowledge &knowledge, uint32_t cell);

/// Whether both can be so at the same time.
bool areCompatible(const Knowledge &a, const Knowledge &b);

/// By move, what holds wherever it is possible.
std::vector<Knowledge> findKnowledge(const GroundSystem &system,
                                     const Moves &moves);

} // namespace toscac::plan

#endif
