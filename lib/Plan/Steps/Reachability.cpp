//===- Reachability.cpp - Order of steps ----------------------------------===//

#include "Reachability.h"

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

ArrayRef<StepId> Dependants::of(StepId step) {
  for (uint32_t i = known.size(); i != steps.size(); ++i) {
    known.emplace_back();
    for (Dep dep : steps.deps({i}))
      if (!dep.isChoice())
        known[dep.step().index].push_back({i});
  }
  return known[step.index];
}

/// Nothing: there is too much to walk over.
std::optional<bool> EarlierSteps::walkOn(StepId step) {
  llvm::SmallVector<StepId, fewSteps> reached{step};
  for (size_t i = 0; i != reached.size(); ++i) {
    ArrayRef<StepId> next = dependants.of(reached[i]);
    if (reached.size() + next.size() > fewSteps)
      return std::nullopt;
    for (StepId later : next)
      if (!llvm::is_contained(reached, later))
        reached.push_back(later);
  }
  return llvm::any_of(llvm::drop_begin(reached), [&](StepId later) {
    return llvm::any_of(of, [&](Dep dep) { return dep.step() == later; });
  });
}

/// Finds all before `of` whose stage is \p stage or higher.
void EarlierSteps::walkBack(uint32_t stage) {
  llvm::SmallVector<StepId, 16> open;
  if (lowest == ~0u)
    for (Dep dep : of)
      open.push_back(dep.step());
  else
    open.swap(edge);
  lowest = stage;
  while (!open.empty()) {
    StepId at = open.pop_back_val();
    // What it waits for is of a lower stage.
    if (steps.stage(at) <= lowest) {
      edge.push_back(at);
      continue;
    }
    for (Dep dep : steps.deps(at))
      if (!dep.isChoice() && found.insert(dep.step().index).second)
        open.push_back(dep.step());
  }
}

bool EarlierSteps::operator()(StepId step) {
  uint32_t stage = steps.stage(step);
  if (stage < lowest) {
    if (std::optional<bool> answer = walkOn(step))
      return *answer;
    walkBack(stage);
  }
  return found.contains(step.index);
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
