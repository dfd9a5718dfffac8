//===- Exclusions.cpp - Steps that must not overlap -----------------------===//

#include "Exclusions.h"

#include "PlanData.h"
#include "Reachability.h"

using namespace toscac;
using namespace toscac::plan;

void Exclusions::add(StepId a, StepId b) {
  assert(a != b && "a step does not exclude itself");
  pairs.push_back({std::max(a, b), std::min(a, b)});
}

void Exclusions::normalize() {
  llvm::sort(pairs);
  pairs.erase(llvm::unique(pairs), pairs.end());
}

llvm::ArrayRef<Exclusion> Exclusions::of(StepId later) const {
  auto begin = llvm::lower_bound(pairs, Exclusion{later, {0}});
  auto end = std::find_if(begin, pairs.end(), [&](const Exclusion &pair) {
    return pair.later != later;
  });
  return llvm::ArrayRef(pairs).slice(begin - pairs.begin(), end - begin);
}

/// An executor waits for choices like for all others.
static StepGraph withoutChoices(const StepGraph &steps) {
  StepGraph result;
  llvm::SmallVector<Dep, 8> deps;
  for (uint32_t i = 0; i != steps.size(); ++i) {
    deps.clear();
    for (Dep dep : steps.deps({i}))
      deps.push_back(dep.step());
    result.add(steps.event({i}), deps);
  }
  return result;
}

Exclusions toscac::plan::exclusionsOf(const PlanData &plan) {
  Exclusions result;
  if (plan.run.exclusions.empty())
    return result;
  std::vector<StepId> numbers(plan.run.steps.size());
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (StepId origin = plan.origins[i])
      numbers[origin.index] = {i};
  StepGraph steps = withoutChoices(plan.steps);
  Reachability order(steps);
  for (const Exclusion &pair : plan.run.exclusions.all()) {
    StepId a = numbers[pair.earlier.index], b = numbers[pair.later.index];
    if (!order.isBefore(std::min(a, b), std::max(a, b)))
      result.add(a, b);
  }
  result.normalize();
  return result;
}
