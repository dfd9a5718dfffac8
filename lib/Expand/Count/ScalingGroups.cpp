//===- ScalingGroups.cpp - Groups that are scaled as a whole --------------===//

#include "ScalingGroups.h"

#include "InstanceTree.h"
#include "Recorded/ExistingInstances.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

/// The number that the property has which the mark \p mark of \p type names.
static std::optional<int64_t>
markedNumber(const ir::Graph &graph, ir::TypeId type, StringRef mark,
             ArrayRef<ir::ValueColumn> properties) {
  StringRef name = ir::findMark(graph.types, type, mark);
  for (const ir::ValueColumn &column : properties) {
    if (name.empty() || column.name.str() != name)
      continue;
    const Expr *value = column.values.isShared() || column.values.numRows()
                            ? column.values.at(0)
                            : nullptr;
    if (value && value->isLiteral() && value->value().isInteger())
      return value->value().asInteger();
  }
  return std::nullopt;
}

std::string Bounds::text() const {
  if (min && max)
    return std::to_string(*min) + " to " + std::to_string(*max);
  return min ? "at least " + std::to_string(*min)
             : "at most " + std::to_string(max.value_or(0));
}

Bounds expanding::boundsOf(const ir::Graph &graph, ir::TypeId type,
                           ArrayRef<ir::ValueColumn> properties) {
  return {markedNumber(graph, type, "scaling.min", properties),
          markedNumber(graph, type, "scaling.max", properties)};
}

namespace {

class GroupInstances {
public:
  GroupInstances(Expansion &expansion, ir::Group &group)
      : expansion(expansion), graph(expansion.graph), group(group) {}

  void addMembers(const sema::Group &written);
  void divide(uint32_t count);
  void continueRecorded(uint32_t count);

private:
  ir::NodeClass &classOf(uint32_t member) {
    return graph.nodeClasses[graph.subgraphs[0].classes.first + member];
  }
  void placeRecorded(uint32_t member);
  void placeNew(uint32_t member, uint32_t firstNew, uint32_t count);
  void finish();

  Expansion &expansion;
  ir::Graph &graph;
  ir::Group &group;
  std::vector<uint32_t> members;
  std::map<uint32_t, std::vector<ir::NodeId>> instances;
};

} // namespace

/// Node templates of the group, and of the groups in it.
void GroupInstances::addMembers(const sema::Group &written) {
  for (uint32_t node : written.nodes)
    if (!llvm::is_contained(members, node))
      members.push_back(node);
  for (Name name : written.groups)
    for (const sema::Group &other : expansion.subgraphs.front().service->groups)
      if (other.name == name && &other != &written)
        addMembers(other);
}

void GroupInstances::finish() {
  for (auto &[index, nodes] : instances) {
    llvm::sort(nodes);
    group.instances.push_back({index, std::move(nodes)});
    group.nextIndex = std::max(group.nextIndex, index + 1);
  }
}

/// The first instance of the group gets the first ones of each member.
void GroupInstances::divide(uint32_t count) {
  for (uint32_t member : members)
    placeNew(member, 0, count);
  finish();
}

void GroupInstances::placeNew(uint32_t member, uint32_t firstNew,
                              uint32_t count) {
  const ir::NodeClass &own = classOf(member);
  std::vector<ir::NodeId> added;
  for (ir::NodeId node : own.nodes.ids())
    if (graph.presenceOf(node) == ir::Presence::New)
      added.push_back(node);
  if (count == 0 || added.size() % count) {
    if (count)
      expansion.diags.report(group.range, diag::UnevenGroup, group.name.str(),
                             added.size(), own.name.str(), count);
    return;
  }
  size_t each = added.size() / count;
  for (auto [i, node] : llvm::enumerate(added))
    instances[firstNew + i / each].push_back(node);
}

void GroupInstances::placeRecorded(uint32_t member) {
  const ir::NodeClass &own = classOf(member);
  uint32_t nodeClass = graph.subgraphs[0].classes.first + member;
  for (uint32_t row = 0; row != own.nodes.count; ++row) {
    const state::Entity *entity =
        expansion.existing->recordedNode(nodeClass, row);
    if (!entity || graph.presenceOf(own.nodes[row]) == ir::Presence::Leaving)
      continue;
    for (StringRef name : entity->groups) {
      uint32_t index;
      if (name.consume_front(group.name.str()) && name.consume_front("[") &&
          name.consume_back("]") && !name.getAsInteger(10, index))
        instances[index].push_back(own.nodes[row]);
    }
  }
}

void GroupInstances::continueRecorded(uint32_t count) {
  const ExistingInstances &existing = *expansion.existing;
  for (uint32_t member : members)
    placeRecorded(member);
  uint32_t added = existing.change.addedGroups.lookup(group.name.str());
  if (existing.change.updates)
    added = count > instances.size() ? count - instances.size() : 0;
  uint32_t next = existing.recorded.nextIndex(group.name.str());
  for (uint32_t member : members)
    placeNew(member, next, added);
  group.nextIndex = next;
  finish();
}

/// Reports that \p group, having been scaled to \p count instances, is outside
/// of its bounds.
static void checkGroupBounds(Expansion &expansion, const ir::Group &group,
                             uint64_t count) {
  Bounds bounds = boundsOf(expansion.graph, group.type, group.properties);
  bool isScaled = expansion.existing && expansion.existing->change.mustAgree;
  if (isScaled && !bounds.contain(count))
    expansion.diags.report({}, diag::OutsideBounds, group.name.str(), count,
                           "the group", bounds.text());
}

/// The instances that the tree has, with their direct members and those
/// of groups in them.
static void addTreeInstances(Expansion &expansion, const sema::Group &group,
                             ir::Group &added) {
  const InstanceTree &instanceTree = *expansion.instanceTree;
  uint32_t entry = instanceTree.tree.entryOf(group);
  std::vector<std::vector<ir::NodeId>> nodes(instanceTree.of(entry).size());
  for (uint32_t node = 0; node != instanceTree.tree.service.nodes.size();
       ++node) {
    bool isMember = false;
    for (uint32_t at = instanceTree.tree.parentOf(node);
         at != InstanceTree::none && instanceTree.tree.isGroup(at);
         at = instanceTree.tree.parentOf(at))
      isMember |= at == entry;
    if (!isMember)
      continue;
    for (auto [row, instance] : llvm::enumerate(instanceTree.of(node)))
      if (uint32_t at = instanceTree.above(node, row, entry);
          at != InstanceTree::none && !instance.leaves)
        nodes[at].push_back(expansion.graph.nodeClasses[node].nodes[row]);
  }
  for (auto [row, instance] : llvm::enumerate(instanceTree.of(entry)))
    if (!instance.leaves)
      added.instances.push_back({instance.index, std::move(nodes[row])});
  added.nextIndex = instanceTree.nextIndex(entry);
  added.perContainer =
      expansion.groupCounts[&group - instanceTree.tree.service.groups.data()];
}

void expanding::addGroupInstances(Expansion &expansion,
                                  const sema::Group &group, ir::Group &added) {
  if (ir::findMark(expansion.graph.types, added.type, "scaling.count").empty())
    return;
  if (expansion.instanceTree) {
    addTreeInstances(expansion, group, added);
    return checkGroupBounds(expansion, added, *added.perContainer);
  }
  int64_t count = markedNumber(expansion.graph, added.type, "scaling.count",
                               added.properties)
                      .value_or(1);
  GroupInstances instances(expansion, added);
  instances.addMembers(group);
  if (!expansion.existing) {
    instances.divide(std::max<int64_t>(count, 1));
    return;
  }
  instances.continueRecorded(count);
  checkGroupBounds(expansion, added, added.instances.size());
}

void expanding::checkBounds(const Expansion &expansion) {
  const ir::Graph &graph = expansion.graph;
  for (auto [i, own] : llvm::enumerate(graph.nodeClasses)) {
    ArrayRef<ir::Presence> presence = expansion.existing->presenceOf(i);
    auto isKept = [](ir::Presence each) { return each == ir::Presence::Kept; };
    if (llvm::all_of(presence, isKept))
      continue;
    uint64_t count =
        presence.size() - llvm::count(presence, ir::Presence::Leaving);
    if (own.perContainer)
      count = *own.perContainer;
    for (const ir::CapabilityColumns &capability : own.capabilities) {
      Bounds bounds = boundsOf(graph, capability.type, capability.properties);
      if (!bounds.contain(count))
        expansion.diags.report(
            {}, diag::OutsideBounds, own.name.str(), count,
            ("capability '" + capability.name.str() + "'").str(),
            bounds.text());
    }
  }
}
