//===- Machines.h - What runs on which machine ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_MACHINES_H
#define TOSCAC_LIB_PLAN_MACHINES_H

#include "toscac/IR/Graph.h"

namespace toscac::plan {

/// The machine that a handler at \p entity with \p place runs on: the node, or
/// the nearest that contains it, whose type is marked `compute`. None where
/// there is no such node, and for what runs where the plan does.
std::optional<ir::NodeId> machineOf(const ir::Graph &graph, ir::EntityId entity,
                                    ir::HandlerPlace place);

} // namespace toscac::plan

#endif
