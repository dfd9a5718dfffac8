//===- Workflows.h - What a workflow starts with ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_WORKFLOWS_H
#define TOSCAC_LIB_PLAN_WORKFLOWS_H

#include "Steps/Start.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// Whether \p workflow is made of activities, so that their operations are
/// needed.
bool hasTasks(Name workflow, const ir::Graph &graph);

/// What the workflow of \p goal writes and sends; nothing after a report that
/// there is no such workflow.
std::optional<Start> startOf(const Goal &goal, EventSystem &system);

} // namespace toscac::plan

#endif
