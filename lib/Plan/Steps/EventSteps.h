//===- EventSteps.h - The steps that accept an event ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_EVENTSTEPS_H
#define TOSCAC_LIB_PLAN_EVENTSTEPS_H

#include "System/Layout.h"
#include "toscac/Plan/StepGraph.h"
#include "llvm/ADT/DenseMap.h"

namespace toscac::plan {

/// Indexes a graph of steps by event.
class EventSteps {
public:
  EventSteps(const StepGraph &steps, uint32_t numEvents);

  /// In ascending order.
  llvm::ArrayRef<StepId> of(EventId event) const;

private:
  std::vector<StepId> firstSteps;
  /// All steps of events that are accepted more than once.
  llvm::DenseMap<uint32_t, std::vector<StepId>> repeated;
};

} // namespace toscac::plan

#endif
