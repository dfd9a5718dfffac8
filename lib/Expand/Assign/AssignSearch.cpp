//===- AssignSearch.cpp - Assignments by bounded search -------------------===//
///
/// \file
/// Where picks take different amounts, the question is one of packing, which
/// has no fast answer in general. Claims are tried in the order of how hard
/// they are to place, targets in order of preference, with a step back at each
/// dead end. Of targets that are alike at that moment only the first is tried,
/// and claims that are alike take their first targets in ascending order: so
/// that what differs only in names is looked at once.
///
//===----------------------------------------------------------------------===//

#include "AssignParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

using namespace toscac::expanding;
using llvm::ArrayRef;

namespace {

class Search {
public:
  Search(const AssignmentProblem &problem, ArrayRef<uint32_t> groups,
         unsigned maxSteps)
      : problem(problem), left(problem.capacities), maxSteps(maxSteps) {
    orderClaims(groups);
    orderTargets(groups);
  }

  enum class Outcome { Found, Impossible, GaveUp };
  Outcome run();
  void write(Assignment &result) const;
  /// Gives optional claims what is left.
  void pickOptional(ArrayRef<uint32_t> groups, Assignment &result);

private:
  /// Picks in one search; each is a level of recursion.
  static constexpr size_t maxPicks = 10000;

  struct Claim {
    uint32_t group;
    uint32_t number;
    /// Positions of its targets in the order of its set.
    std::vector<uint32_t> picks;
  };

  void orderClaims(ArrayRef<uint32_t> groups);
  void orderTargets(ArrayRef<uint32_t> groups);
  double hardness(const ClaimGroup &group) const;
  Outcome place(size_t claim);
  Outcome pickFrom(size_t claim, uint32_t position);
  uint32_t lowestPosition(size_t claim) const;
  bool isLikeEarlier(ArrayRef<uint32_t> tried, uint32_t target) const;
  bool fits(const ClaimGroup &group, uint32_t target) const;
  void take(const ClaimGroup &group, uint32_t target, int sign);
  uint32_t identity(uint32_t target) const {
    return problem.nodeOf.empty() ? target : problem.nodeOf[target];
  }
  ArrayRef<uint32_t> targetsIn(const Claim &claim) const {
    return orders.at(problem.groups[claim.group].set);
  }

  const AssignmentProblem &problem;
  std::vector<std::vector<int64_t>> left;
  std::vector<Claim> claims;
  std::map<uint32_t, std::vector<uint32_t>> orders;
  /// For each target the sets it is in, as a number: equal sets, equal number.
  std::vector<uint32_t> memberships;
  const unsigned maxSteps;
  unsigned steps = 0;
  size_t numPicks = 0;
};

} // namespace

/// The share of the largest candidate that a pick takes.
double Search::hardness(const ClaimGroup &group) const {
  double hardest = 0;
  for (Take take : problem.demands[group.demand]) {
    int64_t largest = 1;
    for (TargetRange range : problem.candidates(group.set))
      for (uint32_t target = range.first; target < range.end(); ++target)
        largest = std::max(largest, left[take.resource][target]);
    hardest = std::max(hardest, double(take.amount) / double(largest));
  }
  return hardest;
}

void Search::orderClaims(ArrayRef<uint32_t> groups) {
  struct Entry {
    uint32_t group;
    double hardness;
    uint64_t candidates;
  };
  std::vector<Entry> entries;
  for (uint32_t group : groups)
    if (!problem.groups[group].optional)
      entries.push_back({group, hardness(problem.groups[group]),
                         problem.numCandidates(problem.groups[group].set)});
  llvm::stable_sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(b.hardness, a.candidates) <
           std::tie(a.hardness, b.candidates);
  });
  for (const Entry &entry : entries) {
    const ClaimGroup &group = problem.groups[entry.group];
    numPicks += size_t(group.claims) * group.wanted;
    for (uint32_t i = 0; i < group.claims && numPicks <= maxPicks; ++i)
      claims.push_back({entry.group, i, {}});
  }
}

void Search::orderTargets(ArrayRef<uint32_t> groups) {
  memberships.assign(problem.numTargets, 0);
  uint32_t numMemberships = 1;
  for (uint32_t group : groups) {
    uint32_t set = problem.groups[group].set;
    auto [entry, isNew] = orders.try_emplace(set);
    if (!isNew)
      continue;
    std::map<uint32_t, uint32_t> refined;
    for (TargetRange range : problem.candidates(set))
      for (uint32_t target = range.first; target < range.end(); ++target) {
        entry->second.push_back(target);
        auto [number, isFirst] =
            refined.try_emplace(memberships[target], numMemberships);
        numMemberships += isFirst;
        memberships[target] = number->second;
      }
  }
}

bool Search::fits(const ClaimGroup &group, uint32_t target) const {
  return llvm::all_of(problem.demands[group.demand], [&](Take take) {
    return left[take.resource][target] >= take.amount;
  });
}

void Search::take(const ClaimGroup &group, uint32_t target, int sign) {
  for (Take take : problem.demands[group.demand])
    left[take.resource][target] -= sign * take.amount;
}

/// Alike claims take their first targets in ascending order.
uint32_t Search::lowestPosition(size_t index) const {
  const Claim &claim = claims[index];
  if (index == 0 || claims[index - 1].group != claim.group)
    return 0;
  return claims[index - 1].picks.front();
}

bool Search::isLikeEarlier(ArrayRef<uint32_t> tried, uint32_t target) const {
  // Targets of one node are not interchangeable with those of another.
  if (!problem.nodeOf.empty())
    return false;
  return llvm::any_of(tried, [&](uint32_t other) {
    return memberships[other] == memberships[target] &&
           llvm::all_of(left, [&](const std::vector<int64_t> &capacity) {
             return capacity[other] == capacity[target];
           });
  });
}

/// Gives the claim one more target from \p position on, then goes on.
Search::Outcome Search::pickFrom(size_t index, uint32_t position) {
  Claim &claim = claims[index];
  const ClaimGroup &group = problem.groups[claim.group];
  ArrayRef<uint32_t> order = targetsIn(claim);
  llvm::SmallVector<uint32_t, 8> tried;
  for (; position < order.size(); ++position) {
    uint32_t target = order[position];
    bool sameNode = !claim.picks.empty() &&
                    identity(order[claim.picks.back()]) == identity(target);
    if (sameNode || !fits(group, target) || isLikeEarlier(tried, target))
      continue;
    if (++steps > maxSteps)
      return Outcome::GaveUp;
    take(group, target, 1);
    claim.picks.push_back(position);
    Outcome outcome = claim.picks.size() == group.wanted
                          ? place(index + 1)
                          : pickFrom(index, position + 1);
    if (outcome != Outcome::Impossible)
      return outcome;
    claim.picks.pop_back();
    take(group, target, -1);
    tried.push_back(target);
  }
  return Outcome::Impossible;
}

Search::Outcome Search::place(size_t index) {
  if (index == claims.size())
    return Outcome::Found;
  return pickFrom(index, lowestPosition(index));
}

Search::Outcome Search::run() {
  return numPicks > maxPicks ? Outcome::GaveUp : place(0);
}

void Search::write(Assignment &result) const {
  for (const Claim &claim : claims) {
    auto picks =
        result.of(claim.group, problem.groups[claim.group], claim.number);
    for (auto [pick, position] : llvm::zip(picks, claim.picks))
      pick = targetsIn(claim)[position];
  }
}

void Search::pickOptional(ArrayRef<uint32_t> groups, Assignment &result) {
  for (uint32_t index : groups) {
    const ClaimGroup &group = problem.groups[index];
    for (uint32_t s = 0; group.optional && s < group.claims; ++s) {
      auto picks = result.of(index, group, s);
      std::fill(picks.begin(), picks.end(), none);
      size_t picked = 0;
      for (uint32_t target : orders.at(group.set)) {
        bool sameNode =
            picked && identity(picks[picked - 1]) == identity(target);
        if (picked == picks.size() || sameNode || !fits(group, target))
          continue;
        take(group, target, 1);
        picks[picked++] = target;
      }
    }
  }
}

/// Sums of the resource that is short, or of the one that is nearest to it.
static Shortage explainSearch(const AssignmentProblem &problem,
                              ArrayRef<uint32_t> groups) {
  std::map<uint32_t, int64_t> needed;
  Shortage shortage{Shortage::Kind::Indivisible};
  for (uint32_t index : groups) {
    const ClaimGroup &group = problem.groups[index];
    if (group.optional)
      continue;
    shortage.groups.push_back(index);
    for (Take take : problem.demands[group.demand])
      needed[take.resource] +=
          take.amount * int64_t(group.claims) * int64_t(group.wanted);
  }
  shortage.targets = targetsOf(problem, shortage.groups);
  double tightest = -1;
  for (auto [resource, amount] : needed) {
    int64_t offered = 0;
    for (TargetRange range : shortage.targets)
      for (uint32_t target = range.first; target < range.end(); ++target)
        offered += std::max<int64_t>(problem.capacities[resource][target], 0);
    double tightness = double(amount) / double(std::max<int64_t>(offered, 1));
    if (tightness <= tightest)
      continue;
    tightest = tightness;
    shortage.resource = resource;
    shortage.needed = amount;
    shortage.offered = offered;
    if (amount > offered)
      shortage.kind = Shortage::Kind::TooLittle;
  }
  return shortage;
}

static bool searchWouldDo(AssignmentProblem changed, const Shortage &shortage,
                          int64_t capacity) {
  for (TargetRange range : shortage.targets)
    for (uint32_t target = range.first; target < range.end(); ++target) {
      int64_t &own = changed.capacities[shortage.resource][target];
      own = std::max(own, capacity);
    }
  return Search(changed, shortage.groups, 100000).run() ==
         Search::Outcome::Found;
}

/// The least capacity that every target would have to have, if that would do.
static std::optional<int64_t>
sufficientForSearch(const AssignmentProblem &problem,
                    const Shortage &shortage) {
  int64_t low = 0, high = shortage.needed;
  if (!searchWouldDo(problem, shortage, high))
    return std::nullopt;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (searchWouldDo(problem, shortage, middle) ? high : low) = middle;
  }
  return high;
}

std::optional<Shortage>
toscac::expanding::assignBySearch(const AssignmentProblem &problem,
                                  const Component &component,
                                  Assignment &result) {
  Shortage shortage = explainSearch(problem, component.groups);
  Search search(problem, component.groups, 1000000);
  Search::Outcome outcome = Search::Outcome::Impossible;
  if (shortage.kind != Shortage::Kind::TooLittle)
    outcome = search.run();
  if (outcome == Search::Outcome::Found) {
    search.write(result);
    search.pickOptional(component.groups, result);
    return std::nullopt;
  }
  if (outcome == Search::Outcome::GaveUp)
    shortage.kind = Shortage::Kind::Unknown;
  else
    shortage.sufficient = sufficientForSearch(problem, shortage);
  return shortage;
}
