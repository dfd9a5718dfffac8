//===- Refinement.h - Edges against wrong timing ----------------*- C++ -*-===//
///
/// \file
/// A plan refines the event system: in every replay that respects its order and
/// its exclusions, each step's precondition holds when the step starts, and
/// cells end as the symbolic run says.
///
/// The run itself proves that only for replays in which steps start at once.
/// What could go wrong otherwise is cured here, in the order of the run: steps
/// that leave different values in a cell are ordered (write after write), and a
/// step whose condition another one makes false comes before that one (write
/// after read). A step that makes it false only while it runs is excluded
/// instead: either may be first. docs/Refinement.md has the argument.
///
/// The same is done for the condition of the rule that sent a step, as far as
/// that does not lead to a cycle: two rules may fire at once, and what follows
/// from one undo the other's condition. Both have fired by then, and neither
/// step can be first.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_REFINEMENT_H
#define TOSCAC_LIB_PLAN_REFINEMENT_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Adds edges and exclusions to \p plan until it is a refinement. False, after
/// a report, where steps would have to start together.
bool refine(PlanData &plan);

/// Checks the finished plan by what its steps can find in cells, whatever
/// refine() did; ends the program if it is no refinement. Builds without
/// assertions do that for `--verify` alone.
void checkRefinement(PlanData &plan);

} // namespace toscac::plan

#endif
