//===- CountPerContainer.cpp - Instances and pairs per container ----------===//

#include "Graph/GraphEnvironment.h"
#include "InstanceTree.h"
#include "Recorded/ExistingRelationships.h"
#include "ScalingGroups.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

namespace {

/// What the template says about how many there are of an entry.
struct WrittenCount {
  const Expr *count = nullptr;
  Bounds bounds;
  SourceRange range;
};

class PerContainerCounting {
public:
  explicit PerContainerCounting(Expansion &expansion)
      : expansion(expansion), instanceTree(*expansion.instanceTree),
        tree(instanceTree.tree) {}

  bool run();

private:
  std::optional<int64_t> evaluate(const Expr *expr);
  WrittenCount writtenCount(uint32_t entry);
  WrittenCount readMarked(ir::TypeId type,
                          ArrayRef<sema::Assignment> properties);
  bool readCounts();
  void addRecorded();
  void finish();

  Expansion &expansion;
  InstanceTree &instanceTree;
  const EntryTree &tree;
  std::vector<uint32_t> counts;
};

} // namespace

std::optional<int64_t> PerContainerCounting::evaluate(const Expr *expr) {
  if (!expr)
    return std::nullopt;
  Evaluation result =
      evaluateAt(expansion, *expr, expansion.placeOf(ir::SubgraphId{0}));
  if (!result.isKnown() || !result.value().isInteger())
    return std::nullopt;
  return result.value().asInteger();
}

WrittenCount
PerContainerCounting::readMarked(ir::TypeId type,
                                 ArrayRef<sema::Assignment> properties) {
  WrittenCount result;
  auto find = [&](StringRef mark) -> const Expr * {
    StringRef name = ir::findMark(expansion.graph.types, type, mark);
    for (const sema::Assignment &property : properties)
      if (!name.empty() && property.name.str() == name)
        return property.value;
    return nullptr;
  };
  result.count = find("scaling.count");
  result.bounds = {evaluate(find("scaling.min")),
                   evaluate(find("scaling.max"))};
  // No upper bound, said with a number.
  if (result.bounds.max && *result.bounds.max < 0)
    result.bounds.max.reset();
  return result;
}

WrittenCount PerContainerCounting::writtenCount(uint32_t entry) {
  const sema::Service &service = tree.service;
  if (tree.isGroup(entry)) {
    const sema::Group &group = service.groups[entry - service.nodes.size()];
    WrittenCount result = readMarked(group.type, group.properties);
    result.range = group.range;
    return result;
  }
  const sema::NodeTemplate &node = service.nodes[entry];
  WrittenCount result;
  for (const sema::Capability &capability : node.capabilities)
    if (!ir::findMark(expansion.graph.types, capability.type, "scaling.count")
             .empty())
      result = readMarked(capability.type, capability.properties);
  result.count = node.count;
  result.range = node.range;
  return result;
}

/// The counts that the template gives, which must be within their bounds.
bool PerContainerCounting::readCounts() {
  bool complete = true;
  counts.assign(tree.size(), 1);
  for (uint32_t entry = 0; entry != tree.size(); ++entry) {
    WrittenCount written = writtenCount(entry);
    if (!written.count)
      continue;
    std::string what = ((tree.isGroup(entry) ? "group '" : "node template '") +
                        tree.nameOf(entry) + "'")
                           .str();
    auto count = evaluateCount(expansion, *written.count,
                               expansion.placeOf(ir::SubgraphId{0}),
                               expansion.options.maxNodes, what);
    complete &= count.has_value();
    if (!count)
      continue;
    counts[entry] = *count;
    if (written.bounds.contain(*count))
      continue;
    expansion.diags.report(written.range, diag::OutsideBounds,
                           tree.nameOf(entry), *count, what,
                           written.bounds.text());
    complete = false;
  }
  return complete;
}

/// Enters the recorded instances, without those that the change removes.
void PerContainerCounting::addRecorded() {
  const ExistingInstances &existing = *expansion.existing;
  Containment containment(existing.recorded, expansion.graph.types);
  instanceTree.addRecorded(containment);
  const auto &removed = existing.change.removed;
  if (!removed.empty())
    for (uint32_t entry = 0; entry != tree.size(); ++entry)
      for (auto [row, instance] : llvm::enumerate(instanceTree.of(entry)))
        if (removed.contains(
                (tree.nameOf(entry) + "[" + llvm::Twine(instance.index) + "]")
                    .str()))
          instanceTree.remove(entry, row);
  instanceTree.removeContents();
}

/// Gives each class its instances.
void PerContainerCounting::finish() {
  ir::Graph &graph = expansion.graph;
  for (uint32_t entry = 0; entry != tree.service.nodes.size(); ++entry) {
    ir::NodeClass &own = graph.nodeClasses[entry];
    own.nodes.count = instanceTree.of(entry).size();
    own.perContainer = counts[entry];
    if (!expansion.existing)
      continue;
    llvm::SmallVector<bool> leaves;
    uint32_t added = 0;
    for (const InstanceTree::Instance &instance : instanceTree.of(entry)) {
      added += instance.isNew;
      if (!instance.isNew)
        leaves.push_back(instance.leaves);
    }
    expansion.existing->setInstances(entry, leaves, added);
  }
  expansion.groupCounts.assign(counts.begin() + tree.service.nodes.size(),
                               counts.end());
}

bool PerContainerCounting::run() {
  bool fills = true;
  if (!expansion.existing) {
    if (!readCounts())
      return false;
  } else {
    const DeploymentChange &change = expansion.existing->change;
    addRecorded();
    fills = change.updates || !change.counts.empty();
    if (change.updates) {
      if (!readCounts())
        return false;
      instanceTree.cut(counts);
    } else {
      counts = recordedCounts(tree, *change.recorded);
      for (uint32_t entry = 0; entry != tree.size(); ++entry)
        if (auto count = change.counts.find(tree.nameOf(entry));
            count != change.counts.end())
          counts[entry] = count->second;
    }
  }
  if (fills && !instanceTree.fill(counts, expansion.options.maxNodes)) {
    expansion.diags.report(
        tree.service.range, diag::TooManyNodes, tree.service.name.str(),
        uint64_t(expansion.options.maxNodes) + 1, expansion.options.maxNodes);
    return false;
  }
  finish();
  return true;
}

bool expanding::countPerContainer(Expansion &expansion) {
  return PerContainerCounting(expansion).run();
}

//===----------------------------------------------------------------------===//
// Relationships
//===----------------------------------------------------------------------===//

namespace {

/// The relationships of one requirement.
class InstancePairing {
public:
  InstancePairing(Expansion &expansion, uint32_t relationshipClass)
      : expansion(expansion), instanceTree(*expansion.instanceTree),
        id(relationshipClass),
        requirement(*expansion.requirements[relationshipClass]),
        source(expansion.graph.relationshipClasses[relationshipClass]
                   .source.index),
        target(*requirement.node) {}

  /// False after a report.
  bool run();

private:
  bool pairAll(std::vector<std::vector<uint32_t>> &targets);
  void pairOne(std::vector<std::vector<uint32_t>> &targets);
  uint32_t targetInUse() const;

  Expansion &expansion;
  const InstanceTree &instanceTree;
  uint32_t id;
  const sema::Requirement &requirement;
  uint32_t source, target;
};

} // namespace

/// Each source has all targets in its instance of the group around both.
bool InstancePairing::pairAll(std::vector<std::vector<uint32_t>> &targets) {
  uint32_t group = instanceTree.tree.commonGroup(source, target);
  bool hasGroup = group != InstanceTree::none;
  std::vector<std::vector<uint32_t>> parts(
      hasGroup ? instanceTree.of(group).size() : 1);
  auto partOf = [&](uint32_t entry, uint32_t row) {
    return hasGroup ? instanceTree.above(entry, row, group) : 0;
  };
  for (auto [row, instance] : llvm::enumerate(instanceTree.of(target)))
    if (uint32_t part = partOf(target, row);
        !instance.leaves && part != InstanceTree::none)
      parts[part].push_back(row);
  uint64_t total = 0;
  for (auto [row, instance] : llvm::enumerate(instanceTree.of(source))) {
    uint32_t part = partOf(source, row);
    if (instance.leaves || part == InstanceTree::none)
      continue;
    total += parts[part].size();
    if (total > expansion.options.maxRelationships) {
      expansion.diags.report(requirement.range, diag::TooManyRelationships,
                             requirement.name.str(), total,
                             expansion.options.maxRelationships);
      return false;
    }
    targets[row] = parts[part];
  }
  return true;
}

/// The target of a relationship that stays.
uint32_t InstancePairing::targetInUse() const {
  if (!expansion.existing)
    return InstanceTree::none;
  for (uint32_t row = 0; row != instanceTree.of(source).size(); ++row)
    for (const Pin &pin : expansion.existingRelationships->pinsOf(id, row))
      if (expansion.existingRelationships->stays(id, pin))
        return pin.target.index -
               expansion.graph.nodeClasses[target].nodes.first;
  return InstanceTree::none;
}

void InstancePairing::pairOne(std::vector<std::vector<uint32_t>> &targets) {
  uint32_t chosen = targetInUse();
  for (auto [row, instance] : llvm::enumerate(instanceTree.of(target)))
    if (chosen == InstanceTree::none && !instance.leaves)
      chosen = row;
  if (chosen == InstanceTree::none)
    return;
  for (auto [row, instance] : llvm::enumerate(instanceTree.of(source)))
    if (!instance.leaves)
      targets[row] = {chosen};
}

bool InstancePairing::run() {
  std::vector<std::vector<uint32_t>> targets(instanceTree.of(source).size());
  if (requirement.pairing == sema::Pairing::All) {
    if (!pairAll(targets))
      return false;
  } else if (requirement.pairing == sema::Pairing::One)
    pairOne(targets);
  else
    for (auto [row, instance] : llvm::enumerate(instanceTree.of(source)))
      if (uint32_t container = instanceTree.above(source, row, target);
          container != InstanceTree::none && !instance.leaves)
        targets[row] = {container};
  ir::Graph &graph = expansion.graph;
  ir::RelationshipClass &own = graph.relationshipClasses[id];
  Links &links = expansion.links[id];
  links.known = true;
  own.offsets.assign(1, 0);
  for (const std::vector<uint32_t> &each : targets) {
    for (uint32_t row : each) {
      links.targets.push_back(graph.nodeClasses[target].nodes[row]);
      links.capabilities.push_back(0);
    }
    own.offsets.push_back(links.targets.size());
  }
  if (expansion.existing)
    expansion.existingRelationships->mergeLinks(id);
  return true;
}

bool expanding::pairInstances(Expansion &expansion, ir::SubgraphId subgraph) {
  for (ir::NodeClassId id :
       expansion.graph.subgraphs[subgraph.index].classes.ids()) {
    auto relationships = expansion.graph.nodeClasses[id.index].relationships;
    for (ir::RelationshipClassId relationship : relationships.ids())
      if (expansion.requirements[relationship.index]->pairing !=
              sema::Pairing::Chosen &&
          !InstancePairing(expansion, relationship.index).run())
        return false;
  }
  return true;
}
