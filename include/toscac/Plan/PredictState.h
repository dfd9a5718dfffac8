//===- toscac/Plan/PredictState.h - The state after a plan ------*- C++ -*-===//

#ifndef TOSCAC_PLAN_PREDICTSTATE_H
#define TOSCAC_PLAN_PREDICTSTATE_H

#include "toscac/Plan/WritePlan.h"
#include "toscac/State/State.h"

namespace toscac::plan {

/// The deployment that \p plan leads to from \p before, which is null where it
/// starts from nothing, if all goes well; what only the run can know is left
/// out. Refers to \p arena.
state::Deployment predictState(const Plan &plan,
                               const state::Deployment *before,
                               ValueArena &arena);

} // namespace toscac::plan

#endif
