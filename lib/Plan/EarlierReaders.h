//===- EarlierReaders.h - Steps before what comes later ---------*- C++ -*-===//
///
/// \file
/// What a workflow wants first is decided by cells as they are then: a step of
/// what it wants later, the first to write such a cell, waits for those that
/// read it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_EARLIERREADERS_H
#define TOSCAC_LIB_PLAN_EARLIERREADERS_H

#include "Run.h"
#include "Support.h"

namespace toscac::plan {

/// Adds to \p needs what \p event, which is accepted now, has to wait for.
/// \p lastSteps has the last step of each event.
void addEarlierReaders(const Run &run, llvm::ArrayRef<StepId> lastSteps,
                       EventId event, Support &needs);

} // namespace toscac::plan

#endif
