//===- Assign.cpp - Which way an assignment is solved ---------------------===//
///
/// \file
/// First fit for all, then an exact method for each set of competitors that it
/// left with a shortage. What does not compete with them keeps its targets.
///
//===----------------------------------------------------------------------===//

#include "Assign.h"

#include "AssignParts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>
#include <numeric>

using namespace toscac::expanding;
using llvm::ArrayRef;

uint32_t AssignmentProblem::addSet(ArrayRef<TargetRange> candidates) {
  llvm::append_range(ranges, candidates);
  setOffsets.push_back(ranges.size());
  return numSets() - 1;
}

uint64_t AssignmentProblem::numCandidates(uint32_t set) const {
  uint64_t count = 0;
  for (TargetRange range : candidates(set))
    count += range.count;
  return count;
}

int64_t AssignmentProblem::picksOf(uint32_t demand, uint32_t target) const {
  int64_t picks = std::numeric_limits<int64_t>::max();
  for (Take take : demands[demand])
    picks = std::min(picks, capacities[take.resource][target] / take.amount);
  return std::max<int64_t>(picks, 0);
}

std::vector<TargetRange>
toscac::expanding::mergeRanges(std::vector<TargetRange> ranges) {
  llvm::sort(ranges, [](TargetRange a, TargetRange b) {
    return std::tie(a.first, a.count) < std::tie(b.first, b.count);
  });
  std::vector<TargetRange> merged;
  for (TargetRange range : ranges) {
    if (range.count == 0)
      continue;
    if (merged.empty() || merged.back().end() < range.first)
      merged.push_back(range);
    else
      merged.back().count =
          std::max(merged.back().end(), range.end()) - merged.back().first;
  }
  return merged;
}

std::vector<TargetRange>
toscac::expanding::targetsOf(const AssignmentProblem &problem,
                             ArrayRef<uint32_t> groups) {
  std::vector<uint32_t> sets;
  for (uint32_t group : groups)
    sets.push_back(problem.groups[group].set);
  llvm::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  std::vector<TargetRange> ranges;
  for (uint32_t set : sets)
    llvm::append_range(ranges, problem.candidates(set));
  return mergeRanges(std::move(ranges));
}

namespace {

class UnionFind {
public:
  explicit UnionFind(size_t size) : parents(size) {
    std::iota(parents.begin(), parents.end(), 0);
  }
  size_t find(size_t element) {
    while (parents[element] != element)
      element = parents[element] = parents[parents[element]];
    return element;
  }
  void unite(size_t a, size_t b) { parents[find(b)] = find(a); }

private:
  std::vector<size_t> parents;
};

} // namespace

/// For each demand the first one it shares a resource with, directly or not.
/// Picks with demands of different families never compete.
static std::vector<uint32_t> demandFamilies(const AssignmentProblem &problem) {
  UnionFind demands(problem.demands.size());
  std::vector<uint32_t> firstUser(problem.capacities.size(), none);
  for (auto [demand, takes] : llvm::enumerate(problem.demands))
    for (Take take : takes) {
      uint32_t &first = firstUser[take.resource];
      if (first == none)
        first = demand;
      demands.unite(first, demand);
    }
  std::vector<uint32_t> families;
  for (size_t demand = 0; demand < problem.demands.size(); ++demand)
    families.push_back(demands.find(demand));
  return families;
}

/// Groups with demands that share targets and resources, directly or through
/// others.
static std::vector<Component> findComponents(const AssignmentProblem &problem) {
  std::vector<uint32_t> families = demandFamilies(problem);
  UnionFind targets(problem.demands.size() * problem.numTargets);
  auto key = [&](const ClaimGroup &group, uint32_t target) {
    return size_t(families[group.demand]) * problem.numTargets + target;
  };
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, size_t> seen;
  std::map<size_t, Component> byRoot;
  std::vector<std::pair<size_t, uint32_t>> members;
  for (auto [index, group] : llvm::enumerate(problem.groups)) {
    if (group.demand == none || problem.numCandidates(group.set) == 0)
      continue;
    auto ranges = problem.candidates(group.set);
    size_t first = key(group, llvm::find_if(ranges, [](TargetRange range) {
                                return range.count > 0;
                              })->first);
    members.push_back({first, index});
    if (!seen.try_emplace({group.set, families[group.demand]}, first).second)
      continue;
    for (TargetRange range : ranges)
      for (uint32_t target = range.first; target < range.end(); ++target)
        targets.unite(first, key(group, target));
  }
  for (auto [target, group] : members)
    byRoot[targets.find(target)].groups.push_back(group);
  std::vector<Component> components;
  for (auto &[root, component] : byRoot)
    components.push_back(std::move(component));
  return components;
}

/// Whether every pick takes the same, and different targets are enough to make
/// the picks of a claim different.
static bool isFlow(const AssignmentProblem &problem,
                   const Component &component) {
  uint32_t demand = problem.groups[component.groups.front()].demand;
  return llvm::all_of(component.groups, [&](uint32_t index) {
    const ClaimGroup &group = problem.groups[index];
    return group.demand == demand &&
           (group.wanted <= 1 || problem.nodeOf.empty());
  });
}

/// The number of different nodes among the candidates of \p set.
static uint64_t numDifferent(const AssignmentProblem &problem, uint32_t set) {
  if (problem.nodeOf.empty())
    return problem.numCandidates(set);
  uint64_t count = 0;
  uint32_t last = none;
  for (TargetRange range : problem.candidates(set))
    for (uint32_t target = range.first; target < range.end(); ++target) {
      count += problem.nodeOf[target] != last;
      last = problem.nodeOf[target];
    }
  return count;
}

/// Groups that could not be satisfied even if they were alone.
static std::vector<bool> findTooFew(const AssignmentProblem &problem,
                                    const std::vector<bool> &satisfied,
                                    Assignment &result) {
  std::vector<bool> tooFew(problem.groups.size());
  for (auto [index, group] : llvm::enumerate(problem.groups)) {
    if (satisfied[index] || group.optional)
      continue;
    uint64_t different = numDifferent(problem, group.set);
    if (different >= group.wanted)
      continue;
    tooFew[index] = true;
    result.shortages.push_back({Shortage::Kind::TooFewTargets,
                                {uint32_t(index)},
                                targetsOf(problem, {uint32_t(index)}),
                                none,
                                group.wanted,
                                int64_t(different)});
  }
  return tooFew;
}

/// Gives each group its place among the picks; returns their number.
static size_t layOut(const AssignmentProblem &problem, Assignment &result) {
  size_t size = 0;
  result.offsets.clear();
  for (const ClaimGroup &group : problem.groups) {
    result.offsets.push_back(size);
    size += size_t(group.claims) * group.wanted;
  }
  return size;
}

/// The candidates of \p set but \p self.
static std::vector<TargetRange> without(const AssignmentProblem &problem,
                                        uint32_t set, uint32_t self) {
  std::vector<TargetRange> ranges;
  for (TargetRange range : problem.candidates(set))
    for (uint32_t target = range.first; target < range.end(); ++target) {
      uint32_t node = problem.nodeOf.empty() ? target : problem.nodeOf[target];
      if (node == self)
        continue;
      if (ranges.empty() || ranges.back().end() != target)
        ranges.push_back({target, 0});
      ++ranges.back().count;
    }
  return ranges;
}

/// The same problem with a group of its own for each claim that must not pick
/// itself; \p origins has the group that each comes from.
static AssignmentProblem splitSelves(const AssignmentProblem &problem,
                                     std::vector<uint32_t> &origins) {
  AssignmentProblem split = problem;
  split.groups.clear();
  for (auto [index, group] : llvm::enumerate(problem.groups)) {
    uint32_t parts = group.self == none ? 1 : group.claims;
    for (uint32_t claim = 0; claim < parts; ++claim) {
      ClaimGroup part = group;
      part.previous = part.self = none;
      if (group.self != none) {
        part.claims = 1;
        part.set =
            split.addSet(without(problem, group.set, group.self + claim));
      }
      split.groups.push_back(part);
      origins.push_back(index);
    }
  }
  return split;
}

/// Serves what first fit left without targets.
static void improve(const AssignmentProblem &problem,
                    const std::vector<bool> &satisfied, Assignment &result) {
  std::vector<bool> tooFew = findTooFew(problem, satisfied, result);
  for (Component &component : findComponents(problem)) {
    llvm::erase_if(component.groups, [&](uint32_t g) { return tooFew[g]; });
    if (llvm::all_of(component.groups,
                     [&](uint32_t g) { return satisfied[g]; }))
      continue;
    bool mustImprove = llvm::any_of(component.groups, [&](uint32_t g) {
      return !satisfied[g] && !problem.groups[g].optional;
    });
    std::optional<Shortage> shortage;
    if (isFlow(problem, component))
      shortage = assignByFlow(problem, component, result);
    else if (mustImprove)
      shortage = assignBySearch(problem, component, result);
    if (shortage)
      result.shortages.push_back(std::move(*shortage));
  }
}

Assignment toscac::expanding::assign(const AssignmentProblem &problem) {
  Assignment result;
  result.picks.assign(layOut(problem, result), none);
  std::vector<bool> satisfied = assignFirstFit(problem, result);
  if (!llvm::is_contained(satisfied, false))
    return result;
  result.leftByFirstFit = llvm::count(result.picks, none);
  // Claims have the same place among the picks in both problems.
  std::vector<uint32_t> origins;
  AssignmentProblem split = splitSelves(problem, origins);
  std::vector<bool> partSatisfied;
  for (uint32_t origin : origins)
    partSatisfied.push_back(satisfied[origin]);
  layOut(split, result);
  improve(split, partSatisfied, result);
  layOut(problem, result);
  for (Shortage &shortage : result.shortages) {
    for (uint32_t &group : shortage.groups)
      group = origins[group];
    shortage.groups.erase(
        std::unique(shortage.groups.begin(), shortage.groups.end()),
        shortage.groups.end());
  }
  return result;
}
