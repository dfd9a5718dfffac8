//===- ReverseWalk.h - Paths backwards --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_REVERSEWALK_H
#define TOSCAC_LIB_PLAN_REVERSEWALK_H

#include "toscac/IR/ImmediateRemoval.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac::plan {

/// As below, where there are steps.
void walkBack(const ir::Graph &graph, ir::EntityId end,
              llvm::ArrayRef<ir::PathStep> steps, ir::EntityKind self,
              llvm::function_ref<void(ir::EntityId)> visit);

/// Calls \p visit with each entity of kind \p self from which \p steps lead to
/// \p end, as often as they do. All indices are literals.
template <typename Visit>
void forEachOrigin(const ir::Graph &graph, ir::EntityId end,
                   llvm::ArrayRef<ir::PathStep> steps, ir::EntityKind self,
                   Visit visit) {
  if (!steps.empty())
    walkBack(graph, end, steps, self, visit);
  else if (graph.kindOf(end) == self && !isRemovedAtOnce(graph, end))
    visit(end);
}

/// Whether two paths, with literal indices, are the same.
bool leadAlike(llvm::ArrayRef<ir::PathStep> a, llvm::ArrayRef<ir::PathStep> b);

/// What \p steps lead to from an entity of kind \p self.
ir::EntityKind kindAfter(llvm::ArrayRef<ir::PathStep> steps,
                         ir::EntityKind self);

} // namespace toscac::plan

#endif
