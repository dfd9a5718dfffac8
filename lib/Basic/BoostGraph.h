//===- BoostGraph.h - CsrGraph as a graph of Boost --------------*- C++ -*-===//
///
/// \file
/// What Boost.Graph has to know of CsrGraph: a vertex list and incidence graph
/// whose vertices are their own indices.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_BASIC_BOOSTGRAPH_H
#define TOSCAC_LIB_BASIC_BOOSTGRAPH_H

#include "toscac/Basic/CsrGraph.h"
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>

namespace toscac {

/// Goes over the edges of one vertex.
class CsrEdgeIterator
    : public boost::iterator_facade<CsrEdgeIterator, CsrGraph::Edge,
                                    std::forward_iterator_tag, CsrGraph::Edge> {
public:
  CsrEdgeIterator() = default;
  CsrEdgeIterator(uint32_t from, const uint32_t *at) : from(from), at(at) {}

private:
  friend class boost::iterator_core_access;
  CsrGraph::Edge dereference() const { return {from, *at}; }
  bool equal(const CsrEdgeIterator &other) const { return at == other.at; }
  void increment() { ++at; }

  uint32_t from = 0;
  const uint32_t *at = nullptr;
};

// Boost finds these by the graph's namespace.
// NOLINTBEGIN(readability-identifier-naming)
inline auto vertices(const CsrGraph &graph) {
  using Iterator = boost::counting_iterator<uint32_t>;
  return std::pair(Iterator(0), Iterator(graph.size()));
}
inline uint32_t num_vertices(const CsrGraph &graph) { return graph.size(); }
inline auto out_edges(uint32_t vertex, const CsrGraph &graph) {
  llvm::ArrayRef<uint32_t> targets = graph.successors(vertex);
  return std::pair(CsrEdgeIterator(vertex, targets.begin()),
                   CsrEdgeIterator(vertex, targets.end()));
}
inline uint32_t out_degree(uint32_t vertex, const CsrGraph &graph) {
  return graph.successors(vertex).size();
}
inline uint32_t source(CsrGraph::Edge edge, const CsrGraph & /*graph*/) {
  return edge.from;
}
inline uint32_t target(CsrGraph::Edge edge, const CsrGraph & /*graph*/) {
  return edge.to;
}
inline boost::typed_identity_property_map<uint32_t>
get(boost::vertex_index_t /*tag*/, const CsrGraph & /*graph*/) {
  return {};
}
// NOLINTEND(readability-identifier-naming)

} // namespace toscac

template <>
struct boost::graph_traits<toscac::CsrGraph> {
  // NOLINTBEGIN(readability-identifier-naming)
  using vertex_descriptor = uint32_t;
  using edge_descriptor = toscac::CsrGraph::Edge;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::incidence_graph_tag,
                              boost::vertex_list_graph_tag {};
  using vertex_iterator = boost::counting_iterator<uint32_t>;
  using out_edge_iterator = toscac::CsrEdgeIterator;
  using vertices_size_type = uint32_t;
  using edges_size_type = uint32_t;
  using degree_size_type = uint32_t;
  static uint32_t null_vertex() { return ~0u; }
  // NOLINTEND(readability-identifier-naming)
};

template <>
struct boost::property_map<toscac::CsrGraph, boost::vertex_index_t> {
  using type = boost::typed_identity_property_map<uint32_t>;
  using const_type = type;
};

#endif
