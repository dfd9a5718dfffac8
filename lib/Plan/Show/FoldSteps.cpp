//===- FoldSteps.cpp - Alike steps as one ---------------------------------===//

#include "FoldSteps.h"

#include "llvm/ADT/SetVector.h"
#include <map>

using namespace toscac;
using namespace toscac::planfile;

std::vector<uint32_t> planfile::callDepths(const Plan &plan) {
  std::vector<uint32_t> depths(plan.numSteps());
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    for (uint32_t dep : plan.deps(i))
      depths[i] = std::max(depths[i], depths[dep]);
    depths[i] += plan.steps()[i].kind == StepKind::Call;
  }
  return depths;
}

FoldedSteps::FoldedSteps(const Plan &plan, const FoldedNames &names, By by)
    : boxOf(plan.numSteps(), none), plan(plan),
      critical(plan.figures().criticalPath.begin(),
               plan.figures().criticalPath.end()) {
  addBoxes(names, by);
  addArrows();
}

void FoldedSteps::addBoxes(const FoldedNames &names, By by) {
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;
  std::map<Key, uint32_t> known;
  std::vector<uint32_t> depths = callDepths(plan);
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    const StepHead &head = plan.steps()[i];
    if (head.kind == StepKind::Join)
      continue;
    uint32_t pattern = names.pattern(head.entity);
    auto [place, isNew] =
        known.try_emplace({by == By::Stage ? depths[i] : 0, pattern,
                           head.interface, head.operation},
                          boxes.size());
    if (isNew)
      boxes.push_back({pattern, head.interface, head.operation, head.kind,
                       depths[i], depths[i]});
    boxOf[i] = place->second;
    AlikeSteps &box = boxes[place->second];
    box.steps.push_back(i);
    box.firstStage = std::min(box.firstStage, depths[i]);
    box.lastStage = std::max(box.lastStage, depths[i]);
    box.isCritical |= critical.contains(i);
  }
}

void FoldedSteps::addArrows() {
  using Boxes = llvm::SmallSetVector<uint32_t, 4>;
  llvm::DenseMap<uint32_t, Boxes> behindJoin;
  uint32_t lastCritical = none;
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    Boxes behind;
    for (uint32_t dep : plan.deps(i)) {
      if (boxOf[dep] != none)
        behind.insert(boxOf[dep]);
      else if (auto join = behindJoin.find(dep); join != behindJoin.end())
        behind.insert(join->second.begin(), join->second.end());
    }
    if (boxOf[i] == none) {
      behindJoin[i] = std::move(behind);
      continue;
    }
    for (uint32_t box : behind)
      if (box != boxOf[i])
        arrows[{box, boxOf[i]}] |= false;
    if (!critical.contains(i))
      continue;
    if (lastCritical != none)
      if (auto found = arrows.find({lastCritical, boxOf[i]});
          found != arrows.end())
        found->second = true;
    lastCritical = boxOf[i];
  }
}

std::string planfile::nameOf(const AlikeSteps &box, const Plan &plan,
                             const FoldedNames &names) {
  // An operation may run again.
  std::vector<uint32_t> entities;
  for (uint32_t step : box.steps)
    entities.push_back(plan.steps()[step].entity);
  llvm::sort(entities);
  entities.erase(llvm::unique(entities), entities.end());
  return names.fold(entities) + "." + plan.text(box.interface).str() + "." +
         plan.text(box.operation).str();
}
