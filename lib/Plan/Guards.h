//===- Guards.h - Steps that may turn out not to happen ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_GUARDS_H
#define TOSCAC_LIB_PLAN_GUARDS_H

#include "PlanData.h"

namespace toscac::plan {

/// Gives every step that cannot happen without a guarded one its guards, too.
void inheritGuards(PlanData &plan);

/// The guard of step \p origin of the run; null: none.
const Expr *guardOf(const PlanData &plan, StepId origin, ValueArena &arena);

} // namespace toscac::plan

#endif
