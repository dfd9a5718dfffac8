//===- ClassGraph.cpp - Where paths may lead, class by class --------------===//

#include "toscac/IR/ClassGraph.h"

#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

std::string ir::describe(const Graph &, const NodeClass &nodeClass) {
  return ("class '" + nodeClass.name.str() + "'").str();
}

std::string ir::describe(const Graph &graph,
                         const RelationshipClass &requirement) {
  const auto &classes = graph.nodeClasses;
  StringRef source = requirement.source.index < classes.size()
                         ? classes[requirement.source.index].name.str()
                         : "?";
  return ("requirement '" + requirement.requirement.str() + "' of '" + source +
          "'")
      .str();
}

ClassGraph::ClassGraph(const Graph &graph) : graph(graph) {
  targets.resize(graph.relationshipClasses.size());
  incoming.resize(graph.nodeClasses.size());
  inside.resize(graph.nodeClasses.size());
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs))
    if (subgraph.substitutes)
      inside[graph.classOfNode[subgraph.substitutes->index].index].push_back(i);
  using Edge = std::tuple<uint32_t, uint32_t, uint32_t>;
  llvm::DenseSet<Edge> seen;
  Edge last(~0u - 2, 0, 0);
  for (uint32_t i = 0; i < graph.numRelationships(); ++i) {
    uint32_t from = graph.classOfRelationship[i].index;
    uint32_t to = graph.classOfNode[graph.target[i].index].index;
    Edge edge(from, to, graph.capability[i]);
    // Most relationships are like the one before.
    if (edge == last || !seen.insert(edge).second)
      continue;
    last = edge;
    if (!llvm::is_contained(targets[from], to))
      targets[from].push_back(to);
    incoming[to].push_back({graph.capability[i], from});
  }
}

SubgraphId ClassGraph::subgraphOf(ClassRef ref) const {
  switch (ref.kind) {
  case EntityKind::Node:
    return graph.nodeClasses[ref.index].subgraph;
  case EntityKind::Relationship:
    return graph.nodeClasses[graph.relationshipClasses[ref.index].source.index]
        .subgraph;
  case EntityKind::Service:
    return {ref.index};
  }
  llvm_unreachable("all kinds are handled");
}

llvm::ArrayRef<MachineSlot> ClassGraph::machinesOf(ClassRef ref) const {
  switch (ref.kind) {
  case EntityKind::Node:
    return graph.nodeClasses[ref.index].machines;
  case EntityKind::Relationship:
    return graph.relationshipClasses[ref.index].machines;
  case EntityKind::Service:
    return graph.subgraphs[ref.index].machines;
  }
  llvm_unreachable("all kinds are handled");
}

std::string ClassGraph::describe(ClassRef ref) const {
  switch (ref.kind) {
  case EntityKind::Node:
    return ir::describe(graph, graph.nodeClasses[ref.index]);
  case EntityKind::Relationship:
    return ir::describe(graph, graph.relationshipClasses[ref.index]);
  case EntityKind::Service:
    return ("service '" + graph.subgraphs[ref.index].service.str() + "'").str();
  }
  llvm_unreachable("all kinds are handled");
}

/// Classes of relationships of the same node, before \p relationshipClass or
/// after it.
llvm::iota_range<uint32_t> ClassGraph::ranksBeside(uint32_t relationshipClass,
                                                   bool before) const {
  uint32_t source = graph.relationshipClasses[relationshipClass].source.index;
  auto ranks = graph.nodeClasses[source].relationships;
  return before ? llvm::seq(ranks.first, relationshipClass)
                : llvm::seq(relationshipClass + 1, ranks.first + ranks.count);
}

/// Relationships that leave \p nodeClass, those of \p requirement or all.
bool ClassGraph::leave(uint32_t nodeClass, Name requirement,
                       Visit visit) const {
  for (auto id : graph.nodeClasses[nodeClass].relationships.ids()) {
    Name name = graph.relationshipClasses[id.index].requirement;
    if ((!requirement || name == requirement) &&
        !visit({EntityKind::Relationship, id.index}))
      return false;
  }
  return true;
}

/// Relationships that enter \p nodeClass by \p capability, or by any.
bool ClassGraph::enter(uint32_t nodeClass, Name capability, Visit visit) const {
  const auto &capabilities = graph.nodeClasses[nodeClass].capabilities;
  return llvm::all_of(incoming[nodeClass], [&](const Incoming &edge) {
    bool isMeant =
        !capability || capabilities[edge.capability].name == capability;
    return !isMeant ||
           visit({EntityKind::Relationship, edge.relationshipClass});
  });
}

/// \p nodeClass, or the classes of the nodes that stand for it.
bool ClassGraph::visitNode(uint32_t nodeClass, Visit visit) const {
  const auto &selected = graph.nodeClasses[nodeClass].selected;
  if (selected.empty())
    return visit({EntityKind::Node, nodeClass});
  return llvm::all_of(selected, [&](NodeId node) {
    return visit({EntityKind::Node, graph.classOfNode[node.index].index});
  });
}

bool ClassGraph::visitNodes(SubgraphId subgraph, Name name, Visit visit) const {
  if (!name)
    return llvm::all_of(
        graph.subgraphs[subgraph.index].classes.ids(),
        [&](NodeClassId id) { return visitNode(id.index, visit); });
  auto found = graph.findClass(subgraph, name);
  return !found || visitNode(found->index, visit);
}

/// Where \p step may lead from a relationship.
bool ClassGraph::visitFromRelationship(uint32_t from, const PathStep &step,
                                       Visit visit) const {
  using Kind = PathStep::Kind;
  const RelationshipClass &own = graph.relationshipClasses[from];
  auto visitAll = [&](EntityKind kind, const auto &indices) {
    return llvm::all_of(indices,
                        [&](uint32_t index) { return visit({kind, index}); });
  };
  switch (step.kind) {
  case Kind::Earlier:
  case Kind::Later:
    return visitAll(EntityKind::Relationship,
                    ranksBeside(from, step.kind == Kind::Earlier));
  case Kind::Source:
    return visit({EntityKind::Node, own.source.index});
  case Kind::Target:
    return visitAll(EntityKind::Node, targets[from]);
  case Kind::Capability:
    return leave(own.source.index, own.requirement, visit);
  default:
    return true;
  }
}

/// Where \p step may lead from \p at.
bool ClassGraph::visitNext(ClassRef at, const PathStep &step,
                           Visit visit) const {
  using Kind = PathStep::Kind;
  bool isNode = at.kind == EntityKind::Node;
  switch (step.kind) {
  case Kind::Service:
    return visit({EntityKind::Service, subgraphOf(at).index});
  case Kind::Outside: {
    auto outer = graph.subgraphs[subgraphOf(at).index].substitutes;
    return !outer ||
           visit({EntityKind::Node, graph.classOfNode[outer->index].index});
  }
  case Kind::Node:
    return visitNodes(subgraphOf(at), step.name, visit);
  case Kind::Inside:
    return !isNode || llvm::all_of(inside[at.index], [&](uint32_t subgraph) {
      return visit({EntityKind::Service, subgraph});
    });
  case Kind::Relationship:
    return !isNode || leave(at.index, step.name, visit);
  case Kind::Capability:
    if (isNode)
      return enter(at.index, step.name, visit);
    [[fallthrough]];
  case Kind::Earlier:
  case Kind::Later:
  case Kind::Source:
  case Kind::Target:
    return at.kind != EntityKind::Relationship ||
           visitFromRelationship(at.index, step, visit);
  }
  llvm_unreachable("all kinds are handled");
}

bool ClassGraph::forEachClass(ClassRef at, llvm::ArrayRef<PathStep> steps,
                              Visit visit) const {
  if (steps.empty())
    return visit(at);
  return visitNext(at, steps.front(), [&](ClassRef next) {
    return forEachClass(next, steps.drop_front(), visit);
  });
}
