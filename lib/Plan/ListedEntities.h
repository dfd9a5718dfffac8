//===- ListedEntities.h - What a plan says of entities ----------*- C++ -*-===//
///
/// \file
/// A plan lists the entities that it adds, changes, removes or mentions; a plan
/// that starts from nothing lists all.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_LISTEDENTITIES_H
#define TOSCAC_LIB_PLAN_LISTEDENTITIES_H

#include "PlanData.h"

namespace toscac::plan {

struct ListedEntities {
  explicit ListedEntities(const PlanData &plan);

  std::vector<ir::EntityId> listed;
  /// By entity of the graph: its number in the plan.
  std::vector<uint32_t> numbers;
  /// By entity of the graph: the steps after which it has left; of those that
  /// leave.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> gone;
};

/// Nodes of \p nodeClass that are there when the plan is done.
uint32_t stayingNodes(const ir::Graph &graph, const ir::NodeClass &nodeClass);

/// Whether \p entity is not there any more when the plan is done.
bool leaves(const PlanData &plan, ir::EntityId entity);

} // namespace toscac::plan

#endif
