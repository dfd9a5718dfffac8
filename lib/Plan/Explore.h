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

namespace toscac::plan {

/// What was seen. Relations are matrices over events.
struct Exploration {
  /// All orders were seen.
  bool isComplete = false;
  /// Some order took other steps, or ended in another state, than the run.
  bool differs = false;
  /// By event: the fewest and most times that it was accepted in the end.
  std::vector<uint32_t> fewest;
  std::vector<uint32_t> most;

  bool endsBefore(EventId a, EventId b) const {
    return ended.test(a.index * size + b.index);
  }
  bool startsDuring(EventId a, EventId b) const {
    return during.test(a.index * size + b.index);
  }

  size_t size = 0;
  /// In some state, a has ended and b has not, nor ever did.
  llvm::BitVector ended;
  /// a started while b was running.
  llvm::BitVector during;
};

/// Explores the system of \p run, which \p start starts; not complete if it is
/// too large.
Exploration explore(const Start &start, const Run &run);

} // namespace toscac::plan

#endif
