//===- GrowForest.cpp - Instances and pairs in a forest -------------------===//

#include "Continued.h"
#include "Forest.h"
#include "GraphEnvironment.h"
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

class ForestGrowth {
public:
  explicit ForestGrowth(Expansion &expansion)
      : expansion(expansion), forest(*expansion.forest), tree(forest.tree) {}

  bool run();

private:
  std::optional<int64_t> evaluate(const Expr *expr);
  WrittenCount writtenCount(uint32_t entry);
  WrittenCount readMarked(ir::TypeId type,
                          ArrayRef<sema::Assignment> properties);
  bool readCounts();
  void goOn();
  void finish();

  Expansion &expansion;
  Forest &forest;
  const EntryTree &tree;
  std::vector<uint32_t> counts;
};

} // namespace

std::optional<int64_t> ForestGrowth::evaluate(const Expr *expr) {
  if (!expr)
    return std::nullopt;
  Evaluation result =
      evaluateAt(expansion, *expr, expansion.placeOf(ir::ScopeId{0}));
  if (!result.isKnown() || !result.value().isInteger())
    return std::nullopt;
  return result.value().asInteger();
}

WrittenCount ForestGrowth::readMarked(ir::TypeId type,
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

WrittenCount ForestGrowth::writtenCount(uint32_t entry) {
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
bool ForestGrowth::readCounts() {
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
                               expansion.placeOf(ir::ScopeId{0}),
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

/// Recorded instances, without those that go.
void ForestGrowth::goOn() {
  const Continued &continued = *expansion.continued;
  Containment containment(continued.recorded, expansion.graph.types);
  forest.addRecorded(containment);
  const auto &removed = continued.change.removed;
  if (!removed.empty())
    for (uint32_t entry = 0; entry != tree.size(); ++entry)
      for (auto [row, instance] : llvm::enumerate(forest.of(entry)))
        if (removed.contains(
                (tree.nameOf(entry) + "[" + llvm::Twine(instance.index) + "]")
                    .str()))
          forest.remove(entry, row);
  forest.removeContents();
}

/// Tells the classes what there is.
void ForestGrowth::finish() {
  ir::Graph &graph = expansion.graph;
  for (uint32_t entry = 0; entry != tree.service.nodes.size(); ++entry) {
    ir::NodeClass &own = graph.nodeClasses[entry];
    own.nodes.count = forest.of(entry).size();
    own.perContainer = counts[entry];
    if (!expansion.continued)
      continue;
    llvm::SmallVector<bool> leaves;
    uint32_t added = 0;
    for (const Forest::Instance &instance : forest.of(entry)) {
      added += instance.isNew;
      if (!instance.isNew)
        leaves.push_back(instance.leaves);
    }
    expansion.continued->setInstances(entry, leaves, added);
  }
  expansion.groupCounts.assign(counts.begin() + tree.service.nodes.size(),
                               counts.end());
}

bool ForestGrowth::run() {
  bool fills = true;
  if (!expansion.continued) {
    if (!readCounts())
      return false;
  } else {
    const Continuation &change = expansion.continued->change;
    goOn();
    fills = change.updates || !change.counts.empty();
    if (change.updates) {
      if (!readCounts())
        return false;
      forest.cut(counts);
    } else {
      counts = recordedCounts(tree, *change.recorded);
      for (uint32_t entry = 0; entry != tree.size(); ++entry)
        if (auto count = change.counts.find(tree.nameOf(entry));
            count != change.counts.end())
          counts[entry] = count->second;
    }
  }
  if (fills && !forest.fill(counts, expansion.options.maxNodes)) {
    expansion.diags.report(
        tree.service.range, diag::TooManyNodes, tree.service.name.str(),
        uint64_t(expansion.options.maxNodes) + 1, expansion.options.maxNodes);
    return false;
  }
  finish();
  return true;
}

bool expanding::growForest(Expansion &expansion) {
  return ForestGrowth(expansion).run();
}

//===----------------------------------------------------------------------===//
// Relationships
//===----------------------------------------------------------------------===//

namespace {

/// The relationships of one requirement.
class InstancePairing {
public:
  InstancePairing(Expansion &expansion, uint32_t relationshipClass)
      : expansion(expansion), forest(*expansion.forest), id(relationshipClass),
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
  const Forest &forest;
  uint32_t id;
  const sema::Requirement &requirement;
  uint32_t source, target;
};

} // namespace

/// Each source has all targets in its instance of the group around both.
bool InstancePairing::pairAll(std::vector<std::vector<uint32_t>> &targets) {
  uint32_t group = forest.tree.commonGroup(source, target);
  bool hasGroup = group != Forest::none;
  std::vector<std::vector<uint32_t>> parts(hasGroup ? forest.of(group).size()
                                                    : 1);
  auto partOf = [&](uint32_t entry, uint32_t row) {
    return hasGroup ? forest.above(entry, row, group) : 0;
  };
  for (auto [row, instance] : llvm::enumerate(forest.of(target)))
    if (uint32_t part = partOf(target, row);
        !instance.leaves && part != Forest::none)
      parts[part].push_back(row);
  uint64_t total = 0;
  for (auto [row, instance] : llvm::enumerate(forest.of(source))) {
    uint32_t part = partOf(source, row);
    if (instance.leaves || part == Forest::none)
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
  if (!expansion.continued)
    return Forest::none;
  for (uint32_t row = 0; row != forest.of(source).size(); ++row)
    for (const Continued::Pin &pin : expansion.continued->pinsOf(id, row))
      if (expansion.continued->stays(id, pin))
        return pin.target.index -
               expansion.graph.nodeClasses[target].nodes.first;
  return Forest::none;
}

void InstancePairing::pairOne(std::vector<std::vector<uint32_t>> &targets) {
  uint32_t chosen = targetInUse();
  for (auto [row, instance] : llvm::enumerate(forest.of(target)))
    if (chosen == Forest::none && !instance.leaves)
      chosen = row;
  if (chosen == Forest::none)
    return;
  for (auto [row, instance] : llvm::enumerate(forest.of(source)))
    if (!instance.leaves)
      targets[row] = {chosen};
}

bool InstancePairing::run() {
  std::vector<std::vector<uint32_t>> targets(forest.of(source).size());
  if (requirement.pairing == sema::Pairing::All) {
    if (!pairAll(targets))
      return false;
  } else if (requirement.pairing == sema::Pairing::One)
    pairOne(targets);
  else
    for (auto [row, instance] : llvm::enumerate(forest.of(source)))
      if (uint32_t container = forest.above(source, row, target);
          container != Forest::none && !instance.leaves)
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
  if (expansion.continued)
    expansion.continued->mergeLinks(id);
  return true;
}

bool expanding::pairInstances(Expansion &expansion, ir::ScopeId scope) {
  for (ir::NodeClassId id : expansion.graph.scopes[scope.index].classes.ids()) {
    auto relationships = expansion.graph.nodeClasses[id.index].relationships;
    for (ir::RelationshipClassId relationship : relationships.ids())
      if (expansion.requirements[relationship.index]->pairing !=
              sema::Pairing::Chosen &&
          !InstancePairing(expansion, relationship.index).run())
        return false;
  }
  return true;
}
