//===- BuildTasks.h - From workflows to tasks -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_BUILDTASKS_H
#define TOSCAC_LIB_PLAN_BUILDTASKS_H

#include "Steps/Tasks.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// The tasks of the imperative workflow \p workflow with the parameters of \p
/// goal; nothing after a report. The level rules of machines whose operations
/// it calls itself are suspended.
std::optional<TaskGraph> buildTasks(const ir::Workflow &workflow,
                                    const Goal &goal, EventSystem &system);

/// The same for the actions of \p triggers, which run side by side.
std::optional<TaskGraph>
buildTasks(llvm::ArrayRef<const ir::PolicyTrigger *> triggers,
           EventSystem &system);

/// Adds the tasks of operations that are mapped to workflows, and of policies
/// that act within the plan, in the system's machines as addActivities() left
/// them. False after a report.
bool addMappedTasks(EventSystem &system, TaskGraph &tasks);

/// Entities of \p subgraph that the node template or group \p target means;
/// not empty \p relationship: their relationships of that requirement.
std::vector<ir::EntityId> targetsOf(const ir::Graph &graph,
                                    ir::SubgraphId subgraph, Name target,
                                    Name relationship);

/// The same for \p step of \p workflow; nothing after a report of an instance
/// that is not there.
std::optional<std::vector<ir::EntityId>> targetsOf(const ir::Graph &graph,
                                                   ir::SubgraphId subgraph,
                                                   const ir::Workflow &workflow,
                                                   const ir::WorkflowStep &step,
                                                   DiagnosticEngine &diags);

} // namespace toscac::plan

#endif
