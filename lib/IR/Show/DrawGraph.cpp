//===- DrawGraph.cpp - Pictures of topologies -----------------------------===//

#include "toscac/IR/DrawGraph.h"

#include "Topology.h"
#include "toscac/Basic/PictureText.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::raw_ostream;
using llvm::StringRef;

/// Fill and line; types take them in turn.
static constexpr struct {
  const char *fill;
  const char *line;
} palette[] = {
    {"#dbeafe", "#3b6fb5"}, {"#dcf5dc", "#3f8f4f"}, {"#fff1cc", "#b8860b"},
    {"#f3e0f7", "#8e4fa3"}, {"#fde2dc", "#b5533c"}, {"#d9f2f2", "#2f8484"},
    {"#ececec", "#6b6b6b"},
};

static const auto &colors(const Topology::Box &box) {
  return palette[box.style % std::size(palette)];
}

//===----------------------------------------------------------------------===//
// Graphviz
//===----------------------------------------------------------------------===//

namespace {

class DotTopology {
public:
  DotTopology(const Topology &topology, raw_ostream &os)
      : topology(topology), os(os) {}

  void draw();

private:
  void drawService(uint32_t number);
  void drawBox(const Topology::Box &box, uint32_t number);
  void drawVertex(const Topology::Box &box, uint32_t number);
  void drawEdge(const Topology::Edge &edge);
  raw_ostream &line() { return os.indent(2 * depth); }
  template <typename Body>
  void cluster(const std::string &name, Body body) {
    line() << "subgraph " << quoteDot("cluster_" + name) << " {\n";
    ++depth;
    body();
    --depth;
    line() << "}\n";
  }

  const Topology &topology;
  raw_ostream &os;
  unsigned depth = 1;
  uint32_t numBoxes = 0;
};

} // namespace

void DotTopology::drawVertex(const Topology::Box &box, uint32_t number) {
  const Topology::Vertex &vertex = topology.vertices[number];
  line() << quoteDot(vertex.name) << " [label=" << quoteDot(vertex.label)
         << ", fillcolor=\"" << colors(box).fill << "\", color=\""
         << colors(box).line << '"'
         << (vertex.isStack ? ", shape=box3d, style=filled" : "") << "];\n";
}

void DotTopology::drawBox(const Topology::Box &box, uint32_t number) {
  auto drawVertices = [&] {
    for (NodeId id : box.vertices.ids())
      drawVertex(box, id.index);
  };
  if (box.vertices.count == 1)
    return drawVertices();
  cluster("box" + std::to_string(number), [&] {
    line() << "label=" << quoteDot(box.title)
           << "; fontsize=11; style=\"rounded,dashed\"; color=\""
           << colors(box).line << "\"; fontcolor=\"" << colors(box).line
           << "\";\n";
    drawVertices();
  });
}

void DotTopology::drawService(uint32_t number) {
  const Topology::Service &service = topology.services[number];
  auto drawBoxes = [&] {
    for (const Topology::Box &box : service.boxes)
      drawBox(box, numBoxes++);
  };
  if (!service.outer)
    return drawBoxes();
  std::string name = "service" + std::to_string(number);
  cluster(name, [&] {
    line() << "label=" << quoteDot(service.title)
           << "; fontsize=12; style=\"rounded,filled\"; fillcolor=\"#fafafa\"; "
              "color=\"#999999\";\n";
    drawBoxes();
  });
  if (service.boxes.empty())
    return;
  uint32_t inside = service.boxes.front().vertices.first;
  line() << quoteDot(topology.vertices[*service.outer].name) << " -> "
         << quoteDot(topology.vertices[inside].name)
         << " [lhead=" << quoteDot("cluster_" + name)
         << ", style=dotted, arrowhead=none];\n";
}

void DotTopology::drawEdge(const Topology::Edge &edge) {
  line() << quoteDot(topology.vertices[edge.from].name) << " -> "
         << quoteDot(topology.vertices[edge.to].name)
         // The blank keeps the label off its line.
         << " [label=" << quoteDot(" " + edge.label)
         << (edge.isContainment ? ", style=bold, arrowhead=diamond" : "")
         << "];\n";
}

void DotTopology::draw() {
  StringRef font = "fontname=\"Helvetica,Arial,sans-serif\"";
  std::string title =
      topology.services.empty() ? "" : topology.services.front().title;
  os << "digraph " << quoteDot(title) << " {\n";
  line() << "graph [" << font << ", label=" << quoteDot(title)
         << ", labelloc=t, fontsize=16, compound=true, nodesep=0.35, "
            "ranksep=0.6];\n";
  line() << "node [" << font
         << ", fontsize=11, shape=box, style=\"rounded,filled\", "
            "margin=\"0.15,0.08\"];\n";
  line() << "edge [" << font
         << ", fontsize=9, color=\"#555555\", fontcolor=\"#333333\", "
            "arrowsize=0.7];\n";
  for (uint32_t i = 0; i < topology.services.size(); ++i)
    drawService(i);
  for (const Topology::Edge &edge : topology.edges)
    drawEdge(edge);
  os << "}\n";
}

void ir::drawGraphAsDot(const Graph &graph, const DrawOptions &options,
                        raw_ostream &os) {
  Topology topology = layOut(graph, options);
  DotTopology(topology, os).draw();
}

//===----------------------------------------------------------------------===//
// Mermaid
//===----------------------------------------------------------------------===//

namespace {

class MermaidTopology {
public:
  MermaidTopology(const Topology &topology, raw_ostream &os)
      : topology(topology), os(os) {}

  void draw();

private:
  void drawService(uint32_t number);
  void drawBox(const Topology::Box &box);
  void drawVertex(uint32_t number);
  void drawStyles();
  raw_ostream &line() { return os.indent(2 * depth); }
  template <typename Body>
  void subgraph(const std::string &id, StringRef title, Body body) {
    line() << "subgraph " << id << " [\"" << escapeMermaid(title) << "\"]\n";
    ++depth;
    body();
    --depth;
    line() << "end\n";
  }

  const Topology &topology;
  raw_ostream &os;
  unsigned depth = 1;
  uint32_t numBoxes = 0;
};

} // namespace

void MermaidTopology::drawVertex(uint32_t number) {
  const Topology::Vertex &vertex = topology.vertices[number];
  // A box with double sides stands for many.
  line() << 'n' << number << (vertex.isStack ? "[[\"" : "(\"")
         << escapeMermaid(vertex.label) << (vertex.isStack ? "\"]]" : "\")")
         << '\n';
}

void MermaidTopology::drawBox(const Topology::Box &box) {
  auto drawVertices = [&] {
    for (NodeId id : box.vertices.ids())
      drawVertex(id.index);
  };
  if (box.vertices.count == 1)
    return drawVertices();
  subgraph("b" + std::to_string(numBoxes++), box.title, drawVertices);
}

void MermaidTopology::drawService(uint32_t number) {
  const Topology::Service &service = topology.services[number];
  auto drawBoxes = [&] {
    for (const Topology::Box &box : service.boxes)
      drawBox(box);
  };
  if (!service.outer)
    return drawBoxes();
  std::string id = "s" + std::to_string(number);
  subgraph(id, service.title, drawBoxes);
  line() << 'n' << *service.outer << " -.- " << id << '\n';
}

void MermaidTopology::drawStyles() {
  for (const Topology::Service &service : topology.services)
    for (const Topology::Box &box : service.boxes)
      for (NodeId id : box.vertices.ids())
        line() << "style n" << id.index << " fill:" << colors(box).fill
               << ",stroke:" << colors(box).line << '\n';
}

void MermaidTopology::draw() {
  os << "flowchart TB\n";
  for (uint32_t i = 0; i < topology.services.size(); ++i)
    drawService(i);
  for (const Topology::Edge &edge : topology.edges)
    line() << 'n' << edge.from << (edge.isContainment ? " ==>|\"" : " -->|\"")
           << escapeMermaid(edge.label) << "\"| n" << edge.to << '\n';
  drawStyles();
}

void ir::drawGraphAsMermaid(const Graph &graph, const DrawOptions &options,
                            raw_ostream &os) {
  Topology topology = layOut(graph, options);
  MermaidTopology(topology, os).draw();
}
