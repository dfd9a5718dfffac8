//===- StepGraph.cpp - Steps and what they wait for -----------------------===//

#include "toscac/Plan/StepGraph.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac::plan;

StepId StepGraph::add(uint32_t event, llvm::ArrayRef<Dep> deps) {
  StepId id{uint32_t(events.size())};
  uint32_t stage = 0;
  for (Dep dep : deps) {
    assert(dep.step() < id && "steps wait for earlier ones");
    stage = std::max(stage, stages[dep.step().index] + 1);
  }
  events.push_back(event);
  edges.insert(edges.end(), deps.begin(), deps.end());
  offsets.push_back(edges.size());
  stages.push_back(stage);
  return id;
}

void StepGraph::makeChoice(StepId step, StepId dep) {
  for (uint64_t i = offsets[step.index]; i != offsets[step.index + 1]; ++i)
    if (edges[i].step() == dep)
      edges[i] = Dep(dep, /*isChoice=*/true);
}

void toscac::plan::normalize(llvm::SmallVectorImpl<Dep> &deps) {
  llvm::sort(deps);
  auto sameStep = [](Dep a, Dep b) { return a.step() == b.step(); };
  deps.erase(std::unique(deps.begin(), deps.end(), sameStep), deps.end());
}
