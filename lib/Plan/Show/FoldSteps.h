//===- FoldSteps.h - Alike steps as one -------------------------*- C++ -*-===//
///
/// \file
/// Steps of one operation that instances of one template have: what pictures
/// and pages show as one box, and which boxes wait for which. Their number
/// depends on templates and stages, not on instances.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FOLDSTEPS_H
#define TOSCAC_LIB_PLAN_FOLDSTEPS_H

#include "FoldNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace toscac::planfile {

/// By step: how many calls are on the longest chain that ends with it.
std::vector<uint32_t> callDepths(const Plan &plan);

struct AlikeSteps {
  uint32_t pattern;
  uint32_t interface;
  uint32_t operation;
  StepKind kind;
  /// The lowest and the highest depth of its steps.
  uint32_t firstStage;
  uint32_t lastStage;
  /// In ascending order.
  std::vector<uint32_t> steps;
  bool isCritical = false;
};

struct FoldedSteps {
  enum class By : uint8_t {
    Operation,
    /// Steps of different depth are different, too.
    Stage
  };
  FoldedSteps(const Plan &plan, const FoldedNames &names, By by);

  /// In order of their first step; joins are in none.
  std::vector<AlikeSteps> boxes;
  /// By step that is no failure step; none: a join.
  std::vector<uint32_t> boxOf;
  /// From a box to one that waits for it, and whether the critical path goes
  /// along there. What a join waits for is waited for by those who wait for it.
  llvm::MapVector<std::pair<uint32_t, uint32_t>, bool> arrows;

private:
  void addBoxes(const FoldedNames &names, By by);
  void addArrows();

  const Plan &plan;
  llvm::DenseSet<uint32_t> critical;
};

/// `site[0..2].standard.start`
std::string nameOf(const AlikeSteps &box, const Plan &plan,
                   const FoldedNames &names);

} // namespace toscac::planfile

#endif
