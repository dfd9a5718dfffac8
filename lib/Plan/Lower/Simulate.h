//===- Simulate.h - Running the event system symbolically -------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_SIMULATE_H
#define TOSCAC_LIB_PLAN_SIMULATE_H

#include "Steps/Start.h"

namespace toscac::plan {

/// Runs the event system once (DESIGN 6.2). Steps end in the order in which
/// they started. Where the workflow wants one thing after another, \p isReached
/// is asked between them whether the first is reached, and reports if not.
/// False, after a report, if it is not, or if the run does not come to an end.
bool simulate(const Start &start, unsigned maxRepeats, SymbolicRun &run,
              llvm::function_ref<bool()> isReached);

} // namespace toscac::plan

#endif
