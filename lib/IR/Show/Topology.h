//===- Topology.h - What a picture of a graph shows -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_TOPOLOGY_H
#define TOSCAC_LIB_IR_TOPOLOGY_H

#include "toscac/IR/DrawGraph.h"

namespace toscac::ir {

/// The parts of a picture, whatever language it is drawn in.
struct Topology {
  /// An instance, or all instances of a template.
  struct Vertex {
    /// `site[2]`; of a stack, `site`.
    std::string name;
    /// Lines, with breaks between.
    std::string label;
    bool isStack;
  };
  /// The instances of a template; drawn as a box if there are several.
  struct Box {
    std::string title;
    IdRange<NodeId> vertices;
    /// Boxes of one type look alike.
    uint32_t style;
  };
  /// A service; all but the first are inside of a node.
  struct Service {
    std::string title;
    std::vector<Box> boxes;
    /// The vertex of the node that it stands for.
    std::optional<uint32_t> outer;
  };
  struct Edge {
    uint32_t from;
    uint32_t to;
    std::string label;
    bool isContainment;
  };

  std::vector<Vertex> vertices;
  std::vector<Service> services;
  std::vector<Edge> edges;
};

Topology layOut(const Graph &graph, const DrawOptions &options);

} // namespace toscac::ir

#endif
