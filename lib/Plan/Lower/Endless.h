//===- Endless.h - Runs that never end --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_ENDLESS_H
#define TOSCAC_LIB_PLAN_ENDLESS_H

#include "Steps/SymbolicRun.h"

namespace toscac::plan {

/// Who sent its event; of a rule, the last of those that made it fire.
StepId causeOf(const SymbolicRun &run, StepId step);

/// Reports that \p event, which \p cause leads to, is accepted again: \p how.
void reportEndless(const SymbolicRun &run, EventId event, StepId cause,
                   std::string how);

} // namespace toscac::plan

#endif
