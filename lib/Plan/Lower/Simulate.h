//===- Simulate.h - Running the event system symbolically -------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_SIMULATE_H
#define TOSCAC_LIB_PLAN_SIMULATE_H

#include "Steps/Start.h"

namespace toscac::plan {

/// Runs the event system once (DESIGN 6.2). Steps end in the order in which
/// they started. \p isReached is asked before what is later. False, after a
/// report, if it does not come to an end, or that is false.
bool simulate(const Start &start, unsigned maxRepeats, SymbolicRun &run,
              llvm::function_ref<bool()> isReached);

} // namespace toscac::plan

#endif
