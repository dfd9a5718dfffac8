//===- ScalingGroups.h - Groups that are scaled as a whole ------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_SCALINGGROUPS_H
#define TOSCAC_LIB_EXPAND_SCALINGGROUPS_H

#include "Graph/Expansion.h"

namespace toscac::expanding {

/// The instances of \p group, if it is one that is scaled: its type marks the
/// property that says how many (`scaling.count`).
void addGroupInstances(Expansion &expansion, const sema::Group &group,
                       ir::Group &added);

/// What the marks `scaling.min` and `scaling.max` of a type name.
struct Bounds {
  std::optional<int64_t> min, max;

  bool contain(uint64_t count) const {
    return (!min || int64_t(count) >= *min) && (!max || int64_t(count) <= *max);
  }
  /// `2 to 4`, `at least 2`, `at most 4`
  std::string text() const;
};
Bounds boundsOf(const ir::Graph &graph, ir::TypeId type,
                llvm::ArrayRef<ir::ValueColumn> properties);

/// Reports templates whose number of instances, which a change of the
/// deployment has decided, is outside of the bounds of a capability.
void checkBounds(const Expansion &expansion);

} // namespace toscac::expanding

#endif
