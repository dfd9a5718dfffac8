//===- toscac/Plan/PredictState.h - The state after a plan ------*- C++ -*-===//

#ifndef TOSCAC_PLAN_PREDICTSTATE_H
#define TOSCAC_PLAN_PREDICTSTATE_H

#include "toscac/Plan/Plan.h"

namespace toscac::planfile {

/// The deployment that \p plan leads to from \p before, which is null where it
/// starts from nothing, if all goes well; what only the run can know is left
/// out. Refers to \p before, \p plan and \p arena.
llvm::Expected<state::Deployment>
predictState(Plan &plan, const state::Deployment *before, ValueArena &arena);

} // namespace toscac::planfile

#endif
