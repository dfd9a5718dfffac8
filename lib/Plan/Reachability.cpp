//===- Reachability.cpp - What comes before what --------------------------===//

#include "Reachability.h"

using namespace toscac::plan;

bool toscac::plan::isBefore(const StepGraph &steps, StepId a, StepId b) {
  llvm::SmallVector<StepId, 16> open{b};
  llvm::SmallDenseSet<uint32_t, 16> seen;
  while (!open.empty()) {
    StepId at = open.pop_back_val();
    for (Dep dep : steps.deps(at)) {
      if (dep.isChoice() || dep.step() < a)
        continue;
      if (dep.step() == a)
        return true;
      if (steps.stage(dep.step()) > steps.stage(a) &&
          seen.insert(dep.step().index).second)
        open.push_back(dep.step());
    }
  }
  return false;
}
