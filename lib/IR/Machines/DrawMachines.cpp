//===- DrawMachines.cpp - Machines as diagrams ----------------------------===//

#include "toscac/IR/DrawMachines.h"

#include "toscac/Basic/PictureText.h"
#include "toscac/IR/StateDiagram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Graphviz
//===----------------------------------------------------------------------===//

static void drawAsDot(const StateDiagram &diagram, size_t number,
                      raw_ostream &os) {
  auto node = [&](uint32_t value) {
    return ("s" + llvm::Twine(number) + "_" + llvm::Twine(value)).str();
  };
  os << "  subgraph cluster_" << number << " {\n";
  os << "    label = " << quoteDot(diagram.title) << ";\n";
  os << "    start" << number << " [shape=point, width=0.15];\n";
  for (uint32_t value : diagram.values)
    os << "    " << node(value)
       << " [label=" << quoteDot(diagram.valueName(value)) << "];\n";
  os << "    start" << number << " -> " << node(diagram.initial) << ";\n";
  for (const StateDiagram::Edge &edge : diagram.edges)
    os << "    " << node(edge.from) << " -> " << node(edge.to)
       << " [label=" << quoteDot(edge.operation.str())
       << (edge.fails ? ", style=dashed" : "") << "];\n";
  os << "  }\n";
}

void ir::drawMachinesAsDot(ArrayRef<ShownMachine> machines, raw_ostream &os) {
  os << "digraph machines {\n";
  os << "  rankdir = LR;\n";
  os << "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
  os << "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  os << "  graph [fontname=\"sans-serif\"];\n";
  for (auto [i, diagram] : llvm::enumerate(diagramsOf(machines)))
    drawAsDot(diagram, i, os);
  os << "}\n";
}

//===----------------------------------------------------------------------===//
// Mermaid
//===----------------------------------------------------------------------===//

static bool isMermaidName(StringRef text) {
  return !text.empty() &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         text != "end" && text != "state";
}

namespace {

/// A diagram stands alone under its names; several of them stand side by side,
/// each with names of its own.
class MermaidDrawing {
public:
  MermaidDrawing(const StateDiagram &diagram, std::string prefix,
                 StringRef indent, raw_ostream &os)
      : diagram(diagram), prefix(std::move(prefix)), indent(indent), os(os) {}

  void draw();

private:
  std::string id(uint32_t value) const {
    std::string name = diagram.valueName(value);
    return isMermaidName(name) ? prefix + name
                               : prefix + "value" + std::to_string(value);
  }

  const StateDiagram &diagram;
  std::string prefix;
  StringRef indent;
  raw_ostream &os;
};

} // namespace

void MermaidDrawing::draw() {
  for (uint32_t value : diagram.values)
    if (id(value) != diagram.valueName(value))
      os << indent << "state \"" << escapeMermaid(diagram.valueName(value))
         << "\" as " << id(value) << '\n';
  os << indent << "[*] --> " << id(diagram.initial) << '\n';
  for (const StateDiagram::Edge &edge : diagram.edges)
    os << indent << id(edge.from) << " --> " << id(edge.to) << ": "
       << escapeMermaid(diagram.label(edge)) << '\n';
}

void ir::drawMachinesAsMermaid(ArrayRef<ShownMachine> machines,
                               raw_ostream &os) {
  std::vector<StateDiagram> diagrams = diagramsOf(machines);
  os << "stateDiagram-v2\n";
  if (diagrams.size() == 1) {
    MermaidDrawing(diagrams.front(), "", "  ", os).draw();
    return;
  }
  for (auto [i, diagram] : llvm::enumerate(diagrams)) {
    std::string name = "m" + std::to_string(i);
    os << "  state \"" << escapeMermaid(diagram.title) << "\" as " << name
       << " {\n";
    MermaidDrawing(diagram, name + "_", "    ", os).draw();
    os << "  }\n";
  }
}
