//===- Figures.cpp - How large and deep a plan is -------------------------===//

#include "Figures.h"

using namespace toscac;
using namespace toscac::plan;

/// From the last step of the longest chain back, always to the dependency that
/// is done last; of several the first.
static std::vector<StepId> longestChain(const StepGraph &steps,
                                        llvm::ArrayRef<double> ends) {
  std::vector<StepId> chain;
  StepId last;
  for (uint32_t i = 0; i != steps.size(); ++i)
    if (!last || ends[i] > ends[last.index])
      last = {i};
  while (last) {
    chain.push_back(last);
    StepId next;
    for (Dep dep : steps.deps(last))
      if (!next || ends[dep.step().index] > ends[next.index])
        next = dep.step();
    last = next;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

Figures toscac::plan::figuresOf(const PlanData &plan) {
  const StepGraph &steps = plan.steps;
  Figures figures;
  std::vector<uint32_t> widths;
  std::vector<double> ends(steps.size());
  for (uint32_t i = 0; i != steps.size(); ++i) {
    StepId step{i};
    uint32_t stage = steps.stage(step);
    if (stage >= widths.size())
      widths.resize(stage + 1);
    figures.width = std::max(figures.width, ++widths[stage]);
    double start = 0;
    for (Dep dep : steps.deps(step))
      start = std::max(start, ends[dep.step().index]);
    ends[i] = start + plan.durationOf(step);
    figures.calls += plan.isCall(step);
  }
  figures.depth = widths.size();
  figures.criticalPath = longestChain(steps, ends);
  return figures;
}
