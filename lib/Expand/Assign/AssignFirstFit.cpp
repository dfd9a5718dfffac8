//===- AssignFirstFit.cpp - Claims pick in their order --------------------===//
///
/// \file
/// Each claim takes the first of its candidates that have enough left. What is
/// left never grows, so a candidate that does not fit once is skipped for ever:
/// a chain leads from each position to the next that may fit, and is shortened
/// as it is walked. The whole takes time in the number of picks and candidates,
/// not in their product.
///
//===----------------------------------------------------------------------===//

#include "AssignParts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <numeric>
#include <random>

using namespace toscac::expanding;
using llvm::MutableArrayRef;

namespace {

/// The candidates of a set in the order in which they are tried.
struct Order {
  /// Null: those from `first` on.
  const uint32_t *table = nullptr;
  uint32_t first = 0;
  uint32_t size = 0;

  uint32_t operator[](uint32_t position) const {
    return table ? table[position] : first + position;
  }
};

/// For each position of an order, the next that may still fit a demand.
class NextFit {
public:
  explicit NextFit(uint32_t size) : next(size_t(size) + 1) {
    std::iota(next.begin(), next.end(), 0);
  }
  uint32_t from(uint32_t position) {
    while (next[position] != position)
      position = next[position] = next[next[position]];
    return position;
  }
  void drop(uint32_t position) { next[position] = position + 1; }

private:
  std::vector<uint32_t> next;
};

class FirstFit {
public:
  FirstFit(const AssignmentProblem &problem, Assignment &result)
      : problem(problem), result(result), left(problem.capacities),
        random(problem.seed.value_or(0)) {}

  /// Whether all claims of the group have got all they want.
  bool pickAll(uint32_t index);

private:
  bool pickAlike(uint32_t index);
  bool pickClaim(uint32_t index, uint32_t claim);
  void walk(uint32_t begin, uint32_t end);
  void giveBack();

  Order orderOf(uint32_t set);
  NextFit *fitOf(const ClaimGroup &group, uint32_t size);
  bool fits(uint32_t target) const;
  void take(uint32_t target, int sign);

  void markPrevious(uint32_t index, uint32_t claim);
  uint32_t nodeOf(uint32_t target) const {
    return problem.nodeOf.empty() ? target : problem.nodeOf[target];
  }
  bool isExcluded(uint32_t target) const {
    return nodeOf(target) == self ||
           (!marks.empty() && marks[nodeOf(target)] >= lowestMark);
  }

  const AssignmentProblem &problem;
  Assignment &result;
  std::vector<std::vector<int64_t>> left;
  std::mt19937_64 random;
  llvm::DenseMap<uint32_t, std::unique_ptr<uint32_t[]>> tables;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, std::unique_ptr<NextFit>>
      nextFits;

  // The claim that picks.
  const ClaimGroup *group = nullptr;
  Order order;
  NextFit *nextFit = nullptr;
  MutableArrayRef<uint32_t> picks;
  uint32_t picked = 0;
  uint32_t self = none;
  /// For each node: `stamp` if it should be avoided, `stamp` + 1 if the claim
  /// has it already.
  std::vector<uint32_t> marks;
  uint32_t stamp = 0;
  uint32_t lowestMark = 0;
};

} // namespace

Order FirstFit::orderOf(uint32_t set) {
  auto ranges = problem.candidates(set);
  if (ranges.size() == 1 && (!problem.seed || ranges.front().count == 1))
    return {nullptr, ranges.front().first, ranges.front().count};
  uint32_t size = problem.numCandidates(set);
  auto [entry, isNew] = tables.try_emplace(set);
  if (isNew) {
    entry->second = std::make_unique<uint32_t[]>(size);
    uint32_t *next = entry->second.get();
    for (TargetRange range : ranges) {
      std::iota(next, next + range.count, range.first);
      next += range.count;
    }
    for (uint32_t i = size; problem.seed && i > 1; --i)
      std::swap(entry->second[i - 1], entry->second[random() % i]);
  }
  return {entry->second.get(), 0, size};
}

NextFit *FirstFit::fitOf(const ClaimGroup &group, uint32_t size) {
  // A look at so few costs less than remembering.
  if (group.demand == none || size <= 4)
    return nullptr;
  auto &fit = nextFits[{group.set, group.demand}];
  if (!fit)
    fit = std::make_unique<NextFit>(size);
  return fit.get();
}

bool FirstFit::fits(uint32_t target) const {
  return group->demand == none ||
         llvm::all_of(problem.demands[group->demand], [&](Take take) {
           return left[take.resource][target] >= take.amount;
         });
}

void FirstFit::take(uint32_t target, int sign) {
  if (group->demand == none)
    return;
  for (Take take : problem.demands[group->demand])
    left[take.resource][target] -= sign * take.amount;
}

/// Picks from the positions \p begin to \p end of the order.
void FirstFit::walk(uint32_t begin, uint32_t end) {
  for (uint32_t position = begin; picked < picks.size(); ++position) {
    if (nextFit)
      position = nextFit->from(position);
    if (position >= end)
      return;
    uint32_t target = order[position];
    if (!fits(target)) {
      if (nextFit)
        nextFit->drop(position);
      continue;
    }
    if (isExcluded(target))
      continue;
    take(target, 1);
    picks[picked++] = target;
    if (!marks.empty())
      marks[nodeOf(target)] = stamp + 1;
  }
}

void FirstFit::markPrevious(uint32_t index, uint32_t claim) {
  if (problem.groups[index].previous == none && problem.nodeOf.empty())
    return;
  if (marks.empty())
    marks.resize(problem.nodeOf.empty()
                     ? problem.numTargets
                     : *llvm::max_element(problem.nodeOf) + 1);
  stamp += 2;
  lowestMark = stamp;
  for (uint32_t g = problem.groups[index].previous; g != none;
       g = problem.groups[g].previous)
    for (uint32_t target : result.of(g, problem.groups[g], claim))
      if (target != none)
        marks[nodeOf(target)] = stamp;
}

void FirstFit::giveBack() {
  for (uint32_t target : picks.take_front(picked))
    take(target, -1);
  std::fill(picks.begin(), picks.end(), none);
}

bool FirstFit::pickClaim(uint32_t index, uint32_t claim) {
  picks = result.of(index, *group, claim);
  picked = 0;
  self = group->self == none ? none : group->self + claim;
  markPrevious(index, claim);
  uint32_t start = problem.seed && order.size ? random() % order.size : 0;
  walk(start, order.size);
  walk(0, start);
  if (picked < picks.size() && group->previous != none) {
    lowestMark = stamp + 1;
    walk(start, order.size);
    walk(0, start);
  }
  if (picked == picks.size())
    return true;
  if (!group->optional)
    giveBack();
  return false;
}

/// Picks for claims that do not care what others do.
bool FirstFit::pickAlike(uint32_t index) {
  MutableArrayRef<uint32_t> first = result.of(index, *group, 0);
  uint32_t count = std::min<uint32_t>(first.size(), order.size);
  if (count < first.size() && !group->optional)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    first[i] = order[i];
  for (uint32_t claim = 1; claim < group->claims; ++claim)
    llvm::copy(first, result.of(index, *group, claim).begin());
  return count == first.size();
}

bool FirstFit::pickAll(uint32_t index) {
  group = &problem.groups[index];
  if (group->claims == 0 || group->wanted == 0)
    return true;
  order = orderOf(group->set);
  nextFit = fitOf(*group, order.size);
  bool isAlike =
      group->demand == none && group->previous == none && group->self == none;
  if (isAlike && !problem.seed)
    return pickAlike(index);
  bool complete = true;
  for (uint32_t claim = 0; claim < group->claims; ++claim)
    complete &= pickClaim(index, claim);
  return complete;
}

std::vector<bool>
toscac::expanding::assignFirstFit(const AssignmentProblem &problem,
                                  Assignment &result) {
  FirstFit firstFit(problem, result);
  std::vector<bool> satisfied;
  for (uint32_t index = 0; index < problem.groups.size(); ++index)
    satisfied.push_back(firstFit.pickAll(index));
  return satisfied;
}
