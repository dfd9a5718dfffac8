//===- FinishedContent.h - What a plan in memory holds ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FINISHEDCONTENT_H
#define TOSCAC_LIB_PLAN_FINISHEDCONTENT_H

#include "EntityNames.h"
#include "NodeGroups.h"
#include "toscac/Plan/FinishPlan.h"
#include <deque>

namespace toscac::plan {

struct FinishedPlan::Content {
  explicit Content(const ir::Graph &graph)
      : graph(graph), groups(graph), names(graph) {}

  const ir::Graph &graph;
  /// Owns parts of guards and inputs.
  std::optional<plan::Plan> made;
  NodeGroups groups;
  EntityNames names;
  ValueArena arena;

  // Entities, by number in the plan.
  std::vector<ir::EntityId> listed;
  /// By entity of the graph.
  std::vector<uint32_t> numbers;
  /// Numbers of texts: their cells before the plan and after it; none: they
  /// have no cell.
  std::vector<uint32_t> cellsBefore;
  std::vector<uint32_t> cellsAfter;
  // Of few of them.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> gone;
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> renewed;
  llvm::DenseMap<uint32_t, Value> lasting;
  /// By column and row: what remains of values that are no literals, with
  /// numbers of the plan; null: nothing.
  llvm::DenseMap<std::pair<const ir::ValueColumn *, uint32_t>, const Expr *>
      late;

  // Steps. A body serves all that are alike.
  std::deque<planfile::StepBody> bodies;
  std::vector<uint32_t> bodyOf;
  /// Steps whose operation ran before: how often it is then.
  llvm::DenseMap<uint32_t, uint32_t> occurrences;
  /// By body: steps of other entities may have it, too.
  std::vector<bool> isShared;

  std::vector<std::pair<Name, const Expr *>> outputs;
  std::optional<std::vector<state::SharedLink>> shared;

  /// The value of a column, or what remains of it; null: none.
  const Expr *valueOf(const ir::ValueColumn &column, uint32_t row) const {
    const Expr *value = column.values.at(row);
    if (!value || value->isLiteral())
      return value;
    auto found = late.find({&column, row});
    return found == late.end() ? nullptr : found->second;
  }
};

} // namespace toscac::plan

#endif
