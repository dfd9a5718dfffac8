//===- Reachability.h - Order of steps --------------------------*- C++ -*-===//
///
/// \file
/// Answers whether one step is done before another starts in every order that
/// a plan allows. Choices count only where all edges are asked for.
///
/// Most questions are answered by labels. Two trees are laid over the graph:
/// each step below the dependency of its highest stage, and each step below
/// the dependant of its lowest stage; an ancestor in either is an answer. A
/// third label shows what cannot be reached. The rest is searched for.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_REACHABILITY_H
#define TOSCAC_LIB_PLAN_REACHABILITY_H

#include "toscac/Plan/StepGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace toscac::plan {

/// Searches a graph that is still growing, between the stages of both steps.
bool isBefore(const StepGraph &steps, StepId a, StepId b);

/// What waits for each step of a graph that is still growing.
class Dependants {
public:
  explicit Dependants(const StepGraph &steps) : steps(steps) {}

  /// Without choices.
  llvm::ArrayRef<StepId> of(StepId step);

  const StepGraph &steps;

private:
  std::vector<llvm::SmallVector<StepId, 2>> known;
};

/// Answers whether a step comes before one of several, in a graph that is still
/// growing. A few steps are walked over from that step on; else all from the
/// others back, once for all questions.
class EarlierSteps {
public:
  EarlierSteps(Dependants &dependants, llvm::ArrayRef<Dep> of)
      : dependants(dependants), steps(dependants.steps), of(of) {}

  bool operator()(StepId step);

private:
  std::optional<bool> walkOn(StepId step);
  void walkBack(uint32_t stage);

  static constexpr size_t fewSteps = 16;
  Dependants &dependants;
  const StepGraph &steps;
  llvm::ArrayRef<Dep> of;
  /// Found so far: all before `of` whose stage is `lowest` or higher.
  llvm::SmallDenseSet<uint32_t, 16> found;
  /// Those that stand at its edge.
  llvm::SmallVector<StepId, 16> edge;
  uint32_t lowest = ~0u;
};

class Reachability {
public:
  enum class Edges { Certain, All };
  explicit Reachability(const StepGraph &steps, Edges edges = Edges::Certain);

  /// Whether \p a is done before \p b starts.
  bool isBefore(StepId a, StepId b);

private:
  /// Numbers of a walk over a tree: an ancestor's range has its descendants'.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
    bool contains(const Range &other) const {
      return begin <= other.begin && other.end <= end;
    }
  };
  static std::vector<Range> walkTree(llvm::ArrayRef<StepId> parents,
                                     bool parentsFirst);
  void labelBelow();
  std::optional<bool> byLabel(StepId a, StepId b) const;
  bool search(StepId a, StepId b);

  bool counts(Dep dep) const { return choicesCount || !dep.isChoice(); }

  const StepGraph &steps;
  bool choicesCount;
  std::vector<Range> fromDeps;
  std::vector<Range> toDependants;
  /// Everything before a step has a rank within its range.
  std::vector<Range> below;
  llvm::DenseMap<uint64_t, bool> known;
};

} // namespace toscac::plan

#endif
