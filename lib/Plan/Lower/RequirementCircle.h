//===- RequirementCircle.h - Nodes that wait for each other -----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_LOWER_REQUIREMENTCIRCLE_H
#define TOSCAC_LIB_PLAN_LOWER_REQUIREMENTCIRCLE_H

#include "toscac/IR/Graph.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::plan {

/// Reports a circle of requirements among the nodes of \p waiting, whose
/// operations wait for each other: at the requirement that closes it, with a
/// note for each other one. False: there is none.
bool reportRequirementCircle(llvm::ArrayRef<ir::EntityId> waiting,
                             const ir::Graph &graph, DiagnosticEngine &diags);

} // namespace toscac::plan

#endif
