//===- CsrGraph.cpp - Things that lead to each other ----------------------===//

#include "toscac/Basic/CsrGraph.h"

#include "BoostGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <numeric>

using namespace toscac;
using llvm::ArrayRef;

CsrGraph::CsrGraph(size_t numVertices, ArrayRef<Edge> edges)
    : first(numVertices + 1), targets(edges.size()) {
  for (Edge edge : edges)
    ++first[edge.from + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (Edge edge : edges)
    targets[next[edge.from]++] = edge.to;
}

/// The number of each vertex's component; edges lead to the same or a lower
/// one.
static std::vector<uint32_t> strongComponents(const CsrGraph &graph) {
  std::vector<uint32_t> components(graph.size());
  boost::strong_components(
      graph, boost::make_iterator_property_map(
                 components.begin(), get(boost::vertex_index, graph)));
  return components;
}

namespace {

/// The colors of a search: all that is marked, or of another component than the
/// one to stay in, is black.
struct Marks {
  // NOLINTBEGIN(readability-identifier-naming)
  using key_type = uint32_t;
  using value_type = boost::default_color_type;
  using reference = value_type;
  using category = boost::read_write_property_map_tag;
  // NOLINTEND(readability-identifier-naming)

  friend value_type get(Marks marks, uint32_t vertex) {
    bool isOutside =
        marks.components && marks.components[vertex] != marks.component;
    return isOutside || (*marks.marks)[vertex] ? boost::black_color
                                               : boost::white_color;
  }
  friend void put(Marks marks, uint32_t vertex, value_type color) {
    (*marks.marks)[vertex] = color != boost::white_color;
  }

  std::vector<bool> *marks;
  const uint32_t *components = nullptr;
  uint32_t component = 0;
};

} // namespace

std::vector<Cycle> toscac::findCycles(const CsrGraph &graph,
                                      ArrayRef<CsrGraph::Edge> through) {
  std::vector<uint32_t> components = strongComponents(graph);
  std::vector<uint32_t> cameFrom(graph.size());
  // Once one of its vertices is, all of a component are.
  std::vector<bool> seen(graph.size());
  std::vector<Cycle> cycles;
  for (auto [from, to] : through) {
    if (components[from] != components[to] || seen[to])
      continue;
    boost::queue<uint32_t> open;
    auto recorder =
        boost::record_predecessors(cameFrom.data(), boost::on_tree_edge());
    boost::breadth_first_visit(graph, to, open,
                               boost::make_bfs_visitor(recorder),
                               Marks{&seen, components.data(), components[to]});
    Cycle &cycle = cycles.emplace_back();
    for (uint32_t at = from; at != to; at = cameFrom[at])
      cycle.push_back(at);
    cycle.push_back(to);
    std::reverse(cycle.begin(), cycle.end());
    // From 'to' to 'from': it starts with the edge.
    std::rotate(cycle.begin(), cycle.end() - 1, cycle.end());
  }
  return cycles;
}

std::vector<Cycle> toscac::findCycles(const CsrGraph &graph) {
  std::vector<CsrGraph::Edge> all;
  for (uint32_t from = 0; from != graph.size(); ++from)
    for (uint32_t to : graph.successors(from))
      all.push_back({from, to});
  return findCycles(graph, all);
}

std::vector<uint32_t> toscac::longestWays(const CsrGraph &graph) {
  std::vector<uint32_t> components = strongComponents(graph);
  std::vector<uint32_t> order(graph.size()), longest(graph.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return components[a] > components[b];
  });
  for (uint32_t vertex : order)
    for (uint32_t next : graph.successors(vertex))
      if (components[next] != components[vertex])
        longest[next] = std::max(longest[next], longest[vertex] + 1);
  return longest;
}

void toscac::reach(const CsrGraph &graph, uint32_t start,
                   std::vector<bool> &reached) {
  boost::queue<uint32_t> open;
  if (!reached[start])
    boost::breadth_first_visit(graph, start, open, boost::default_bfs_visitor(),
                               Marks{&reached});
}

std::string toscac::describeCycle(ArrayRef<std::string> names) {
  constexpr size_t shownAtEnds = 5;
  std::string text = "'" + names.front() + "'";
  for (auto [position, name] : llvm::enumerate(names.drop_front())) {
    size_t left = names.size() - 1 - position;
    if (position < shownAtEnds || left <= shownAtEnds)
      text += " -> '" + name + "'";
    else if (position == shownAtEnds)
      text += " -> (" + std::to_string(left - shownAtEnds) + " more)";
  }
  return text + " -> '" + names.front() + "'";
}

std::string
toscac::describeCycle(ArrayRef<uint32_t> cycle,
                      llvm::function_ref<std::string(uint32_t)> nameOf) {
  return describeCycle(llvm::map_to_vector(cycle, nameOf));
}
