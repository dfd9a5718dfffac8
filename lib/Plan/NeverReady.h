//===- NeverReady.h - Operations that are sent in vain ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_NEVERREADY_H
#define TOSCAC_LIB_PLAN_NEVERREADY_H

#include "Ground.h"

namespace toscac::plan {

/// Whether something is sent to an operation that its machine, whatever state
/// it is in, can never accept. Reports it, once for each machine.
bool findNeverReady(const GroundSystem &system, const Run &run);

} // namespace toscac::plan

#endif
