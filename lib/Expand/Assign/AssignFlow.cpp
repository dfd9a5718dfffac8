//===- AssignFlow.cpp - Assignments as a flow -----------------------------===//
///
/// \file
/// Where every pick takes the same, a target is so many picks, and whether all
/// claims can be served is a question of flow: from claims, through candidates,
/// to targets. Claims that are alike are one source, targets that are alike one
/// sink: neighbours that are in the same sets and have room for as many picks.
///
/// The flow is found by blocking flows in layers (Dinic), mandatory claims
/// first; more flow never takes anything from a source. Since alike claims want
/// equally many and each may have a target once, a flow can be dealt out to
/// them in turns: neither rule is violated.
///
/// Where a source stays unserved, the sources and sinks that it reaches in the
/// last layers are a set that needs more than it is offered.
///
//===----------------------------------------------------------------------===//

#include "AssignParts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

using namespace toscac::expanding;
using llvm::ArrayRef;

namespace {

/// A bipartite flow network on arrays.
struct Network {
  struct Source {
    /// What it still wants.
    int64_t need = 0;
    /// Claims of all its groups.
    int64_t claims = 0;
    uint32_t wanted = 0;
    std::vector<uint32_t> groups;
    bool optional = false;
  };
  struct Sink {
    TargetRange targets;
    /// What it can still take.
    int64_t room = 0;
  };
  std::vector<Source> sources;
  std::vector<Sink> sinks;

  // Edges, by source.
  std::vector<uint32_t> firstEdge = {0};
  std::vector<uint32_t> tail;
  std::vector<uint32_t> head;
  std::vector<int64_t> capacity;
  std::vector<int64_t> flow;
  /// Edges by sink.
  std::vector<uint32_t> firstIncoming;
  std::vector<uint32_t> incoming;

  void linkIncoming();
};

/// Raises the flow as far as possible, from sources that are mandatory or from
/// all.
class Maximizer {
public:
  explicit Maximizer(Network &network) : network(network) {}

  void run(bool withOptional);
  /// Whether the last layers contain a source or sink, after run().
  bool reachesSource(uint32_t source) const { return sourceLevel[source]; }
  bool reachesSink(uint32_t sink) const { return sinkLevel[sink]; }

private:
  bool layer(bool withOptional);
  bool layerFrom(uint32_t source, std::vector<uint32_t> &next);
  void augmentFrom(uint32_t source);
  bool advanceSource(uint32_t source, uint32_t &sink);
  bool advanceSink(uint32_t sink, uint32_t &source);
  void push(uint32_t start, uint32_t sink);

  Network &network;
  /// Number of the layer from 1 on; 0: not reached.
  std::vector<uint32_t> sourceLevel, sinkLevel;
  /// The edge to try next.
  std::vector<uint32_t> sourceEdge, sinkEdge;
  /// Edges of the path so far: forwards and backwards in turn.
  llvm::SmallVector<uint32_t> path;
};

} // namespace

void Network::linkIncoming() {
  flow.assign(head.size(), 0);
  firstIncoming.assign(sinks.size() + 1, 0);
  for (uint32_t sink : head)
    ++firstIncoming[sink + 1];
  for (size_t i = 0; i < sinks.size(); ++i)
    firstIncoming[i + 1] += firstIncoming[i];
  std::vector<uint32_t> next(firstIncoming.begin(), firstIncoming.end() - 1);
  incoming.resize(head.size());
  for (uint32_t edge = 0; edge < head.size(); ++edge)
    incoming[next[head[edge]]++] = edge;
}

/// Gives levels to the sinks behind \p source and appends the sources behind
/// those; true if a sink has room.
bool Maximizer::layerFrom(uint32_t source, std::vector<uint32_t> &next) {
  bool found = false;
  uint32_t end = network.firstEdge[source + 1];
  for (uint32_t edge = network.firstEdge[source]; edge < end; ++edge) {
    uint32_t sink = network.head[edge];
    if (sinkLevel[sink] || network.flow[edge] >= network.capacity[edge])
      continue;
    sinkLevel[sink] = sourceLevel[source] + 1;
    found |= network.sinks[sink].room > 0;
    for (uint32_t i = network.firstIncoming[sink];
         i < network.firstIncoming[sink + 1]; ++i) {
      uint32_t back = network.incoming[i];
      uint32_t behind = network.tail[back];
      if (network.flow[back] > 0 && !sourceLevel[behind]) {
        sourceLevel[behind] = sinkLevel[sink] + 1;
        next.push_back(behind);
      }
    }
  }
  return found;
}

bool Maximizer::layer(bool withOptional) {
  sourceLevel.assign(network.sources.size(), 0);
  sinkLevel.assign(network.sinks.size(), 0);
  std::vector<uint32_t> current, next;
  for (auto [i, source] : llvm::enumerate(network.sources))
    if (source.need > 0 && (withOptional || !source.optional)) {
      sourceLevel[i] = 1;
      current.push_back(i);
    }
  bool found = false;
  while (!current.empty() && !found) {
    next.clear();
    for (uint32_t source : current)
      found |= layerFrom(source, next);
    std::swap(current, next);
  }
  return found;
}

/// Finds the next edge from \p source to a sink one layer further.
bool Maximizer::advanceSource(uint32_t source, uint32_t &sink) {
  for (uint32_t &edge = sourceEdge[source];
       edge < network.firstEdge[source + 1]; ++edge) {
    sink = network.head[edge];
    if (sinkLevel[sink] == sourceLevel[source] + 1 &&
        network.flow[edge] < network.capacity[edge])
      return true;
  }
  return false;
}

/// Finds the next source one layer further whose flow to \p sink could go
/// elsewhere.
bool Maximizer::advanceSink(uint32_t sink, uint32_t &source) {
  for (uint32_t &i = sinkEdge[sink]; i < network.firstIncoming[sink + 1]; ++i) {
    uint32_t edge = network.incoming[i];
    source = network.tail[edge];
    if (sourceLevel[source] == sinkLevel[sink] + 1 && network.flow[edge] > 0)
      return true;
  }
  return false;
}

/// Sends as much as possible along the path from \p start to \p sink.
void Maximizer::push(uint32_t start, uint32_t sink) {
  int64_t amount =
      std::min(network.sources[start].need, network.sinks[sink].room);
  for (auto [i, edge] : llvm::enumerate(path))
    amount =
        std::min(amount, i % 2 ? network.flow[edge]
                               : network.capacity[edge] - network.flow[edge]);
  for (auto [i, edge] : llvm::enumerate(path))
    network.flow[edge] += i % 2 ? -amount : amount;
  network.sources[start].need -= amount;
  network.sinks[sink].room -= amount;
}

void Maximizer::augmentFrom(uint32_t start) {
  while (network.sources[start].need > 0) {
    path.clear();
    uint32_t source = start, sink = 0;
    bool atSink = false;
    while (!atSink || network.sinks[sink].room == 0) {
      if (!atSink && advanceSource(source, sink)) {
        path.push_back(sourceEdge[source]);
        atSink = true;
      } else if (atSink && advanceSink(sink, source)) {
        path.push_back(network.incoming[sinkEdge[sink]]);
        atSink = false;
      } else if (path.empty()) {
        return;
      } else {
        // A dead end: the edge that led here is not tried again.
        uint32_t edge = path.pop_back_val();
        source = network.tail[edge];
        sink = network.head[edge];
        ++(atSink ? sourceEdge[source] : sinkEdge[sink]);
        atSink = !atSink;
      }
    }
    push(start, sink);
  }
}

void Maximizer::run(bool withOptional) {
  while (layer(withOptional)) {
    sourceEdge.assign(network.firstEdge.begin(), network.firstEdge.end() - 1);
    sinkEdge.assign(network.firstIncoming.begin(),
                    network.firstIncoming.end() - 1);
    for (uint32_t i = 0; i < network.sources.size(); ++i)
      if (sourceLevel[i] == 1)
        augmentFrom(i);
  }
}

/// Cuts the targets of \p groups where a set begins or ends or where the number
/// of picks changes.
static std::vector<Network::Sink> makeSinks(const AssignmentProblem &problem,
                                            ArrayRef<uint32_t> groups) {
  std::vector<uint32_t> cuts;
  llvm::DenseSet<uint32_t> sets;
  for (uint32_t group : groups)
    if (sets.insert(problem.groups[group].set).second)
      for (TargetRange range : problem.candidates(problem.groups[group].set)) {
        cuts.push_back(range.first);
        cuts.push_back(range.end());
      }
  llvm::sort(cuts);
  uint32_t demand = problem.groups[groups.front()].demand;
  // Nobody picks a target more often than there are claims.
  int64_t numClaims = 0;
  for (uint32_t group : groups)
    numClaims += problem.groups[group].claims;
  std::vector<Network::Sink> sinks;
  size_t nextCut = 0;
  for (TargetRange range : targetsOf(problem, groups)) {
    int64_t last = -1;
    for (uint32_t target = range.first; target < range.end(); ++target) {
      int64_t picks = std::min(problem.picksOf(demand, target), numClaims);
      bool isCut = picks != last;
      for (; nextCut < cuts.size() && cuts[nextCut] <= target; ++nextCut)
        isCut |= cuts[nextCut] == target;
      if (isCut)
        sinks.push_back({{target, 0}, picks});
      ++sinks.back().targets.count;
      last = picks;
    }
  }
  return sinks;
}

/// Adds edges from the last source to all sinks within \p ranges.
static void addEdges(Network &network, ArrayRef<TargetRange> ranges) {
  const Network::Source &source = network.sources.back();
  for (TargetRange range : ranges) {
    auto sink = llvm::lower_bound(network.sinks, range.first,
                                  [](const Network::Sink &s, uint32_t first) {
                                    return s.targets.first < first;
                                  });
    for (; sink != network.sinks.end() && sink->targets.first < range.end();
         ++sink) {
      network.tail.push_back(network.sources.size() - 1);
      network.head.push_back(sink - network.sinks.begin());
      network.capacity.push_back(source.claims * sink->targets.count);
    }
  }
  network.firstEdge.push_back(network.head.size());
}

static Network makeNetwork(const AssignmentProblem &problem,
                           ArrayRef<uint32_t> groups) {
  Network network;
  network.sinks = makeSinks(problem, groups);
  std::map<std::tuple<bool, uint32_t, uint32_t>, uint32_t> sourceOf;
  std::vector<Network::Source> sources;
  for (uint32_t index : groups) {
    const ClaimGroup &group = problem.groups[index];
    auto [entry, isNew] = sourceOf.try_emplace(
        {group.optional, group.set, group.wanted}, sources.size());
    if (isNew)
      sources.push_back({0, 0, group.wanted, {}, group.optional});
    Network::Source &source = sources[entry->second];
    source.claims += group.claims;
    source.need += int64_t(group.claims) * group.wanted;
    source.groups.push_back(index);
  }
  for (Network::Source &source : sources) {
    uint32_t set = problem.groups[source.groups.front()].set;
    network.sources.push_back(std::move(source));
    addEdges(network, problem.candidates(set));
  }
  for (Network::Sink &sink : network.sinks)
    sink.room *= sink.targets.count;
  network.linkIncoming();
  return network;
}

/// Hands the flow out to claims: targets of a sink in turns, then the picks of
/// each source to its claims in turns.
static void deal(const AssignmentProblem &problem, const Network &network,
                 Assignment &result) {
  std::vector<uint32_t> cursor(network.sinks.size());
  for (auto [i, source] : llvm::enumerate(network.sources)) {
    std::vector<uint32_t> sequence;
    for (uint32_t edge = network.firstEdge[i]; edge < network.firstEdge[i + 1];
         ++edge) {
      TargetRange targets = network.sinks[network.head[edge]].targets;
      uint32_t &next = cursor[network.head[edge]];
      size_t begin = sequence.size();
      for (int64_t n = 0; n < network.flow[edge]; ++n) {
        sequence.push_back(targets.first + next);
        next = (next + 1) % targets.count;
      }
      // What goes to one target goes to different claims.
      llvm::sort(sequence.begin() + begin, sequence.end());
    }
    size_t claim = 0;
    for (uint32_t index : source.groups) {
      const ClaimGroup &group = problem.groups[index];
      for (uint32_t s = 0; s < group.claims; ++s, ++claim)
        for (auto [n, pick] : llvm::enumerate(result.of(index, group, s))) {
          size_t position = claim + n * source.claims;
          pick = position < sequence.size() ? sequence[position] : none;
        }
    }
  }
}

static bool isServed(const Network &network) {
  return llvm::all_of(network.sources, [](const Network::Source &source) {
    return source.optional || source.need == 0;
  });
}

/// Whether \p groups can be served if each target of \p targets has at least
/// \p capacity of \p resource.
static bool flowWouldDo(AssignmentProblem changed, ArrayRef<uint32_t> groups,
                        ArrayRef<TargetRange> targets, uint32_t resource,
                        int64_t capacity) {
  for (TargetRange range : targets)
    for (uint32_t target = range.first; target < range.end(); ++target) {
      int64_t &own = changed.capacities[resource][target];
      own = std::max(own, capacity);
    }
  Network network = makeNetwork(changed, groups);
  Maximizer(network).run(/*withOptional=*/false);
  return isServed(network);
}

/// The least capacity of \p shortage.targets that is enough for all, if it is
/// a matter of that.
static std::optional<int64_t>
sufficientForFlow(const AssignmentProblem &problem, ArrayRef<uint32_t> groups,
                  const Shortage &shortage, int64_t amount) {
  int64_t low = 0, high = 0;
  for (uint32_t group : groups)
    high += problem.groups[group].claims;
  auto suffices = [&](int64_t picks) {
    return flowWouldDo(problem, groups, shortage.targets, shortage.resource,
                       picks * amount);
  };
  if (!suffices(high))
    return std::nullopt;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  return high * amount;
}

/// What the unserved sources that \p maximizer reached need of the sinks it
/// reached.
static Shortage explainFlow(const AssignmentProblem &problem,
                            ArrayRef<uint32_t> groups, const Network &network,
                            const Maximizer &maximizer) {
  Shortage shortage{Shortage::Kind::Indivisible};
  int64_t picks = 0;
  for (auto [i, source] : llvm::enumerate(network.sources)) {
    if (!maximizer.reachesSource(i))
      continue;
    llvm::append_range(shortage.groups, source.groups);
    picks += source.claims * source.wanted;
    for (uint32_t edge = network.firstEdge[i]; edge < network.firstEdge[i + 1];
         ++edge)
      if (!maximizer.reachesSink(network.head[edge]))
        picks -= network.flow[edge];
  }
  for (auto [i, sink] : llvm::enumerate(network.sinks))
    if (maximizer.reachesSink(i))
      shortage.targets.push_back(sink.targets);
  shortage.targets = mergeRanges(std::move(shortage.targets));
  for (Take take : problem.demands[problem.groups[groups.front()].demand]) {
    int64_t offered = 0;
    for (TargetRange range : shortage.targets)
      for (uint32_t target = range.first; target < range.end(); ++target)
        offered +=
            std::max<int64_t>(problem.capacities[take.resource][target], 0);
    bool tooLittle = picks * take.amount > offered;
    if (shortage.resource != none && !tooLittle)
      continue;
    shortage.resource = take.resource;
    shortage.needed = picks * take.amount;
    shortage.offered = offered;
    shortage.sufficient =
        sufficientForFlow(problem, groups, shortage, take.amount);
    if (!tooLittle)
      continue;
    shortage.kind = Shortage::Kind::TooLittle;
    break;
  }
  llvm::sort(shortage.groups);
  return shortage;
}

/// Whether first fit has served all that must be, and no fewer in all.
static bool isNoBetter(const AssignmentProblem &problem, const Network &network,
                       Assignment &result) {
  int64_t flow = 0, picks = 0;
  for (int64_t onEdge : network.flow)
    flow += onEdge;
  for (const Network::Source &source : network.sources)
    for (uint32_t index : source.groups)
      for (uint32_t claim = 0; claim < problem.groups[index].claims; ++claim)
        for (uint32_t pick : result.of(index, problem.groups[index], claim)) {
          if (pick == none && !source.optional)
            return false;
          picks += pick != none;
        }
  return flow <= picks;
}

std::optional<Shortage>
toscac::expanding::assignByFlow(const AssignmentProblem &problem,
                                const Component &component,
                                Assignment &result) {
  Network network = makeNetwork(problem, component.groups);
  Maximizer maximizer(network);
  maximizer.run(/*withOptional=*/false);
  if (!isServed(network)) {
    std::vector<uint32_t> mandatory;
    for (uint32_t group : component.groups)
      if (!problem.groups[group].optional)
        mandatory.push_back(group);
    return explainFlow(problem, mandatory, network, maximizer);
  }
  maximizer.run(/*withOptional=*/true);
  if (!isNoBetter(problem, network, result))
    deal(problem, network, result);
  return std::nullopt;
}
