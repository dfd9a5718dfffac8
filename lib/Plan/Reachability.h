//===- Reachability.h - What comes before what ------------------*- C++ -*-===//
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
#include <optional>

namespace toscac::plan {

/// Searches a graph that is still growing, between the stages of both steps.
bool isBefore(const StepGraph &steps, StepId a, StepId b);

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
