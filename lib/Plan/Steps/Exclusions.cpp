//===- Exclusions.cpp - Steps that must not overlap -----------------------===//

#include "Exclusions.h"

#include "PlanOrder.h"

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

Exclusions toscac::plan::exclusionsOf(const PlanData &plan) {
  Exclusions result;
  if (plan.run.exclusions.empty())
    return result;
  PlanOrder order(plan);
  for (const Exclusion &pair : plan.run.exclusions.all())
    if (!order.areOrdered(pair.earlier, pair.later))
      result.add(order.inPlan(pair.earlier), order.inPlan(pair.later));
  result.normalize();
  return result;
}
