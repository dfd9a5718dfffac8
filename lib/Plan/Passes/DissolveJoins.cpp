//===- DissolveJoins.cpp - Joins that the run made ------------------------===//

#include "Passes.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class JoinDissolver {
public:
  JoinDissolver(const StepGraph &steps, bool all)
      : steps(steps), all(all), users(steps.size()) {}

  StepGraph dissolve(llvm::ArrayRef<StepId> origins, std::vector<StepId> &kept);

private:
  bool goes(StepId step) const {
    uint64_t n = steps.deps(step).size(), m = users[step.index];
    return steps.isJoin(step) && (all || n * m <= n + m);
  }

  const StepGraph &steps;
  bool all;
  std::vector<uint32_t> users;
};

} // namespace

StepGraph JoinDissolver::dissolve(llvm::ArrayRef<StepId> origins,
                                  std::vector<StepId> &kept) {
  for (uint32_t i = 0; i != steps.size(); ++i)
    for (Dep dep : steps.deps({i}))
      ++users[dep.step().index];
  StepGraph result;
  // What each step waits for in the end; for those that stay, itself.
  std::vector<llvm::SmallVector<Dep, 1>> standsFor(steps.size());
  for (uint32_t i = 0; i != steps.size(); ++i) {
    llvm::SmallVector<Dep, 8> deps;
    for (Dep dep : steps.deps({i}))
      for (Dep last : standsFor[dep.step().index])
        deps.push_back(Dep(last.step(), dep.isChoice() || last.isChoice()));
    normalize(deps);
    if (goes({i})) {
      standsFor[i].assign(deps.begin(), deps.end());
      continue;
    }
    standsFor[i].push_back(result.add(steps.event({i}), deps));
    kept.push_back(origins[i]);
  }
  return result;
}

void toscac::plan::dissolveJoins(PlanData &plan) {
  bool hasJoin = false;
  for (uint32_t i = 0; i != plan.steps.size() && !hasJoin; ++i)
    hasJoin = plan.steps.isJoin({i});
  if (!hasJoin)
    return;
  std::vector<StepId> origins;
  bool all = plan.options.optimization == 0;
  plan.steps = JoinDissolver(plan.steps, all).dissolve(plan.origins, origins);
  plan.origins = std::move(origins);
}
