//===- Endless.h - Runs that never end --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_ENDLESS_H
#define TOSCAC_LIB_PLAN_ENDLESS_H

#include "Run.h"

namespace toscac::plan {

/// Who sent its event; of a rule, the last of those that made it fire.
StepId causeOf(const Run &run, StepId step);

/// Reports that \p event, which \p cause leads to, is accepted again: \p how.
void reportEndless(const Run &run, EventId event, StepId cause,
                   std::string how);

} // namespace toscac::plan

#endif
