//===- Reduce.cpp - Removing edges that others imply ----------------------===//
///
/// \file
/// Transitive reduction: an edge goes if another way leads to the same step.
/// The search is between the stages of both; where it takes too long in all,
/// the remaining edges stay.
///
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class Reducer {
public:
  explicit Reducer(const StepGraph &steps) : steps(steps) {
    // A hundred looks for each edge are plenty for any real plan.
    budget = 100 * steps.numEdges() + 1000;
  }

  StepGraph reduce();

private:
  /// Those of \p deps that no other of them waits for.
  void keepNearest(llvm::ArrayRef<Dep> deps, llvm::SmallVectorImpl<Dep> &kept);

  const StepGraph &steps;
  uint64_t budget;
};

} // namespace

void Reducer::keepNearest(llvm::ArrayRef<Dep> deps,
                          llvm::SmallVectorImpl<Dep> &kept) {
  kept.assign(deps.begin(), deps.end());
  if (deps.size() < 2 || budget == 0)
    return;
  uint32_t lowest = ~0u;
  for (Dep dep : deps)
    lowest = std::min(lowest, steps.stage(dep.step()));
  llvm::SmallDenseSet<uint32_t, 16> reached;
  llvm::SmallVector<StepId, 16> open;
  for (Dep dep : deps)
    open.push_back(dep.step());
  while (!open.empty()) {
    StepId at = open.pop_back_val();
    for (Dep dep : steps.deps(at)) {
      if (budget == 0)
        return;
      --budget;
      if (steps.stage(dep.step()) >= lowest &&
          reached.insert(dep.step().index).second)
        open.push_back(dep.step());
    }
  }
  llvm::erase_if(kept,
                 [&](Dep dep) { return reached.contains(dep.step().index); });
}

StepGraph Reducer::reduce() {
  StepGraph result;
  llvm::SmallVector<Dep, 8> kept;
  for (uint32_t i = 0; i != steps.size(); ++i) {
    keepNearest(steps.deps({i}), kept);
    result.add(steps.event({i}), kept);
  }
  return result;
}

void toscac::plan::reduceEdges(PlanData &plan) {
  plan.steps = Reducer(plan.steps).reduce();
}
