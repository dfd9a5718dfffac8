//===- Witness.h - An order that shows a hazard -----------------*- C++ -*-===//
///
/// \file
/// A hazard names two operations whose order may matter. One schedule tries it:
/// operations end in the order in which they start, as in the symbolic run, but
/// one of the two ends last. That costs one run of the system; searching all
/// orders would be exponential.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_WITNESS_H
#define TOSCAC_LIB_PLAN_WITNESS_H

#include "Interleavings.h"
#include "toscac/Plan/Story.h"

namespace toscac::plan {

/// An order of completion that does not do what the run did.
struct Witness {
  std::vector<Occurrence> ends;
  /// What is other than in the plan, in words.
  std::string difference;
  /// It moment by moment, without a claim; only if somebody wants stories.
  std::optional<Story> story;
};

/// An order in which \p first or \p second ends late and that makes a
/// difference, if one is found.
std::optional<Witness> findWitness(const GroundSystem &ground,
                                   const Independence &independence,
                                   EventSystem &system, Occurrence first,
                                   Occurrence second);

/// The order that goes through \p states, the first of which is the beginning.
Witness witnessOf(const GroundInterpreter &interpreter,
                  llvm::ArrayRef<GroundState> states, EventSystem &system);

} // namespace toscac::plan

#endif
