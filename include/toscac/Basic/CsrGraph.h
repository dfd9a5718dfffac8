//===- toscac/Basic/CsrGraph.h - Things that lead to each other -*- C++ -*-===//
///
/// \file
/// A directed graph on two arrays, and the questions that all stages ask about
/// such graphs: what lies on a cycle, what comes after what, what is reached.
/// Boost.Graph answers them; its headers stay in lib/Basic.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_CSRGRAPH_H
#define TOSCAC_BASIC_CSRGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>
#include <vector>

namespace toscac {

/// Vertices are numbers from 0 on; the edges of each lie side by side, in the
/// order in which they were given.
class CsrGraph {
public:
  struct Edge {
    uint32_t from;
    uint32_t to;
    friend bool operator==(Edge, Edge) = default;
  };

  CsrGraph(size_t numVertices, llvm::ArrayRef<Edge> edges);

  uint32_t size() const { return first.size() - 1; }
  llvm::ArrayRef<uint32_t> successors(uint32_t vertex) const {
    return llvm::ArrayRef(targets).slice(first[vertex],
                                         first[vertex + 1] - first[vertex]);
  }

private:
  std::vector<uint32_t> first;
  std::vector<uint32_t> targets;
};

/// Vertices of a cycle, in the order of its edges.
using Cycle = std::vector<uint32_t>;

/// One cycle of each strong component that has any: a shortest one that starts
/// with the first edge of its lowest vertex. In the order of these vertices.
std::vector<Cycle> findCycles(const CsrGraph &graph);

/// Of the cycles that an edge of \p through lies on, one of each strong
/// component: a shortest one that starts with the first such edge.
std::vector<Cycle> findCycles(const CsrGraph &graph,
                              llvm::ArrayRef<CsrGraph::Edge> through);

/// For each vertex, the edges of the longest way that ends there; those within
/// a strong component do not count.
std::vector<uint32_t> longestWays(const CsrGraph &graph);

/// Marks in \p reached what \p start leads to, and \p start. What is marked
/// already is not looked at again.
void reach(const CsrGraph &graph, uint32_t start, std::vector<bool> &reached);

/// `'a' -> 'b' -> 'a'`: how every message shows a cycle. What is long loses its
/// middle.
std::string describeCycle(llvm::ArrayRef<std::string> names);
std::string describeCycle(llvm::ArrayRef<uint32_t> cycle,
                          llvm::function_ref<std::string(uint32_t)> nameOf);

} // namespace toscac

#endif
