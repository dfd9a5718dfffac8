//===- toscac/Plan/StepGraph.h - Steps and what they wait for ---*- C++ -*-===//
///
/// \file
/// The plan as a graph: steps in an order in which they can run, each with the
/// steps that must be done before it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_STEPGRAPH_H
#define TOSCAC_PLAN_STEPGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cassert>
#include <cstdint>
#include <vector>

namespace toscac::plan {

struct StepId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(StepId, StepId) = default;
  friend auto operator<=>(StepId, StepId) = default;
};

/// A step that another one waits for.
class Dep {
public:
  Dep(StepId step, bool isChoice = false)
      : raw(step.index << 1 | unsigned(isChoice)) {}
  StepId step() const { return {raw >> 1}; }
  /// One of several that would do, or an order that only the plan adds: the
  /// machines do not imply it.
  bool isChoice() const { return raw & 1; }
  friend bool operator==(Dep, Dep) = default;
  /// By step; of two to the same step the certain one first.
  friend auto operator<=>(Dep, Dep) = default;

private:
  uint32_t raw;
};

class StepGraph {
public:
  /// A step that accepts no event: it only waits.
  static constexpr uint32_t noEvent = ~0u;

  size_t size() const { return events.size(); }
  size_t numEdges() const { return edges.size(); }

  /// Adds a step after all others; \p deps are ascending and name each step
  /// once.
  StepId add(uint32_t event, llvm::ArrayRef<Dep> deps);

  uint32_t event(StepId step) const { return events[step.index]; }
  bool isJoin(StepId step) const { return event(step) == noEvent; }
  llvm::ArrayRef<Dep> deps(StepId step) const {
    return llvm::ArrayRef(edges).slice(
        offsets[step.index], offsets[step.index + 1] - offsets[step.index]);
  }
  /// Turns the edge from \p dep into a choice.
  void makeChoice(StepId step, StepId dep);
  /// 0 without deps, else one more than the highest among them.
  uint32_t stage(StepId step) const { return stages[step.index]; }

private:
  std::vector<uint32_t> events;
  std::vector<uint64_t> offsets{0};
  std::vector<Dep> edges;
  std::vector<uint32_t> stages;
};

/// Sorts \p deps and keeps one edge to each step, a certain one if there is.
void normalize(llvm::SmallVectorImpl<Dep> &deps);

} // namespace toscac::plan

#endif
