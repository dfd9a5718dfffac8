//===- Outcomes.h - Whether guards tell outcomes apart ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_OUTCOMES_H
#define TOSCAC_LIB_PLAN_OUTCOMES_H

#include "PlanData.h"

namespace toscac::plan {

/// Where outputs are written to cells: compares, for each outcome, what the
/// steps of \p plan do whose guards hold with what the events do. Reports an
/// outcome for which that is not the same.
void checkOutcomes(PlanData &plan, unsigned maxRepeats);

} // namespace toscac::plan

#endif
