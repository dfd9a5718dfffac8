//===- ExistingInstances.cpp - Instances already there --------------------===//

#include "ExistingInstances.h"

#include "toscac/Basic/DiagnosticsExpand.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

ExistingInstances::ExistingInstances(Expansion &expansion,
                                     const DeploymentChange &change)
    : change(change),
      indexed(change.indexed ? change.indexed
                             : std::make_shared<Recorded>(*change.recorded)),
      recorded(*indexed), expansion(expansion),
      nodes(change.recorded->entities.size(), ir::NodeId{none}) {
  expansion.graph.hasRecorded = true;
}

const state::Entity *ExistingInstances::recordedNode(uint32_t nodeClass,
                                                     uint32_t row) const {
  const Class &own = classes[nodeClass];
  return row < own.recorded.size() ? &recorded[own.recorded[row]] : nullptr;
}

std::string ExistingInstances::pathOf(uint32_t nodeClass) const {
  const ir::Graph &graph = expansion.graph;
  const ir::NodeClass &own = graph.nodeClasses[nodeClass];
  std::string path;
  if (auto outer = graph.subgraphs[own.subgraph.index].substitutes)
    path = graph.nameOf(*outer) + "/";
  return path + own.name.str().str();
}

void ExistingInstances::enterNodes(ir::SubgraphId subgraph) {
  const ir::Graph &graph = expansion.graph;
  for (ir::NodeClassId id : graph.subgraphs[subgraph.index].classes.ids())
    for (auto [row, recordedRow] : llvm::enumerate(classes[id.index].recorded))
      nodes[recordedRow] = graph.nodeClasses[id.index].nodes[row];
}

bool ExistingInstances::isLeaving(uint32_t recordedNode) const {
  ir::NodeId node = nodes[recordedNode];
  if (node.index == none)
    return true;
  uint32_t nodeClass = expansion.graph.classOfNode[node.index].index;
  uint32_t row =
      node.index - expansion.graph.nodeClasses[nodeClass].nodes.first;
  return presenceOf(nodeClass, row) == ir::Presence::Leaving;
}

ir::Presence ExistingInstances::presenceAround(uint32_t nodeClass) const {
  const ir::Graph &graph = expansion.graph;
  auto outer =
      graph.subgraphs[graph.nodeClasses[nodeClass].subgraph.index].substitutes;
  if (!outer)
    return ir::Presence::Kept;
  uint32_t outerClass = graph.classOfNode[outer->index].index;
  return presenceOf(outerClass,
                    outer->index - graph.nodeClasses[outerClass].nodes.first);
}

/// Where the template decides, the instances with the highest indices go. What
/// is inside a node comes and goes with it.
uint32_t ExistingInstances::setInstances(uint32_t nodeClass, uint32_t count) {
  ir::Presence around = presenceAround(nodeClass);
  bool isNew = around == ir::Presence::New;
  bool isLeaving = around == ir::Presence::Leaving;
  if (isLeaving)
    count = 0;
  if (classes.size() <= nodeClass)
    classes.resize(nodeClass + 1);
  Class &own = classes[nodeClass];
  std::string path = pathOf(nodeClass);
  own.recorded = recorded.nodesOf(path).vec();
  own.presence.clear();
  own.firstNew = own.nextIndex = recorded.nextIndex(path);
  uint32_t staying = 0;
  auto isRemoved = [&](uint32_t row) {
    return !change.removed.empty() &&
           change.removed.contains(recorded[row].name);
  };
  for (uint32_t row : own.recorded) {
    bool leaves =
        isLeaving || isRemoved(row) || (change.updates && staying == count);
    bool comesAgain = around == ir::Presence::Replaced || isReplaced(row);
    staying += !leaves;
    own.presence.push_back(leaves       ? ir::Presence::Leaving
                           : comesAgain ? ir::Presence::Replaced
                                        : ir::Presence::Kept);
  }
  uint32_t added = change.added.lookup(path).count;
  if (change.updates || isNew)
    added = count - staying;
  own.presence.resize(own.presence.size() + added, ir::Presence::New);
  own.nextIndex += added;
  return own.presence.size();
}

void ExistingInstances::setInstances(uint32_t nodeClass, ArrayRef<bool> leaves,
                                     uint32_t added) {
  if (classes.size() <= nodeClass)
    classes.resize(nodeClass + 1);
  Class &own = classes[nodeClass];
  std::string path = pathOf(nodeClass);
  own.recorded = recorded.nodesOf(path).vec();
  own.firstNew = recorded.nextIndex(path);
  own.nextIndex = own.firstNew + added;
  for (auto [row, isLeaving] : llvm::zip(own.recorded, leaves))
    own.presence.push_back(isLeaving         ? ir::Presence::Leaving
                           : isReplaced(row) ? ir::Presence::Replaced
                                             : ir::Presence::Kept);
  own.presence.resize(own.presence.size() + added, ir::Presence::New);
}

uint32_t ExistingInstances::indexOf(uint32_t nodeClass, uint32_t row) const {
  const Class &own = classes[nodeClass];
  return row < own.recorded.size() ? recorded.indexOf(own.recorded[row])
                                   : own.firstNew + (row - own.recorded.size());
}

/// Whoever has an index among those wanted is the one of that index; the others
/// are those that are left, in order.
void ExistingInstances::findPositions(uint32_t nodeClass) {
  Class &own = classes[nodeClass];
  uint32_t rows = own.presence.size();
  uint32_t wanted = rows - llvm::count(own.presence, ir::Presence::Leaving);
  own.positions.assign(rows, none);
  llvm::BitVector isTaken(wanted);
  for (uint32_t row = 0; row != rows; ++row)
    if (uint32_t index = indexOf(nodeClass, row);
        own.presence[row] != ir::Presence::Leaving && index < wanted) {
      own.positions[row] = index;
      isTaken.set(index);
    }
  int free = isTaken.find_first_unset();
  for (uint32_t row = 0; row != rows; ++row)
    if (own.presence[row] != ir::Presence::Leaving &&
        own.positions[row] == none) {
      own.positions[row] = free;
      free = isTaken.find_next_unset(free);
    }
}

uint32_t ExistingInstances::positionOf(uint32_t nodeClass, uint32_t row) {
  if (classes[nodeClass].positions.empty())
    findPositions(nodeClass);
  return classes[nodeClass].positions[row];
}

/// What the state has and the template has no more.
bool ExistingInstances::reportLost(uint32_t row) const {
  const state::Entity &entity = recorded[row];
  bool isNode = entity.kind == state::EntityKind::Node;
  const Value &operations = recorded.deployment.operations;
  std::string key =
      isNode ? entity.origin.str()
             : (templatePath(entity.source) + "." + entity.origin).str();
  const Value *own = operations.isMap() ? operations.find(key) : nullptr;
  std::string reason =
      own && own->isNil()
          ? "it had more than operations of its own"
          : llvm::formatv("there is no {0} type '{1}' that has it",
                          isNode ? "node" : "relationship", entity.type)
                .str();
  expansion.diags.report({}, diag::RecordedNotInTemplate, entity.name,
                         isNode ? "node template" : "requirement",
                         entity.origin, reason);
  return false;
}

uint32_t expanding::positionOf(Expansion &expansion, ir::NodeId node) {
  const ir::Graph &graph = expansion.graph;
  uint32_t nodeClass = graph.classOfNode[node.index].index;
  return expansion.existing->positionOf(
      nodeClass, node.index - graph.nodeClasses[nodeClass].nodes.first);
}

bool expanding::isScaled(const Expansion &expansion) {
  return expansion.existing && expansion.existing->change.mustAgree;
}

std::string expanding::countToSay(const Expansion &expansion,
                                  uint32_t nodeClass, uint32_t count) {
  const sema::NodeTemplate &written = *expansion.templates[nodeClass];
  if (written.count && written.count->isCall(Function::GetInput) &&
      written.count->children().size() == 1)
    if (const Expr &name = written.count->children().front();
        name.isLiteral() && name.value().isString())
      return ("--input " + name.value().asString() + "=" + llvm::Twine(count))
          .str();
  return ("count " + llvm::Twine(count) + " of '" + written.name.str() + "'")
      .str();
}

bool expanding::isLeaving(const Expansion &expansion, ir::NodeId node) {
  if (!expansion.existing)
    return false;
  const ir::Graph &graph = expansion.graph;
  uint32_t nodeClass = graph.classOfNode[node.index].index;
  return expansion.existing->presenceOf(
             nodeClass,
             node.index - graph.nodeClasses[nodeClass].nodes.first) ==
         ir::Presence::Leaving;
}
