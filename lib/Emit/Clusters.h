//===- Clusters.h - Chains of alike instances -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_CLUSTERS_H
#define TOSCAC_LIB_EMIT_CLUSTERS_H

#include "Groups.h"
#include <map>

namespace toscac::emit {

/// How many steps of one group wait for steps of another themselves.
struct GroupEdge {
  size_t pairs = 0;
  /// Each waits for the one with its own index.
  bool isOneToOne = true;
};

/// Groups that are one after the other for each instance: what happens to one
/// instance waits for nothing that happens to another.
struct Cluster {
  /// In an order in which they can run.
  std::vector<uint32_t> groups;
  /// Clusters that it waits for.
  std::vector<uint32_t> before;
};

/// The plan with one vertex for all that is alike.
struct Clusters {
  /// Joins are groups of one step.
  std::vector<StepGroup> groups;
  /// By group: the groups it waits for.
  std::vector<std::map<uint32_t, GroupEdge>> before;
  std::vector<uint32_t> clusterOf;
  /// In an order in which they can run; what follows from one comes soon after
  /// it.
  std::vector<Cluster> all;

  /// Whether the plan wants all of cluster \p to after all of \p from.
  bool isWhole(uint32_t from, uint32_t to) const;
  size_t numSteps(uint32_t cluster) const;
};

Clusters findClusters(const planfile::Plan &plan, const Waits &waits,
                      llvm::ArrayRef<std::string> names);

} // namespace toscac::emit

#endif
