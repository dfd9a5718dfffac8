//===- ChangeInTurns.h - Instances that change in turn ----------*- C++ -*-===//
///
/// \file
/// Templates may bound how many of their instances are down at once
/// (`max_unavailable`). What is replaced or updated then goes in turns: a turn
/// is taken down and brought up again before the next one begins. What is
/// inside of a node goes with it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_CHANGEINTURNS_H
#define TOSCAC_LIB_PLAN_CHANGEINTURNS_H

#include "Steps/Start.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// Whether some template of \p graph has more instances to replace or update
/// than may be down at once.
bool hasTurns(const ir::Graph &graph);

/// What leaves goes first; then come the turns, as tasks. What is new, and
/// whatever else is to be up, comes up in the first one. Nothing after a
/// report.
std::optional<Start> startInTurns(const Goal &goal, EventSystem &system);

/// Notes in \p run when each entity that is replaced in a turn begins to come
/// up.
void noteTurns(SymbolicRun &run);

} // namespace toscac::plan

#endif
