//===- ResolvePath.cpp - Following paths over the graph -------------------===//
///
/// \file
/// Each step calls the next for every entity it leads to, so that the depth of
/// recursion is the length of the path.
///
//===----------------------------------------------------------------------===//

#include "toscac/IR/ResolvePath.h"

#include "toscac/IR/ImmediateRemoval.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;

std::optional<int64_t> ir::literalIndex(const Expr &index) {
  if (!index.isLiteral() || !index.value().isInteger())
    return std::nullopt;
  return index.value().asInteger();
}

const CapabilityColumns &ir::targetCapability(const Graph &graph,
                                              RelationshipId relationship) {
  const NodeClass &target = graph.classOf(graph.target[relationship.index]);
  return target.capabilities[graph.capability[relationship.index]];
}

namespace {

class PathWalker {
public:
  PathWalker(const Graph &graph, IndexOf indexOf,
             llvm::function_ref<bool(EntityId)> visit)
      : graph(graph), indexOf(indexOf), visit(visit) {}

  /// False when the walk is over, be it because the visitor has enough or
  /// because an index is unknown.
  bool walk(EntityId at, ArrayRef<PathStep> steps);

  bool metUnknown = false;

private:
  /// An index that is given: its value, or nothing to be found there.
  struct Choice {
    bool all;
    std::optional<uint32_t> index;
  };
  /// Nothing if it is not known.
  std::optional<Choice> choose(const PathStep &step);

  bool take(EntityId at, const PathStep &step, ArrayRef<PathStep> rest);
  bool leave(NodeId node, const PathStep &step, Choice choice,
             ArrayRef<PathStep> rest);
  bool enter(NodeId node, const PathStep &step, Choice choice,
             ArrayRef<PathStep> rest);
  bool siblings(RelationshipId at, Choice choice, ArrayRef<PathStep> rest);
  bool neighbours(RelationshipId at, const PathStep &step,
                  ArrayRef<PathStep> rest);
  bool outgoing(NodeId node, const RelationshipClass &leaving, Choice choice,
                ArrayRef<PathStep> rest);
  bool instances(SubgraphId subgraph, const PathStep &step, Choice choice,
                 ArrayRef<PathStep> rest);
  bool instancesOf(const NodeClass &nodeClass, Choice choice,
                   ArrayRef<PathStep> rest);

  const Graph &graph;
  IndexOf indexOf;
  llvm::function_ref<bool(EntityId)> visit;
};

} // namespace

bool PathWalker::walk(EntityId at, ArrayRef<PathStep> steps) {
  if (isRemovedAtOnce(graph, at))
    return true;
  if (steps.empty())
    return visit(at);
  return take(at, steps.front(), steps.drop_front());
}

std::optional<PathWalker::Choice> PathWalker::choose(const PathStep &step) {
  if (!step.index)
    return Choice{/*all=*/true, std::nullopt};
  std::optional<int64_t> index = indexOf(*step.index);
  if (!index) {
    metUnknown = true;
    return std::nullopt;
  }
  if (*index < 0 || *index > std::numeric_limits<uint32_t>::max())
    return Choice{/*all=*/false, std::nullopt};
  return Choice{/*all=*/false, static_cast<uint32_t>(*index)};
}

/// A step that does not fit the entity leads nowhere.
bool PathWalker::take(EntityId at, const PathStep &step,
                      ArrayRef<PathStep> rest) {
  using Kind = PathStep::Kind;
  switch (step.kind) {
  case Kind::Source:
  case Kind::Target: {
    if (!graph.isRelationship(at))
      return true;
    const auto &ends = step.kind == Kind::Source ? graph.source : graph.target;
    return walk(graph.entity(ends[graph.relationship(at).index]), rest);
  }
  case Kind::Service:
    return walk(graph.entity(graph.subgraphOf(at)), rest);
  case Kind::Inside: {
    auto inside =
        graph.isNode(at) ? graph.inside(graph.node(at)) : std::nullopt;
    return !inside || walk(graph.entity(*inside), rest);
  }
  case Kind::Outside: {
    auto outer = graph.subgraphs[graph.subgraphOf(at).index].substitutes;
    return !outer || walk(graph.entity(*outer), rest);
  }
  case Kind::Earlier:
  case Kind::Later:
    return !graph.isRelationship(at) ||
           neighbours(graph.relationship(at), step, rest);
  case Kind::Relationship:
  case Kind::Capability:
  case Kind::Node:
    break;
  }
  std::optional<Choice> choice = choose(step);
  if (!choice)
    return false;
  if (!choice->all && !choice->index)
    return true;
  if (step.kind == Kind::Node)
    return instances(graph.subgraphOf(at), step, *choice, rest);
  if (graph.isNode(at))
    return step.kind == Kind::Relationship
               ? leave(graph.node(at), step, *choice, rest)
               : enter(graph.node(at), step, *choice, rest);
  if (step.kind == Kind::Capability && graph.isRelationship(at))
    return siblings(graph.relationship(at), *choice, rest);
  return true;
}

bool PathWalker::outgoing(NodeId node, const RelationshipClass &leaving,
                          Choice choice, ArrayRef<PathStep> rest) {
  if (!choice.all) {
    auto found = graph.findRelationship(node, leaving, *choice.index);
    return !found || walk(graph.entity(*found), rest);
  }
  for (RelationshipId id : graph.outgoing(node, leaving).ids())
    if (!walk(graph.entity(id), rest))
      return false;
  return true;
}

bool PathWalker::leave(NodeId node, const PathStep &step, Choice choice,
                       ArrayRef<PathStep> rest) {
  for (RelationshipClassId id : graph.classOf(node).relationships.ids()) {
    const RelationshipClass &leaving = graph.relationshipClasses[id.index];
    if (step.name && leaving.requirement != step.name)
      continue;
    if (!outgoing(node, leaving, choice, rest))
      return false;
  }
  return true;
}

bool PathWalker::enter(NodeId node, const PathStep &step, Choice choice,
                       ArrayRef<PathStep> rest) {
  for (auto [i, capability] :
       llvm::enumerate(graph.classOf(node).capabilities)) {
    if (step.name && capability.name != step.name)
      continue;
    ArrayRef<RelationshipId> incoming = graph.incomingOf(node, i);
    if (!choice.all)
      incoming =
          incoming.drop_front(std::min<size_t>(*choice.index, incoming.size()))
              .take_front(1);
    for (RelationshipId id : incoming)
      if (!walk(graph.entity(id), rest))
        return false;
  }
  return true;
}

/// From a relationship, its capability stands for the requirement that it
/// comes from (TOSCA 2.0 §10.3).
bool PathWalker::siblings(RelationshipId at, Choice choice,
                          ArrayRef<PathStep> rest) {
  PathStep step{PathStep::Kind::Relationship, graph.classOf(at).requirement};
  return leave(graph.source[at.index], step, choice, rest);
}

bool PathWalker::neighbours(RelationshipId at, const PathStep &step,
                            ArrayRef<PathStep> rest) {
  bool isEarlier = step.kind == PathStep::Kind::Earlier;
  for (auto rank = graph.neighboursOf(at, isEarlier); rank.count != 0;
       rank = graph.neighboursOf(rank[0], isEarlier)) {
    for (RelationshipId id : rank.ids())
      if (!walk(graph.entity(id), rest))
        return false;
    if (!step.name)
      break;
  }
  return true;
}

bool PathWalker::instancesOf(const NodeClass &nodeClass, Choice choice,
                             ArrayRef<PathStep> rest) {
  if (!choice.all) {
    auto found = graph.findNode(nodeClass, *choice.index);
    return !found || walk(graph.entity(*found), rest);
  }
  for (NodeId id : nodeClass.nodes.ids())
    if (!walk(graph.entity(id), rest))
      return false;
  for (NodeId id : nodeClass.selected)
    if (!walk(graph.entity(id), rest))
      return false;
  return true;
}

bool PathWalker::instances(SubgraphId subgraph, const PathStep &step,
                           Choice choice, ArrayRef<PathStep> rest) {
  if (step.name) {
    auto found = graph.findClass(subgraph, step.name);
    return !found || instancesOf(graph.nodeClasses[found->index], choice, rest);
  }
  for (NodeClassId id : graph.subgraphs[subgraph.index].classes.ids())
    if (!instancesOf(graph.nodeClasses[id.index], choice, rest))
      return false;
  return true;
}

bool ir::forEachEntity(const Graph &graph, EntityId start, const Path &path,
                       IndexOf indexOf,
                       llvm::function_ref<bool(EntityId)> visit) {
  PathWalker walker(graph, indexOf, visit);
  walker.walk(start, path.steps);
  return !walker.metUnknown;
}
