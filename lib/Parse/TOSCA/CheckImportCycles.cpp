//===- CheckImportCycles.cpp - Namespaces without end ---------------------===//
///
/// \file
/// An import lies on a cycle exactly if both its ends are in one strongly
/// connected component; those are found once, in linear time. Only then is a
/// shortest way back looked for, within the component.
///
//===----------------------------------------------------------------------===//

#include "CheckImportCycles.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace toscac;
using namespace toscac::tosca;

namespace {

struct Vertex {
  uint32_t file = 0;
  std::vector<const Vertex *> targets;
};

/// The files as vertices, and one more that leads to the entries.
struct ImportGraph {
  explicit ImportGraph(const Package &package)
      : vertices(package.files.size() + 1) {
    for (auto [index, file] : llvm::enumerate(package.files)) {
      vertices[index].file = static_cast<uint32_t>(index);
      for (const Import &import : file->imports)
        vertices[index].targets.push_back(&vertices[import.target]);
    }
    for (uint32_t entry : package.entries)
      vertices.back().targets.push_back(&vertices[entry]);
  }

  std::vector<Vertex> vertices;
};

} // namespace

template <>
struct llvm::GraphTraits<const ImportGraph *> {
  using NodeRef = const Vertex *;
  using ChildIteratorType = std::vector<const Vertex *>::const_iterator;
  static NodeRef getEntryNode(const ImportGraph *graph) {
    return &graph->vertices.back();
  }
  // LLVM's names. NOLINTBEGIN(readability-identifier-naming)
  static ChildIteratorType child_begin(NodeRef node) {
    return node->targets.begin();
  }
  static ChildIteratorType child_end(NodeRef node) {
    return node->targets.end();
  }
  // NOLINTEND(readability-identifier-naming)
};

/// The number of each file's component.
static std::vector<uint32_t> findComponents(const Package &package) {
  ImportGraph graph(package);
  std::vector<uint32_t> components(graph.vertices.size());
  uint32_t number = 0;
  for (auto component = llvm::scc_begin<const ImportGraph *>(&graph);
       !component.isAtEnd(); ++component, ++number)
    for (const Vertex *vertex : *component)
      components[vertex - graph.vertices.data()] = number;
  return components;
}

/// A shortest way from \p from to \p to, files of one component.
static std::vector<uint32_t> findWay(const Package &package,
                                     llvm::ArrayRef<uint32_t> components,
                                     uint32_t from, uint32_t to) {
  llvm::DenseMap<uint32_t, uint32_t> cameFrom = {{from, from}};
  std::vector<uint32_t> queue = {from};
  for (size_t i = 0; i < queue.size() && !cameFrom.contains(to); ++i)
    for (const Import &import : package.files[queue[i]]->imports)
      if (components[import.target] == components[from] &&
          cameFrom.try_emplace(import.target, queue[i]).second)
        queue.push_back(import.target);
  std::vector<uint32_t> way = {to};
  while (way.back() != from)
    way.push_back(cameFrom.lookup(way.back()));
  std::reverse(way.begin(), way.end());
  return way;
}

/// `a.yaml -> b.yaml -> a.yaml`; what is long loses its middle.
static std::string describe(llvm::ArrayRef<uint32_t> way,
                            const Package &package,
                            const SourceManager &sources) {
  constexpr size_t shownAtEnds = 5;
  std::string chain = sources.name(package.files[way.back()]->source).str();
  for (auto [position, file] : llvm::enumerate(way)) {
    if (position >= shownAtEnds && position + shownAtEnds < way.size()) {
      if (position == shownAtEnds)
        chain += " -> (" + std::to_string(way.size() - 2 * shownAtEnds) +
                 " more files)";
      continue;
    }
    chain += " -> " + sources.name(package.files[file]->source).str();
  }
  return chain;
}

void tosca::checkImportCycles(const Package &package,
                              const SourceManager &sources,
                              DiagnosticEngine &diags) {
  std::vector<uint32_t> components = findComponents(package);
  std::vector<bool> reported(components.size());
  for (auto [index, file] : llvm::enumerate(package.files)) {
    uint32_t component = components[index];
    for (const Import &import : file->imports) {
      if (!import.prefix || components[import.target] != component ||
          reported[component])
        continue;
      reported[component] = true;
      auto way = findWay(package, components, import.target,
                         static_cast<uint32_t>(index));
      diags.report(import.definition->range(), diag::ImportCycle,
                   import.prefix.str(), describe(way, package, sources));
    }
  }
}
