//===- Reachability.cpp - What comes before what --------------------------===//

#include "Reachability.h"

#include "llvm/ADT/DenseSet.h"

using namespace toscac::plan;
using llvm::ArrayRef;

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

/// Numbers the nodes of a forest so that a range holds the ranges below it.
/// Parents have lower numbers than their children (\p parentsFirst) or higher.
std::vector<Reachability::Range>
Reachability::walkTree(ArrayRef<StepId> parents, bool parentsFirst) {
  size_t count = parents.size();
  std::vector<Range> ranges(count);
  std::vector<uint32_t> sizes(count, 1);
  auto childrenFirst = [&](auto visit) {
    for (size_t i = 0; i != count; ++i)
      visit(parentsFirst ? count - 1 - i : i);
  };
  childrenFirst([&](size_t i) {
    if (parents[i])
      sizes[parents[i].index] += sizes[i];
  });
  // Where the next child of a node (or root) begins.
  std::vector<uint32_t> next(count);
  uint32_t nextRoot = 0;
  for (size_t i = 0; i != count; ++i) {
    size_t node = parentsFirst ? i : count - 1 - i;
    uint32_t &begin = parents[node] ? next[parents[node].index] : nextRoot;
    ranges[node] = {begin, begin + sizes[node]};
    next[node] = begin + 1;
    begin += sizes[node];
  }
  return ranges;
}

/// Walks from the last steps down; a step is left when all before it have
/// been, so that its rank is the highest of its range.
void Reachability::labelBelow() {
  below.resize(steps.size());
  std::vector<bool> seen(steps.size());
  uint32_t rank = 0;
  struct Frame {
    StepId step;
    size_t next;
  };
  std::vector<Frame> open;
  auto enter = [&](StepId step) {
    seen[step.index] = true;
    below[step.index].begin = ~0u;
    open.push_back({step, 0});
  };
  for (size_t i = steps.size(); i-- != 0;) {
    if (seen[i])
      continue;
    enter({uint32_t(i)});
    while (!open.empty()) {
      Frame &frame = open.back();
      Range &range = below[frame.step.index];
      ArrayRef<Dep> deps = steps.deps(frame.step);
      if (frame.next == deps.size()) {
        range.end = ++rank;
        range.begin = std::min(range.begin, rank - 1);
        open.pop_back();
        continue;
      }
      Dep dep = deps[frame.next];
      if (!counts(dep)) {
        ++frame.next;
        continue;
      }
      if (!seen[dep.step().index]) {
        enter(dep.step());
        continue;
      }
      range.begin = std::min(range.begin, below[dep.step().index].begin);
      ++frame.next;
    }
  }
}

Reachability::Reachability(const StepGraph &steps, Edges edges)
    : steps(steps), choicesCount(edges == Edges::All) {
  std::vector<StepId> highest(steps.size()), lowest(steps.size());
  for (uint32_t i = 0; i != steps.size(); ++i)
    for (Dep dep : steps.deps({i})) {
      if (!counts(dep))
        continue;
      StepId from = dep.step();
      if (!highest[i] || steps.stage(from) > steps.stage(highest[i]))
        highest[i] = from;
      StepId &to = lowest[from.index];
      if (!to || steps.stage({i}) < steps.stage(to))
        to = {i};
    }
  fromDeps = walkTree(highest, /*parentsFirst=*/true);
  toDependants = walkTree(lowest, /*parentsFirst=*/false);
  labelBelow();
}

std::optional<bool> Reachability::byLabel(StepId a, StepId b) const {
  if (a >= b || steps.stage(a) >= steps.stage(b))
    return false;
  if (fromDeps[a.index].contains(fromDeps[b.index]) ||
      toDependants[b.index].contains(toDependants[a.index]))
    return true;
  if (!below[b.index].contains(below[a.index]))
    return false;
  return std::nullopt;
}

bool Reachability::search(StepId a, StepId b) {
  llvm::SmallVector<StepId, 16> open{b};
  llvm::SmallDenseSet<uint32_t, 16> seen;
  while (!open.empty()) {
    StepId at = open.pop_back_val();
    for (Dep dep : steps.deps(at)) {
      if (!counts(dep))
        continue;
      if (dep.step() == a)
        return true;
      std::optional<bool> answer = byLabel(a, dep.step());
      if (answer == true)
        return true;
      if (!answer && seen.insert(dep.step().index).second)
        open.push_back(dep.step());
    }
  }
  return false;
}

bool Reachability::isBefore(StepId a, StepId b) {
  if (std::optional<bool> answer = byLabel(a, b))
    return *answer;
  uint64_t key = uint64_t(a.index) << 32 | b.index;
  auto [found, isNew] = known.try_emplace(key);
  if (!isNew)
    return found->second;
  bool answer = search(a, b);
  return known[key] = answer;
}
