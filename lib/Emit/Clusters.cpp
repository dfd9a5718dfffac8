//===- Clusters.cpp - Chains of alike instances ---------------------------===//
///
/// \file
/// Groups are taken in an order in which they can run. One whose steps wait for
/// those of the same index joins the clusters that these are in, unless a way
/// from there leads back through another one.
///
//===----------------------------------------------------------------------===//

#include "Clusters.h"

#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::emit;
using planfile::Plan;

/// Clusters of several groups, each of which is a template of its own; and
/// groups beyond which the search for them would take too long.
static constexpr size_t mostChains = 100, mostGroups = 2000;
/// Groups in a cluster: they become tasks of one DAG.
static constexpr size_t mostInCluster = 200;

namespace {

class ClusterFinder {
public:
  ClusterFinder(const Plan &plan, const Waits &waits,
                llvm::ArrayRef<std::string> names)
      : plan(plan), waits(waits), names(names) {}

  Clusters find();

private:
  void findGroups();
  void findEdges();
  void addToClusters(uint32_t group);
  bool tryMerge(llvm::ArrayRef<uint32_t> parts);
  bool isPairing(uint32_t group, uint32_t earlier) const;
  bool crosses(const llvm::DenseSet<uint32_t> &merged) const;
  bool leadsBack(const llvm::DenseSet<uint32_t> &merged) const;
  void orderClusters();

  const Plan &plan;
  const Waits &waits;
  llvm::ArrayRef<std::string> names;
  Clusters result;
  /// The groups of each cluster; empty: it was merged into another.
  std::vector<std::vector<uint32_t>> members;
  size_t numChains = 0;
};

} // namespace

/// Calls by the number of those before them, and joins after what they join.
void ClusterFinder::findGroups() {
  llvm::BitVector calls = findCalls(plan);
  std::vector<uint32_t> depth = depthsOf(plan, calls);
  std::vector<std::vector<StepGroup>> levels = groupSteps(plan, names, calls);
  std::vector<std::vector<uint32_t>> joins(levels.size() + 1);
  for (uint32_t id : waits.isJoin.set_bits())
    joins[depth[id]].push_back(id);
  for (size_t level = 0; level < joins.size(); ++level) {
    if (level > 0)
      for (StepGroup &group : levels[level - 1])
        result.groups.push_back(std::move(group));
    for (uint32_t id : joins[level]) {
      result.groups.emplace_back();
      result.groups.back().steps = {id};
    }
  }
}

void ClusterFinder::findEdges() {
  std::vector<std::pair<uint32_t, uint32_t>> place(plan.numSteps());
  for (auto [number, group] : llvm::enumerate(result.groups))
    for (auto [i, step] : llvm::enumerate(group.steps))
      place[step] = {number, group.firstIndex + i};
  result.before.resize(result.groups.size());
  for (auto [number, group] : llvm::enumerate(result.groups))
    for (uint32_t step : group.steps)
      for (uint32_t other : waits.before[step]) {
        GroupEdge &edge = result.before[number][place[other].first];
        ++edge.pairs;
        edge.isOneToOne &= place[other].second == place[step].second;
      }
}

/// Whether something outside of \p merged, clusters, comes after one of them
/// and before another.
bool ClusterFinder::leadsBack(const llvm::DenseSet<uint32_t> &merged) const {
  llvm::DenseSet<uint32_t> seen;
  std::vector<uint32_t> worklist;
  auto addBefore = [&](uint32_t cluster, bool isOutside) {
    for (uint32_t group : members[cluster])
      for (const auto &edge : result.before[group]) {
        uint32_t other = result.clusterOf[edge.first];
        if (merged.contains(other)) {
          if (isOutside)
            return true;
        } else if (seen.insert(other).second) {
          worklist.push_back(other);
        }
      }
    return false;
  };
  for (uint32_t cluster : merged)
    addBefore(cluster, /*isOutside=*/false);
  while (!worklist.empty()) {
    uint32_t cluster = worklist.back();
    worklist.pop_back();
    if (addBefore(cluster, /*isOutside=*/true))
      return true;
  }
  return false;
}

/// Whether each step of \p group waits for its counterpart in \p earlier, and
/// both have the same indices.
bool ClusterFinder::isPairing(uint32_t group, uint32_t earlier) const {
  const StepGroup &one = result.groups[group];
  const StepGroup &other = result.groups[earlier];
  const GroupEdge &edge = result.before[group].at(earlier);
  return edge.isOneToOne && edge.pairs == one.steps.size() &&
         other.firstIndex == one.firstIndex &&
         other.steps.size() == one.steps.size();
}

/// Whether instances wait for each other within \p merged, clusters.
bool ClusterFinder::crosses(const llvm::DenseSet<uint32_t> &merged) const {
  for (uint32_t cluster : merged)
    for (uint32_t group : members[cluster])
      for (const auto &edge : result.before[group])
        if (merged.contains(result.clusterOf[edge.first]) &&
            !isPairing(group, edge.first))
          return true;
  return false;
}

/// Makes one cluster of \p parts, if it can be one.
bool ClusterFinder::tryMerge(llvm::ArrayRef<uint32_t> parts) {
  size_t size = 0, chains = 0;
  for (uint32_t part : parts) {
    size += members[part].size();
    chains += members[part].size() > 1;
  }
  llvm::DenseSet<uint32_t> merged(parts.begin(), parts.end());
  bool isTooMuch =
      size > mostInCluster || (chains == 0 && numChains == mostChains);
  if (parts.size() < 2 || isTooMuch || crosses(merged) || leadsBack(merged))
    return false;
  numChains += 1 - chains;
  std::vector<uint32_t> &target = members[parts.front()];
  for (uint32_t part : parts.drop_front()) {
    llvm::append_range(target, members[part]);
    for (uint32_t group : members[part])
      result.clusterOf[group] = parts.front();
    members[part].clear();
  }
  llvm::sort(target);
  return true;
}

void ClusterFinder::addToClusters(uint32_t number) {
  const StepGroup &group = result.groups[number];
  if (group.steps.size() < 2)
    return;
  std::vector<uint32_t> parts;
  for (const auto &edge : result.before[number])
    if (isPairing(number, edge.first))
      parts.push_back(result.clusterOf[edge.first]);
  llvm::sort(parts);
  parts.erase(llvm::unique(parts), parts.end());
  std::vector<uint32_t> withAll = parts;
  withAll.push_back(number);
  if (tryMerge(withAll))
    return;
  for (uint32_t part : parts)
    if (tryMerge({part, number}))
      return;
}

/// Those that become ready last are taken first, so that what belongs together
/// stays together.
void ClusterFinder::orderClusters() {
  std::vector<std::vector<uint32_t>> before(members.size()),
      after(members.size());
  std::vector<size_t> missing(members.size());
  for (uint32_t cluster = 0; cluster < members.size(); ++cluster) {
    for (uint32_t group : members[cluster])
      for (const auto &edge : result.before[group])
        if (result.clusterOf[edge.first] != cluster)
          before[cluster].push_back(result.clusterOf[edge.first]);
    llvm::sort(before[cluster]);
    before[cluster].erase(llvm::unique(before[cluster]), before[cluster].end());
    for (uint32_t other : before[cluster])
      after[other].push_back(cluster);
    missing[cluster] = before[cluster].size();
  }
  std::vector<uint32_t> ready, place(members.size());
  for (uint32_t cluster = members.size(); cluster-- > 0;)
    if (!members[cluster].empty() && missing[cluster] == 0)
      ready.push_back(cluster);
  while (!ready.empty()) {
    uint32_t cluster = ready.back();
    ready.pop_back();
    place[cluster] = result.all.size();
    for (uint32_t &other : before[cluster])
      other = place[other];
    llvm::sort(before[cluster]);
    result.all.push_back({members[cluster], before[cluster]});
    for (uint32_t other : llvm::reverse(after[cluster]))
      if (--missing[other] == 0)
        ready.push_back(other);
  }
  for (uint32_t &cluster : result.clusterOf)
    cluster = place[cluster];
}

Clusters ClusterFinder::find() {
  findGroups();
  findEdges();
  for (uint32_t group = 0; group < result.groups.size(); ++group) {
    result.clusterOf.push_back(group);
    members.push_back({group});
  }
  if (result.groups.size() <= mostGroups)
    for (uint32_t group = 0; group < result.groups.size(); ++group)
      addToClusters(group);
  orderClusters();
  return std::move(result);
}

Clusters emit::findClusters(const Plan &plan, const Waits &waits,
                            llvm::ArrayRef<std::string> names) {
  return ClusterFinder(plan, waits, names).find();
}

size_t Clusters::numSteps(uint32_t cluster) const {
  size_t count = 0;
  for (uint32_t group : all[cluster].groups)
    count += groups[group].steps.size();
  return count;
}

/// The last groups of the one come before the first of the other.
bool Clusters::isWhole(uint32_t from, uint32_t to) const {
  std::vector<uint32_t> last = all[from].groups;
  for (uint32_t group : all[from].groups)
    for (const auto &edge : before[group])
      llvm::erase(last, edge.first);
  for (uint32_t group : all[to].groups) {
    bool isFirst = llvm::none_of(before[group], [&](const auto &edge) {
      return clusterOf[edge.first] == to;
    });
    for (uint32_t other : last) {
      auto edge = before[group].find(other);
      size_t all = groups[group].steps.size() * groups[other].steps.size();
      if (isFirst && (edge == before[group].end() || edge->second.pairs != all))
        return false;
    }
  }
  return true;
}
