//===- Reachability.h - What comes before what ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_REACHABILITY_H
#define TOSCAC_LIB_PLAN_REACHABILITY_H

#include "toscac/Plan/StepGraph.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

/// Whether the plan has \p a done before \p b starts, choices left aside. Looks
/// only at steps between their stages.
bool isBefore(const StepGraph &steps, StepId a, StepId b);

} // namespace toscac::plan

#endif
