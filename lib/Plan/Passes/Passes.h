//===- Passes.h - Passes over the steps -------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PASSES_H
#define TOSCAC_LIB_PLAN_PASSES_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Takes out joins, the steps of the run that only wait, where they save no
/// edges; at -O0 all of them.
void dissolveJoins(PlanData &plan);

void reduceEdges(PlanData &plan);
void joinEdges(PlanData &plan);

/// Numbers steps that accept the same event.
void numberOccurrences(PlanData &plan);

} // namespace toscac::plan

#endif
