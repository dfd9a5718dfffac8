//===- RunPasses.h - From the run to the plan -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_RUNPASSES_H
#define TOSCAC_LIB_PLAN_RUNPASSES_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Runs the passes of Passes.def as the options of \p plan say; false after a
/// report of an error.
bool runPasses(PlanData &plan);

} // namespace toscac::plan

#endif
