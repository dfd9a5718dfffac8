//===- Candidates.h - Targets that types allow ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CANDIDATES_H
#define TOSCAC_LIB_EXPAND_CANDIDATES_H

#include "Expansion.h"

namespace toscac::expanding {

/// Instances of a class that fit by type, and which of their capabilities do.
struct CandidateClass {
  uint32_t nodeClass;
  /// Rows of the class.
  uint32_t first;
  uint32_t count;
  llvm::SmallVector<uint32_t, 1> capabilities;
};

/// The classes of its subgraph that the requirement behind \p relationshipClass
/// can lead to, in template order.
std::vector<CandidateClass> findCandidates(Expansion &expansion,
                                           uint32_t relationshipClass);

/// The capability of \p target that the requirement behind \p relationshipClass
/// can lead to, \p preferred if that is possible; nothing if there is none.
std::optional<uint32_t> fittingCapability(const Expansion &expansion,
                                          uint32_t relationshipClass,
                                          ir::NodeId target,
                                          uint32_t preferred);

} // namespace toscac::expanding

#endif
