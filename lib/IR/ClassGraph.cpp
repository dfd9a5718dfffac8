//===- ClassGraph.cpp - Where paths may lead, class by class --------------===//

#include "ClassGraph.h"

#include "Verifier.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::ir;

ClassGraph::ClassGraph(const Graph &graph) : graph(graph) {
  targets.resize(graph.relationshipClasses.size());
  incoming.resize(graph.nodeClasses.size());
  inside.resize(graph.nodeClasses.size());
  for (auto [i, scope] : llvm::enumerate(graph.scopes))
    if (scope.substitutes)
      inside[graph.classOfNode[scope.substitutes->index].index].push_back(i);
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

ScopeId ClassGraph::scopeOf(ClassRef ref) const {
  switch (ref.kind) {
  case EntityKind::Node:
    return graph.nodeClasses[ref.index].scope;
  case EntityKind::Relationship:
    return graph.nodeClasses[graph.relationshipClasses[ref.index].source.index]
        .scope;
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
    return graph.scopes[ref.index].machines;
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
    return ("service '" + graph.scopes[ref.index].service.str() + "'").str();
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

bool ClassGraph::forEachClass(ClassRef at, llvm::ArrayRef<PathStep> steps,
                              llvm::function_ref<bool(ClassRef)> visit) const {
  using Kind = PathStep::Kind;
  if (steps.empty())
    return visit(at);
  const PathStep &step = steps.front();
  auto go = [&](EntityKind kind, uint32_t index) {
    return forEachClass({kind, index}, steps.drop_front(), visit);
  };
  auto goAll = [&](EntityKind kind, const auto &indices) {
    return llvm::all_of(indices,
                        [&](uint32_t index) { return go(kind, index); });
  };
  auto goNode = [&](uint32_t nodeClass) {
    const auto &selected = graph.nodeClasses[nodeClass].selected;
    if (selected.empty())
      return go(EntityKind::Node, nodeClass);
    return llvm::all_of(selected, [&](NodeId node) {
      return go(EntityKind::Node, graph.classOfNode[node.index].index);
    });
  };
  auto leave = [&](uint32_t nodeClass, Name requirement) {
    for (auto id : graph.nodeClasses[nodeClass].relationships.ids()) {
      Name name = graph.relationshipClasses[id.index].requirement;
      if ((!requirement || name == requirement) &&
          !go(EntityKind::Relationship, id.index))
        return false;
    }
    return true;
  };
  auto enter = [&](uint32_t nodeClass) {
    const auto &capabilities = graph.nodeClasses[nodeClass].capabilities;
    return llvm::all_of(incoming[nodeClass], [&](const Incoming &edge) {
      bool isMeant =
          !step.name || capabilities[edge.capability].name == step.name;
      return !isMeant || go(EntityKind::Relationship, edge.relationshipClass);
    });
  };
  bool isNode = at.kind == EntityKind::Node;
  bool isRelationship = at.kind == EntityKind::Relationship;
  switch (step.kind) {
  case Kind::Service:
    return go(EntityKind::Service, scopeOf(at).index);
  case Kind::Inside:
    return !isNode || goAll(EntityKind::Service, inside[at.index]);
  case Kind::Outside: {
    auto outer = graph.scopes[scopeOf(at).index].substitutes;
    return !outer ||
           go(EntityKind::Node, graph.classOfNode[outer->index].index);
  }
  case Kind::Earlier:
  case Kind::Later:
    return !isRelationship ||
           goAll(EntityKind::Relationship,
                 ranksBeside(at.index, step.kind == Kind::Earlier));
  case Kind::Source:
    return !isRelationship ||
           go(EntityKind::Node,
              graph.relationshipClasses[at.index].source.index);
  case Kind::Target:
    return !isRelationship || goAll(EntityKind::Node, targets[at.index]);
  case Kind::Relationship:
    return !isNode || leave(at.index, step.name);
  case Kind::Capability:
    if (isRelationship)
      return leave(graph.relationshipClasses[at.index].source.index,
                   graph.relationshipClasses[at.index].requirement);
    return !isNode || enter(at.index);
  case Kind::Node:
    if (!step.name)
      return llvm::all_of(graph.scopes[scopeOf(at).index].classes.ids(),
                          [&](NodeClassId id) { return goNode(id.index); });
    if (auto found = graph.findClass(scopeOf(at), step.name))
      return goNode(found->index);
    return true;
  }
  llvm_unreachable("all kinds are handled");
}
