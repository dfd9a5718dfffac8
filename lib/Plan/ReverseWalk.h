//===- ReverseWalk.h - Paths backwards --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_REVERSEWALK_H
#define TOSCAC_LIB_PLAN_REVERSEWALK_H

#include "toscac/IR/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac::plan {

/// Calls \p visit with each entity of kind \p self from which \p steps lead to
/// \p end, as often as they do. All indices are literals.
void forEachOrigin(const ir::Graph &graph, ir::EntityId end,
                   llvm::ArrayRef<ir::PathStep> steps, ir::EntityKind self,
                   llvm::function_ref<void(ir::EntityId)> visit);

/// What \p steps lead to from an entity of kind \p self.
ir::EntityKind kindAfter(llvm::ArrayRef<ir::PathStep> steps,
                         ir::EntityKind self);

} // namespace toscac::plan

#endif
