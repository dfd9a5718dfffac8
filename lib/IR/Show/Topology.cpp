//===- Topology.cpp - What a picture of a graph shows ---------------------===//

#include "Topology.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using namespace toscac::ir;

namespace {

class TopologyLayout {
public:
  TopologyLayout(const Graph &graph, const DrawOptions &options)
      : graph(graph), options(options) {}

  Topology take();

private:
  static constexpr uint32_t hidden = ~0u;

  void addService(const Subgraph &subgraph);
  void addBox(const NodeClass &nodeClass, Topology::Service &service);
  void addStack(const NodeClass &nodeClass);
  void addEdges();
  /// Where a node is drawn; hidden inside of a stack.
  uint32_t vertexOf(NodeId node) const;
  bool isStack(const NodeClass &nodeClass) const {
    return nodeClass.nodes.count > options.foldAbove;
  }
  std::string typeName(TypeId type) const {
    return type ? graph.types[type.index].name.str().str() : std::string();
  }

  const Graph &graph;
  const DrawOptions &options;
  Topology result;
  /// For each class, its first vertex.
  std::vector<uint32_t> firstVertex;
  /// By type, counted from 1; 0 is none.
  llvm::DenseMap<uint32_t, uint32_t> styles;
  /// Services that stand for nodes of a stack, by class: they are not drawn.
  llvm::DenseMap<uint32_t, Name> insideStack;
};

} // namespace

uint32_t TopologyLayout::vertexOf(NodeId node) const {
  uint32_t first = firstVertex[graph.classOfNode[node.index].index];
  if (first == hidden || isStack(graph.classOf(node)))
    return first;
  return first + graph.row(node);
}

/// `site[0]`, or `site[0], site[3] … site[9]` for a stack.
static std::string describeIndices(const Graph &graph,
                                   const NodeClass &nodeClass) {
  uint32_t last = nodeClass.nodes.first + nodeClass.nodes.count - 1;
  return (nodeClass.name.str() + "[" +
          llvm::Twine(graph.indexOfNode[nodeClass.nodes.first]) + " … " +
          llvm::Twine(graph.indexOfNode[last]) + "]")
      .str();
}

void TopologyLayout::addStack(const NodeClass &nodeClass) {
  std::string label = describeIndices(graph, nodeClass) + "\n" +
                      typeName(nodeClass.type) + "\n" +
                      std::to_string(nodeClass.nodes.count) + " instances";
  auto inside = insideStack.find(&nodeClass - graph.nodeClasses.data());
  if (inside != insideStack.end())
    label += ", each with '" + inside->second.str().str() + "' inside";
  std::string prefix;
  if (auto outer = graph.subgraphs[nodeClass.subgraph.index].substitutes)
    prefix = graph.nameOf(*outer) + "/";
  result.vertices.push_back(
      {prefix + nodeClass.name.str().str(), label, /*isStack=*/true});
}

void TopologyLayout::addBox(const NodeClass &nodeClass,
                            Topology::Service &service) {
  Topology::Box box;
  std::string type = typeName(nodeClass.type);
  box.title = nodeClass.name.str().str();
  if (!type.empty())
    box.title += " (" + type + ")";
  box.style =
      styles.try_emplace(nodeClass.type.index + 1, styles.size()).first->second;
  box.vertices.first = result.vertices.size();
  firstVertex[&nodeClass - graph.nodeClasses.data()] = box.vertices.first;
  if (isStack(nodeClass)) {
    addStack(nodeClass);
  } else {
    bool isAlone = nodeClass.nodes.count == 1;
    for (NodeId node : nodeClass.nodes.ids()) {
      std::string own = (nodeClass.name.str() + "[" +
                         llvm::Twine(graph.indexOfNode[node.index]) + "]")
                            .str();
      // The box of several instances names their type.
      std::string label = isAlone && !type.empty() ? own + "\n" + type : own;
      result.vertices.push_back({graph.nameOf(node), label, /*isStack=*/false});
    }
  }
  box.vertices.count = result.vertices.size() - box.vertices.first;
  if (box.vertices.count)
    service.boxes.push_back(std::move(box));
}

void TopologyLayout::addService(const Subgraph &subgraph) {
  Topology::Service service;
  service.title = subgraph.service.str().str();
  if (subgraph.substitutes) {
    uint32_t outer = vertexOf(*subgraph.substitutes);
    if (outer == hidden || result.vertices[outer].isStack)
      return;
    service.outer = outer;
    service.title += " in " + result.vertices[outer].name;
  }
  for (NodeClassId id : subgraph.classes.ids())
    addBox(graph.nodeClasses[id.index], service);
  result.services.push_back(std::move(service));
}

void TopologyLayout::addEdges() {
  // Relationships of stacks fall together.
  using Key = std::tuple<uint32_t, uint32_t, const char *, unsigned>;
  llvm::MapVector<Key, uint32_t> counts;
  for (uint32_t i = 0; i < graph.numRelationships(); ++i) {
    uint32_t from = vertexOf(graph.source[i]);
    uint32_t to = vertexOf(graph.target[i]);
    if (from == hidden || to == hidden)
      continue;
    const RelationshipClass &requirement = graph.classOf(RelationshipId{i});
    bool isContainment =
        findMark(graph.types, requirement.type, "containment") == "true";
    ++counts[Key(from, to, requirement.requirement.str().data(),
                 isContainment)];
  }
  for (const auto &[key, count] : counts) {
    auto [from, to, name, isContainment] = key;
    std::string label = name ? name : "";
    if (count > 1)
      label += " × " + std::to_string(count);
    result.edges.push_back({from, to, label, isContainment != 0});
  }
}

Topology TopologyLayout::take() {
  firstVertex.assign(graph.nodeClasses.size(), hidden);
  for (const Subgraph &subgraph : graph.subgraphs) {
    if (!subgraph.substitutes)
      continue;
    uint32_t outer = graph.classOfNode[subgraph.substitutes->index].index;
    insideStack.try_emplace(outer, subgraph.service);
  }
  for (const Subgraph &subgraph : graph.subgraphs)
    addService(subgraph);
  addEdges();
  return std::move(result);
}

Topology ir::layOut(const Graph &graph, const DrawOptions &options) {
  return TopologyLayout(graph, options).take();
}
