//===- NumberOccurrences.cpp - Steps of one operation ---------------------===//

#include "Passes.h"

#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;

void toscac::plan::numberOccurrences(PlanData &plan) {
  llvm::BitVector seen(plan.system.layout.numEvents());
  llvm::DenseMap<uint32_t, uint32_t> counts;
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    if (plan.steps.isJoin({i}))
      continue;
    uint32_t event = plan.steps.event({i});
    if (!seen.test(event))
      seen.set(event);
    else
      plan.occurrences[i] = ++counts.try_emplace(event, 1).first->second;
  }
}
