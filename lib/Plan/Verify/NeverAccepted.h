//===- NeverAccepted.h - Events that no order accepts -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_NEVERACCEPTED_H
#define TOSCAC_LIB_PLAN_NEVERACCEPTED_H

#include "Ground.h"

namespace toscac::plan {

/// Whether something is sent to an operation that its machine, whatever state
/// it is in, can never accept. Reports it, once for each machine.
bool findNeverAccepted(const GroundSystem &system, const SymbolicRun &run);

} // namespace toscac::plan

#endif
