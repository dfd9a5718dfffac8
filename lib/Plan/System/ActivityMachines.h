//===- ActivityMachines.h - Operations that stand for activities *- C++ -*-===//
///
/// \file
/// Activities of workflows that call no operation of their target become
/// operations of their own, so that they are events like all others:
/// `set_state:started` writes a cell, `delegate:NAME` what an intent writes,
/// and a workflow that is a script as a whole is an operation of its service.
/// An operation that is mapped to a workflow of the service inside its node
/// only begins by itself; `done:NAME` and `failed:NAME` end it, and `run:NAME`
/// does where a node of the class has no such mapping. So does the operation
/// that stands for the trigger of a policy with a list of activities.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ACTIVITYMACHINES_H
#define TOSCAC_LIB_PLAN_ACTIVITYMACHINES_H

#include "Layout.h"

namespace toscac::plan {

/// The machines of \p graph with operations for what its workflows and
/// policies do. These live in \p arena.
MachineSet addActivities(const ir::Graph &graph, NameTable &names,
                         ValueArena &arena);

/// The triggers of policies that act within plans and do more than call one
/// operation, which is an event, with the slot of \p subgraph that has their
/// operations.
using ListedPolicy =
    std::pair<const ir::PolicyTrigger *, const ir::MachineSlot *>;
llvm::SmallVector<ListedPolicy, 2> listedPolicies(const ir::Graph &graph,
                                                  const ir::Subgraph &subgraph);

/// Names of operations that stand for activities.
Name setStateName(const Value &value, NameTable &names);
Name delegateName(Name workflow, NameTable &names);
Name doneName(Name operation, NameTable &names);
Name failedName(Name operation, NameTable &names);
Name runName(Name operation, NameTable &names);
/// The interface of services that has workflows which are scripts.
Name workflowInterface(NameTable &names);

} // namespace toscac::plan

#endif
