//===- NeverReady.h - Operations that are sent in vain ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_NEVERREADY_H
#define TOSCAC_LIB_PLAN_NEVERREADY_H

#include "Run.h"

namespace toscac::plan {

/// Reports operations that rules or triggers send although no state that their
/// machine can be in accepts them: whatever the order, they are left out.
void findNeverReady(const Run &run);

} // namespace toscac::plan

#endif
