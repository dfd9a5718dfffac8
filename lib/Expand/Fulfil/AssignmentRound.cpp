//===- AssignmentRound.cpp - Requirements that are fulfilled together -----===//

#include "AssignmentRound.h"

#include "Graph/Values.h"
#include "Recorded/ExistingRelationships.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "llvm/Support/xxhash.h"
#include <numeric>

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

uint32_t AssignmentRound::blockOf(uint32_t nodeClass, uint32_t capability) {
  auto [entry, isNew] =
      blockIndices.try_emplace({nodeClass, capability}, blocks.size());
  if (isNew) {
    uint32_t count = expansion.graph.nodeClasses[nodeClass].nodes.count;
    blocks.push_back({problem.numTargets, nodeClass, capability, count});
    problem.numTargets += count;
  }
  return blocks[entry->second].first;
}

const TargetBlock &AssignmentRound::blockAt(uint32_t target) const {
  // Blocks without instances begin where the next one does.
  return *std::prev(llvm::upper_bound(
      blocks, target, [](uint32_t wanted, const TargetBlock &block) {
        return wanted < block.first;
      }));
}

ir::NodeId AssignmentRound::nodeAt(uint32_t target) const {
  const TargetBlock &block = blockAt(target);
  return expansion.graph.nodeClasses[block.nodeClass]
      .nodes[target - block.first];
}

bool AssignmentRound::hasNode(uint32_t set, ir::NodeId node) const {
  uint32_t nodeClass = expansion.graph.classOfNode[node.index].index;
  uint32_t row =
      node.index - expansion.graph.nodeClasses[nodeClass].nodes.first;
  return llvm::any_of(blocks, [&](const TargetBlock &block) {
    return block.nodeClass == nodeClass &&
           llvm::any_of(targetsOf(set), [&](TargetRange range) {
             return block.first + row >= range.first &&
                    block.first + row < range.end();
           });
  });
}

uint32_t AssignmentRound::addSet(ArrayRef<TargetRange> candidates) {
  if (candidates.size() == 1 && candidates.front().count == 1) {
    auto [entry, isNew] =
        singletons.try_emplace(candidates.front().first, problem.numSets());
    return isNew ? problem.addSet(candidates) : entry->second;
  }
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(candidates.data()),
                          candidates.size() * sizeof(TargetRange));
  uint64_t hash = llvm::xxh3_64bits(bytes);
  auto [begin, end] = setsByHash.equal_range(hash);
  for (auto [key, set] : llvm::make_range(begin, end))
    if (problem.candidates(set) == candidates)
      return set;
  return setsByHash.emplace(hash, problem.addSet(candidates))->second;
}

uint32_t AssignmentRound::addResource(Name property) {
  for (auto [i, resource] : llvm::enumerate(resources))
    if (resource.property == property)
      return i;
  resources.push_back({property, {}});
  return resources.size() - 1;
}

uint32_t AssignmentRound::addDemand(std::vector<RawTake> takes) {
  uint64_t hash = 0;
  for (const RawTake &take : takes) {
    resources[take.resource].measure.include(take.amount);
    hash = hash * 31 + take.amount.hash() + take.resource;
  }
  auto [begin, end] = demandsByHash.equal_range(hash);
  for (auto [key, demand] : llvm::make_range(begin, end))
    if (rawDemands[demand] == takes)
      return demand;
  rawDemands.push_back(std::move(takes));
  return demandsByHash.emplace(hash, rawDemands.size() - 1)->second;
}

void AssignmentRound::addGroup(ClaimGroup group, GroupInfo info) {
  problem.groups.push_back(group);
  infos.push_back(info);
}

bool AssignmentRound::reserve(uint64_t count,
                              const sema::Requirement &requirement) {
  numRelationships += count;
  uint64_t total = numRelationships + expansion.graph.numRelationships();
  if (total <= expansion.options.maxRelationships)
    return true;
  expansion.diags.report(requirement.range, diag::TooManyRelationships,
                         requirement.name.str(), total,
                         expansion.options.maxRelationships);
  return false;
}

/// Whether the source has several assignments of this name.
static bool isAssignedAgain(const Expansion &expansion,
                            const ir::RelationshipClass &own) {
  const ir::NodeClass &source = expansion.graph.nodeClasses[own.source.index];
  return llvm::count_if(
             source.relationships.ids(), [&](ir::RelationshipClassId id) {
               return expansion.requirements[id.index]->name == own.requirement;
             }) > 1;
}

/// Mandatory claims come first, and among them those that have no choice: that
/// never changes what first fit finds, but makes it find something more often.
void AssignmentRound::orderGroups() {
  std::vector<uint32_t> order(problem.groups.size());
  std::iota(order.begin(), order.end(), 0);
  auto rank = [&](uint32_t index) {
    const ClaimGroup &group = problem.groups[index];
    bool hasChoice = !infos[index].isPinned &&
                     problem.numCandidates(group.set) > group.wanted;
    return 2 * group.optional + hasChoice;
  };
  auto isBefore = [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); };
  if (!llvm::is_sorted(order, isBefore))
    llvm::stable_sort(order, isBefore);
  std::vector<ClaimGroup> groups;
  std::vector<GroupInfo> sorted;
  groups.reserve(order.size());
  sorted.reserve(order.size());
  // The last group of the same sources and requirement name.
  std::map<std::tuple<uint32_t, const char *, uint32_t, uint32_t>, uint32_t>
      last;
  for (uint32_t index : order) {
    ClaimGroup group = problem.groups[index];
    const GroupInfo &info = infos[index];
    const ir::RelationshipClass &own =
        expansion.graph.relationshipClasses[info.relationshipClass];
    bool hasSiblings = isAssignedAgain(expansion, own);
    auto [entry, isNew] =
        hasSiblings
            ? last.try_emplace({own.source.index, own.requirement.str().data(),
                                info.firstRow, group.claims},
                               groups.size())
            : std::pair(last.end(), true);
    if (!isNew)
      group.previous = std::exchange(entry->second, groups.size());
    if (info.ownCapability != none)
      group.self =
          severalPerNode
              ? expansion.graph.nodeClasses[own.source.index].nodes.first +
                    info.firstRow
              : blockOf(own.source.index, info.ownCapability) + info.firstRow;
    groups.push_back(group);
    sorted.push_back(info);
  }
  problem.groups = std::move(groups);
  infos = std::move(sorted);
}

void AssignmentRound::fillNodes() {
  if (!severalPerNode)
    return;
  for (const TargetBlock &block : blocks)
    for (ir::NodeId node :
         expansion.graph.nodeClasses[block.nodeClass].nodes.ids())
      problem.nodeOf.push_back(node.index);
}

/// What earlier rounds have left, or the property itself, evaluated.
const ir::ValueColumn *AssignmentRound::capacityColumn(const TargetBlock &block,
                                                       Name property) {
  ir::NodeClass &own = expansion.graph.nodeClasses[block.nodeClass];
  ir::CapabilityColumns &columns = own.capabilities[block.capability];
  for (const ir::ValueColumn &column : columns.remaining)
    if (column.name == property)
      return &column;
  ArrayRef<sema::Assignment> assignments = expansion.templates[block.nodeClass]
                                               ->capabilities[block.capability]
                                               .properties;
  for (uint32_t row = 0; row < block.count; ++row) {
    auto claim = findLazy(columns.properties, assignments, property,
                          expansion.placeOf(own.nodes[row]), row, block.count);
    if (!claim)
      return nullptr;
    expansion.blockedOn.reset();
    evaluateLazy(expansion, *claim, 0);
  }
  for (const ir::ValueColumn &column : columns.properties)
    if (column.name == property)
      return &column;
  return nullptr;
}

bool AssignmentRound::fillCapacities(uint32_t index, const TargetBlock &block) {
  Resource &resource = resources[index];
  const ir::ValueColumn *column = capacityColumn(block, resource.property);
  if (!column)
    return true;
  for (uint32_t row = 0; row < block.count; ++row) {
    const Expr *value = column->values.at(row);
    if (!value)
      continue;
    if (!value->isLiteral()) {
      const ir::NodeClass &own = expansion.graph.nodeClasses[block.nodeClass];
      std::string name = expansion.graph.nameOf(own.nodes[row]);
      expansion.secret.reset();
      expansion.recallSecret(value);
      if (!reportSecret(expansion, value->range(),
                        llvm::formatv("how much of '{0}' '{1}' has",
                                      resource.property.str(), name)
                            .str()))
        expansion.diags.report(value->range(), diag::CapacityNotKnown,
                               resource.property.str(), name);
      return false;
    }
    if (magnitudeOf(value->value()))
      resource.measure.include(value->value());
  }
  return true;
}

bool AssignmentRound::fillCapacities() {
  problem.capacities.assign(resources.size(),
                            std::vector<int64_t>(problem.numTargets));
  for (auto [index, resource] : llvm::enumerate(resources)) {
    for (const TargetBlock &block : blocks)
      if (!fillCapacities(index, block))
        return false;
    resource.measure.choose();
    for (const TargetBlock &block : blocks) {
      const ir::ValueColumn *column = capacityColumn(block, resource.property);
      for (uint32_t row = 0; column && row < block.count; ++row) {
        const Expr *value = column->values.at(row);
        if (value && magnitudeOf(value->value()))
          problem.capacities[index][block.first + row] =
              resource.measure.unitsOffered(value->value());
      }
    }
  }
  for (const std::vector<RawTake> &takes : rawDemands) {
    std::vector<Take> &demand = problem.demands.emplace_back();
    for (const RawTake &take : takes)
      demand.push_back(
          {take.resource,
           resources[take.resource].measure.unitsTaken(take.amount)});
  }
  for (auto [target, demand] : consumed)
    for (Take take : problem.demands[demand]) {
      int64_t &left = problem.capacities[take.resource][target];
      left = std::max<int64_t>(left - take.amount, 0);
    }
  return true;
}

/// Relationships of a class, source by source. Those of one source are in the
/// order of the groups that it takes part in.
void AssignmentRound::keepLinks(uint32_t relationshipClass,
                                ArrayRef<uint32_t> groups,
                                Assignment &assignment) {
  ir::RelationshipClass &own =
      expansion.graph.relationshipClasses[relationshipClass];
  Links &links = expansion.links[relationshipClass];
  uint32_t numRows = expansion.graph.nodeClasses[own.source.index].nodes.count;
  auto forEachPick = [&](llvm::function_ref<void(uint32_t, uint32_t)> visit) {
    for (uint32_t group : groups)
      for (uint32_t claim = 0; claim < problem.groups[group].claims; ++claim)
        for (uint32_t target :
             assignment.of(group, problem.groups[group], claim))
          if (target != none)
            visit(infos[group].firstRow + claim, target);
  };
  own.offsets.assign(numRows + 1, 0);
  forEachPick([&](uint32_t row, uint32_t) { ++own.offsets[row + 1]; });
  std::partial_sum(own.offsets.begin(), own.offsets.end(), own.offsets.begin());
  links.targets.resize(own.offsets.back());
  links.capabilities.resize(own.offsets.back());
  std::vector<uint32_t> next = own.offsets;
  forEachPick([&](uint32_t row, uint32_t target) {
    links.targets[next[row]] = nodeAt(target);
    links.capabilities[next[row]++] = blockAt(target).capability;
  });
  links.known = true;
}

void AssignmentRound::keepAllLinks(ArrayRef<uint32_t> relationshipClasses,
                                   Assignment &assignment) {
  std::vector<uint32_t> order(infos.size());
  std::iota(order.begin(), order.end(), 0);
  auto isBefore = [&](uint32_t a, uint32_t b) {
    return std::tie(infos[a].relationshipClass, infos[a].number,
                    infos[a].firstRow) < std::tie(infos[b].relationshipClass,
                                                  infos[b].number,
                                                  infos[b].firstRow);
  };
  if (!llvm::is_sorted(order, isBefore))
    llvm::sort(order, isBefore);
  for (uint32_t relationshipClass : relationshipClasses) {
    auto begin = llvm::partition_point(order, [&](uint32_t group) {
      return infos[group].relationshipClass < relationshipClass;
    });
    auto end = llvm::partition_point(order, [&](uint32_t group) {
      return infos[group].relationshipClass <= relationshipClass;
    });
    keepLinks(relationshipClass,
              ArrayRef(order).slice(begin - order.begin(), end - begin),
              assignment);
  }
}

/// Writes down what the picks have left of each resource.
void AssignmentRound::keepRemaining(Assignment &assignment) {
  std::vector<std::vector<int64_t>> left = problem.capacities;
  std::vector<std::vector<bool>> touched(resources.size());
  for (std::vector<bool> &blocksOfResource : touched)
    blocksOfResource.resize(blocks.size());
  for (auto [target, demand] : consumed)
    for (Take take : problem.demands[demand])
      touched[take.resource][&blockAt(target) - blocks.data()] = true;
  for (auto [index, group] : llvm::enumerate(problem.groups)) {
    if (group.demand == none)
      continue;
    for (uint32_t claim = 0; claim < group.claims; ++claim)
      for (uint32_t target : assignment.of(index, group, claim))
        for (Take take : problem.demands[group.demand])
          if (target != none) {
            left[take.resource][target] -= take.amount;
            touched[take.resource][&blockAt(target) - blocks.data()] = true;
          }
  }
  for (auto [r, resource] : llvm::enumerate(resources))
    for (auto [b, block] : llvm::enumerate(blocks)) {
      if (!touched[r][b])
        continue;
      const ir::ValueColumn *offered = capacityColumn(block, resource.property);
      // What is there may use a capability that offers nothing any more.
      if (!offered)
        continue;
      const ir::ValueColumn capacity = *offered;
      auto &remaining = expansion.graph.nodeClasses[block.nodeClass]
                            .capabilities[block.capability]
                            .remaining;
      llvm::erase_if(remaining, [&](const ir::ValueColumn &column) {
        return column.name == capacity.name;
      });
      ir::ValueColumn &column = remaining.emplace_back(capacity);
      for (uint32_t row = 0; row < block.count; ++row) {
        const Expr *model = capacity.values.at(row);
        if (!model || !magnitudeOf(model->value()))
          continue;
        Value value = resource.measure.toValue(
            left[r][block.first + row], model->value(), expansion.arena());
        const Expr *before = row ? column.values.at(row - 1) : nullptr;
        if (before && before->value() == value)
          column.values.set(row, before, block.count);
        else if (!(model->value() == value))
          column.values.set(row, expansion.arena().make(Expr::literal(value)),
                            block.count);
      }
    }
}

Progress AssignmentRound::solve(ArrayRef<uint32_t> relationshipClasses) {
  orderGroups();
  fillNodes();
  if (!fillCapacities())
    return Progress::Failed;
  problem.seed = expansion.options.seed;
  Assignment assignment = assign(problem);
  bool mayMove =
      expansion.existing && expansion.existingRelationships->holdsPins &&
      llvm::any_of(infos, [](const GroupInfo &info) { return info.isPinned; });
  if (mayMove && !assignment.shortages.empty())
    return Progress::Blocked;
  for (const Shortage &shortage : assignment.shortages)
    report(shortage);
  if (!assignment.shortages.empty())
    return Progress::Failed;
  if (ExpandStats *stats = expansion.options.stats) {
    stats->numPicks += assignment.picks.size();
    stats->leftByFirstFit += assignment.leftByFirstFit;
  }
  keepAllLinks(relationshipClasses, assignment);
  keepRemaining(assignment);
  return Progress::Done;
}
