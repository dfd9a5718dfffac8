//===- EquivalentPieces.h - Interchangeable parts of a service --*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_EQUIVALENTPIECES_H
#define TOSCAC_LIB_PLAN_EQUIVALENTPIECES_H

#include "Ground.h"
#include "Symmetry.h"

namespace toscac::plan {

struct EquivalentPieces {
  /// So many represent a class: see Representatives.h.
  size_t numRepresentatives = 0;
  /// By entity: a representative stands for it.
  llvm::BitVector hidden;
  /// Of each class with such entities: its representatives. Their entities
  /// correspond to each other by position.
  std::vector<std::vector<Entities>> classes;
};

/// Pieces of the service that are alike by their place in the graph, by what
/// cells have before and after \p part, by what the run did with them, and by
/// what is sent to them. No class where paths pick pieces by their number.
/// \p numRepresentatives of each class are kept.
EquivalentPieces findEquivalentPieces(const Start &start,
                                      const SymbolicRun &run, Part part,
                                      size_t numRepresentatives);

} // namespace toscac::plan

#endif
