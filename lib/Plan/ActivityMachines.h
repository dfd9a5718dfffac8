//===- ActivityMachines.h - Operations that stand for activities *- C++ -*-===//
///
/// \file
/// Activities of workflows that call no operation of their target become
/// operations of their own, so that they are events like all others:
/// `set_state:started` writes a cell, `delegate:NAME` what an intent writes,
/// and a workflow that is a script as a whole is an operation of its service.
/// An operation that is mapped to a workflow of the service inside its node
/// only begins by itself; `done:NAME` and `failed:NAME` end it, and `run:NAME`
/// does where a node of the class has no such mapping.
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
