//===- Unavailable.h - How many are down at once ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_UNAVAILABLE_H
#define TOSCAC_LIB_PLAN_UNAVAILABLE_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Checks on the steps of \p plan that templates have no more instances down
/// at once than they allow, whatever takes how long; false after a report. Says
/// what was proved where orders are explored.
bool checkUnavailable(PlanData &plan);

} // namespace toscac::plan

#endif
