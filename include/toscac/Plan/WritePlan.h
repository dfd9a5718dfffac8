//===- toscac/Plan/WritePlan.h - plan.json ----------------------*- C++ -*-===//

#ifndef TOSCAC_PLAN_WRITEPLAN_H
#define TOSCAC_PLAN_WRITEPLAN_H

#include "toscac/Plan/FinishPlan.h"
#include "toscac/State/State.h"

namespace llvm {
class raw_ostream;
}

namespace toscac::plan {

/// What other deployments may consume once a plan for \p graph has run;
/// nothing: the plan leaves that as it is. A value that is not known yet is
/// null. The links refer to the graph and to \p arena.
std::optional<std::vector<state::SharedLink>>
sharedAfter(const ir::Graph &graph, ValueArena &arena);

/// Writes \p plan as plan.json, version 1 (docs/PlanFormat.md).
void writePlan(const FinishedPlan &plan, llvm::raw_ostream &os);
/// Writes the line of entity \p id, without its end.
void writeEntity(const FinishedPlan &plan, uint32_t id, llvm::raw_ostream &os);

} // namespace toscac::plan

#endif
