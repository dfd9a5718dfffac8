//===- EventSteps.cpp - The steps that accept an event --------------------===//

#include "EventSteps.h"

using namespace toscac::plan;

EventSteps::EventSteps(const StepGraph &steps, uint32_t numEvents)
    : firstSteps(numEvents) {
  for (uint32_t i = 0; i != steps.size(); ++i) {
    if (steps.isJoin({i}))
      continue;
    StepId &first = firstSteps[steps.event({i})];
    if (!first) {
      first = {i};
      continue;
    }
    auto &all = repeated[steps.event({i})];
    if (all.empty())
      all.push_back(first);
    all.push_back({i});
  }
}

llvm::ArrayRef<StepId> EventSteps::of(EventId event) const {
  const StepId &first = firstSteps[event.index];
  if (!first)
    return {};
  auto all = repeated.find(event.index);
  if (all != repeated.end())
    return all->second;
  return first;
}
