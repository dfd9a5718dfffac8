//===- ReverseWalk.cpp - Paths backwards ----------------------------------===//

#include "ReverseWalk.h"

#include "toscac/IR/ResolvePath.h"

using namespace toscac;
using namespace toscac::plan;
using ir::EntityKind;
using llvm::ArrayRef;
using Kind = ir::PathStep::Kind;

bool toscac::plan::leadAlike(ArrayRef<ir::PathStep> a,
                             ArrayRef<ir::PathStep> b) {
  auto indexOf = [](const ir::PathStep &step) {
    return step.index ? ir::literalIndex(*step.index) : std::nullopt;
  };
  return llvm::equal(a, b, [&](const ir::PathStep &x, const ir::PathStep &y) {
    return x.kind == y.kind && x.name == y.name && indexOf(x) == indexOf(y);
  });
}

EntityKind toscac::plan::kindAfter(ArrayRef<ir::PathStep> steps,
                                   EntityKind self) {
  if (steps.empty())
    return self;
  switch (steps.back().kind) {
  case Kind::Relationship:
  case Kind::Capability:
  case Kind::Earlier:
  case Kind::Later:
    return EntityKind::Relationship;
  case Kind::Source:
  case Kind::Target:
  case Kind::Node:
  case Kind::Outside:
    return EntityKind::Node;
  case Kind::Service:
  case Kind::Inside:
    return EntityKind::Service;
  }
  llvm_unreachable("all kinds are handled");
}

namespace {

class ReverseWalker {
public:
  ReverseWalker(const ir::Graph &graph, EntityKind self,
                llvm::function_ref<void(ir::EntityId)> visit)
      : graph(graph), self(self), visit(visit) {}

  void walk(ir::EntityId at, ArrayRef<ir::PathStep> steps);

private:
  void leaving(ir::NodeId node, Name requirement, ArrayRef<ir::PathStep> rest);
  void relationship(ir::RelationshipId id, const ir::PathStep &step,
                    ArrayRef<ir::PathStep> rest);
  void capability(ir::RelationshipId id, const ir::PathStep &step,
                  ArrayRef<ir::PathStep> rest);
  void neighbours(ir::RelationshipId at, const ir::PathStep &step,
                  ArrayRef<ir::PathStep> rest);
  /// All entities of a subgraph that the path may have come from.
  void subgraph(ir::SubgraphId id, ArrayRef<ir::PathStep> rest);

  static bool fits(const ir::PathStep &step, uint32_t index) {
    return !step.index || ir::literalIndex(*step.index) == index;
  }

  const ir::Graph &graph;
  EntityKind self;
  llvm::function_ref<void(ir::EntityId)> visit;
};

} // namespace

/// What comes after is what has this before it.
void ReverseWalker::neighbours(ir::RelationshipId at, const ir::PathStep &step,
                               ArrayRef<ir::PathStep> rest) {
  bool isLater = step.kind == Kind::Later;
  for (auto rank = graph.neighboursOf(at, isLater); rank.count != 0;
       rank = graph.neighboursOf(rank[0], isLater)) {
    for (ir::RelationshipId id : rank.ids())
      walk(graph.entity(id), rest);
    if (!step.name)
      break;
  }
}

void ReverseWalker::walk(ir::EntityId at, ArrayRef<ir::PathStep> steps) {
  if (isRemovedAtOnce(graph, at))
    return;
  if (steps.empty()) {
    if (graph.kindOf(at) == self)
      visit(at);
    return;
  }
  const ir::PathStep &step = steps.back();
  ArrayRef<ir::PathStep> rest = steps.drop_back();
  switch (step.kind) {
  case Kind::Source:
    if (graph.isNode(at))
      leaving(graph.node(at), Name(), rest);
    return;
  case Kind::Target:
    if (graph.isNode(at))
      for (ir::RelationshipId id : graph.incomingOf(graph.node(at)))
        walk(graph.entity(id), rest);
    return;
  case Kind::Relationship:
    if (graph.isRelationship(at))
      relationship(graph.relationship(at), step, rest);
    return;
  case Kind::Capability:
    if (graph.isRelationship(at))
      capability(graph.relationship(at), step, rest);
    return;
  case Kind::Earlier:
  case Kind::Later:
    if (graph.isRelationship(at))
      neighbours(graph.relationship(at), step, rest);
    return;
  case Kind::Node: {
    if (!graph.isNode(at))
      return;
    const ir::NodeClass &nodeClass = graph.classOf(graph.node(at));
    if ((!step.name || step.name == nodeClass.name) &&
        fits(step, graph.indexOfNode[at.index]))
      subgraph(nodeClass.subgraph, rest);
    return;
  }
  case Kind::Service:
    if (graph.isService(at))
      subgraph(graph.subgraph(at), rest);
    return;
  case Kind::Inside:
    if (graph.isService(at))
      if (auto outer = graph.subgraphs[graph.subgraph(at).index].substitutes)
        walk(graph.entity(*outer), rest);
    return;
  case Kind::Outside:
    if (graph.isNode(at))
      if (auto inside = graph.inside(graph.node(at)))
        subgraph(*inside, rest);
    return;
  }
}

void ReverseWalker::leaving(ir::NodeId node, Name requirement,
                            ArrayRef<ir::PathStep> rest) {
  for (ir::RelationshipClassId id : graph.classOf(node).relationships.ids()) {
    const ir::RelationshipClass &leaving = graph.relationshipClasses[id.index];
    if (requirement && leaving.requirement != requirement)
      continue;
    for (ir::RelationshipId r : graph.outgoing(node, leaving).ids())
      walk(graph.entity(r), rest);
  }
}

void ReverseWalker::relationship(ir::RelationshipId id,
                                 const ir::PathStep &step,
                                 ArrayRef<ir::PathStep> rest) {
  if ((!step.name || graph.classOf(id).requirement == step.name) &&
      fits(step, graph.indexOfRelationship[id.index]))
    walk(graph.entity(graph.source[id.index]), rest);
}

void ReverseWalker::capability(ir::RelationshipId id, const ir::PathStep &step,
                               ArrayRef<ir::PathStep> rest) {
  if (kindAfter(rest, self) == EntityKind::Relationship) {
    if (fits(step, graph.indexOfRelationship[id.index]))
      leaving(graph.source[id.index], graph.classOf(id).requirement, rest);
    return;
  }
  if (step.name && ir::targetCapability(graph, id).name != step.name)
    return;
  ir::NodeId target = graph.target[id.index];
  if (step.index) {
    auto siblings = graph.incomingOf(target, graph.capability[id.index]);
    auto index = ir::literalIndex(*step.index);
    if (!index || *index < 0 || uint64_t(*index) >= siblings.size() ||
        siblings[*index] != id)
      return;
  }
  walk(graph.entity(target), rest);
}

void ReverseWalker::subgraph(ir::SubgraphId id, ArrayRef<ir::PathStep> rest) {
  const ir::Subgraph &subgraph = graph.subgraphs[id.index];
  EntityKind kind = kindAfter(rest, self);
  if (kind == EntityKind::Service)
    return walk(graph.entity(id), rest);
  for (ir::NodeClassId c : subgraph.classes.ids()) {
    const ir::NodeClass &nodeClass = graph.nodeClasses[c.index];
    if (kind == EntityKind::Node) {
      for (ir::NodeId node : nodeClass.nodes.ids())
        walk(graph.entity(node), rest);
      continue;
    }
    for (ir::RelationshipClassId r : nodeClass.relationships.ids())
      for (ir::RelationshipId relationship :
           graph.relationshipClasses[r.index].relationships.ids())
        walk(graph.entity(relationship), rest);
  }
}

void toscac::plan::walkBack(const ir::Graph &graph, ir::EntityId end,
                            ArrayRef<ir::PathStep> steps, EntityKind self,
                            llvm::function_ref<void(ir::EntityId)> visit) {
  ReverseWalker(graph, self, visit).walk(end, steps);
}
