//===- ListedEntities.h - What a plan says of entities ----------*- C++ -*-===//
///
/// \file
/// A plan lists the entities that it adds, changes, removes or mentions; a plan
/// that starts from nothing lists all.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_LISTEDENTITIES_H
#define TOSCAC_LIB_PLAN_LISTEDENTITIES_H

#include "Steps/PlanData.h"

namespace toscac::plan {

struct ListedEntities {
  explicit ListedEntities(const PlanData &plan);

  std::vector<ir::EntityId> listed;
  /// By entity of the graph: its number in the plan.
  std::vector<uint32_t> numbers;
  /// By entity of the graph: the steps after which it has left; of those that
  /// leave.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> gone;
  /// By entity of the graph: the steps after which it has its new properties;
  /// of those that get others.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> renewed;
};

/// How many instances of a node template or scaling group there are when the
/// plan is done.
struct InstanceNumbers {
  llvm::StringRef name;
  uint32_t nextIndex;
  /// Nothing for a template that the service has no more.
  std::optional<uint32_t> count;
};
/// Of the service itself; what is inside a substituted node does not count.
std::vector<InstanceNumbers> instanceNumbers(const ir::Graph &graph);

/// Whether \p entity is not there any more when the plan is done.
bool leaves(const PlanData &plan, ir::EntityId entity);

} // namespace toscac::plan

#endif
