//===- Passes.h - Passes over the steps -------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PASSES_H
#define TOSCAC_LIB_PLAN_PASSES_H

#include "PlanData.h"

namespace toscac::plan {

/// Runs the passes of Passes.def as \p options say.
void runPasses(PlanData &plan, const PlanOptions &options);

/// Takes out steps of the run that only wait where that saves no edges;
/// \p all: wherever they are.
void dissolveJoins(PlanData &plan, bool all);

#define PASS(NAME, FUNCTION, LEVEL, HELP) void FUNCTION(PlanData &plan);
#include "toscac/Plan/Passes.def"

/// Checks what passes may break: steps wait for earlier ones, each once, and
/// every step of the run is there, except those that only wait. Exclusions are
/// of steps of the run that do something.
bool verifySteps(const PlanData &plan);

} // namespace toscac::plan

#endif
