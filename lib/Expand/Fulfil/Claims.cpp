//===- Claims.cpp - What the instances of a requirement want --------------===//
///
/// \file
/// Each source has a claim for a requirement: how many targets it wants, out of
/// which candidates, and what each takes. Neighbours that want the same become
/// one group.
///
//===----------------------------------------------------------------------===//

#include "ClaimBuilder.h"

#include "Graph/GraphEnvironment.h"
#include "Graph/Values.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

void expanding::dropTargets(std::vector<TargetRange> &ranges,
                            llvm::function_ref<bool(uint32_t)> drops) {
  std::vector<TargetRange> left;
  for (TargetRange range : ranges) {
    bool begun = false;
    for (uint32_t target = range.first; target != range.end(); ++target) {
      if (drops(target)) {
        begun = false;
        continue;
      }
      if (!begun)
        left.push_back({target, 0});
      ++left.back().count;
      begun = true;
    }
  }
  ranges = std::move(left);
}

/// Target after target, each with the capabilities that fit. Where nothing is
/// allocated, the first is as good as any.
void ClaimBuilder::findTargets() {
  classes = findCandidates(expansion, relationshipClass);
  bool named = requirement.node && source.nodes.count == 1;
  for (CandidateClass &candidate : classes) {
    if (requirement.allocations.empty())
      candidate.capabilities.truncate(1);
    uint32_t count = candidate.count;
    if (candidate.nodeClass == sourceClass && !named && !requirement.nodeIndex)
      ownCapability = candidate.capabilities.front();
    llvm::SmallVector<uint32_t, 2> first;
    for (uint32_t capability : candidate.capabilities)
      first.push_back(round.blockOf(candidate.nodeClass, capability) +
                      candidate.first);
    if (first.size() == 1) {
      candidates.push_back({first.front(), count});
      continue;
    }
    round.distinguishNodes();
    for (uint32_t row = 0; row < count; ++row)
      for (uint32_t target : first)
        candidates.push_back({target + row, 1});
  }
  llvm::erase_if(candidates,
                 [](TargetRange range) { return range.count == 0; });
  if (expansion.existing)
    dropTargets(candidates, [&](uint32_t target) {
      const TargetBlock &block = round.blockAt(target);
      return expansion.existing->presenceOf(block.nodeClass,
                                            target - block.first) ==
             ir::Presence::Leaving;
    });
}

std::string ClaimBuilder::decision() const {
  return llvm::formatv("how requirement '{0}' of '{1}' is fulfilled",
                       requirement.name.str(), source.name.str());
}

Progress ClaimBuilder::fail(const Evaluation &result, const Expr &expr) {
  if (expansion.blockedOn)
    return Progress::Blocked;
  if (result.isFailed())
    report(expansion.diags, result.problem(), expr.range());
  else if (!reportSecret(expansion, expr.range(), decision()))
    expansion.diags.report(expr.range(), diag::TargetNotKnown,
                           requirement.name.str(), source.name.str(),
                           toText(expr));
  return Progress::Failed;
}

Progress ClaimBuilder::count(uint32_t row, uint32_t &result) {
  result = requirement.implicit ? requirement.minCount : 1;
  if (!requirement.count)
    return Progress::Done;
  if (!countVaries && commonCount) {
    result = *commonCount;
    return Progress::Done;
  }
  auto owner = llvm::formatv("requirement '{0}' of '{1}'",
                             requirement.name.str(), source.name.str());
  auto counted = evaluateCount(expansion, *requirement.count,
                               expansion.placeOf(source.nodes[row]),
                               expansion.options.maxRelationships, owner.str());
  if (!counted)
    return expansion.blockedOn ? Progress::Blocked : Progress::Failed;
  commonCount = counted;
  result = *counted;
  return Progress::Done;
}

/// The row of the instance with \p index that is there, and stays.
static std::optional<uint32_t> rowOf(const Expansion &expansion,
                                     uint32_t nodeClass, int64_t index) {
  const ir::NodeClass &target = expansion.graph.nodeClasses[nodeClass];
  if (index < 0 || index > none)
    return std::nullopt;
  auto node = expansion.graph.findNode(target, index);
  if (!node)
    return std::nullopt;
  uint32_t row = node->index - target.nodes.first;
  if (expansion.existing &&
      expansion.existing->presenceOf(nodeClass, row) == ir::Presence::Leaving)
    return std::nullopt;
  return row;
}

/// Indices of the instances that are there, and stay.
static std::vector<uint32_t> indicesOf(const Expansion &expansion,
                                       uint32_t nodeClass) {
  std::vector<uint32_t> indices;
  for (ir::NodeId node : expansion.graph.nodeClasses[nodeClass].nodes.ids()) {
    uint32_t index = expansion.graph.indexOfNode[node.index];
    if (rowOf(expansion, nodeClass, index))
      indices.push_back(index);
  }
  return indices;
}

/// `: 0, 2 to 5`, where these are not the first ones; at most four parts.
static std::string describeGaps(ArrayRef<uint32_t> indices) {
  if (indices.empty() || indices.back() + 1 == indices.size())
    return "";
  std::string text;
  size_t parts = 0;
  for (size_t i = 0; i != indices.size();) {
    size_t end = i + 1;
    while (end != indices.size() && indices[end] == indices[end - 1] + 1)
      ++end;
    if (++parts > 4)
      return text + ", ...";
    text += (parts == 1 ? ": " : ", ") + std::to_string(indices[i]);
    if (end - i > 1)
      text += " to " + std::to_string(indices[end - 1]);
    i = end;
  }
  return text;
}

/// The one candidate that an index names.
Progress ClaimBuilder::pickIndex(const Place &relationship, uint32_t &set) {
  Evaluation result =
      evaluateAt(expansion, *requirement.nodeIndex, relationship);
  if (!result.isKnown() || !result.value().isInteger())
    return fail(result, *requirement.nodeIndex);
  int64_t index = result.value().asInteger();
  std::vector<TargetRange> picked;
  // Nodes that stand for the template come one by one.
  int64_t before = 0;
  for (const CandidateClass &candidate : classes) {
    bool isWhole =
        candidate.first == 0 &&
        candidate.count ==
            expansion.graph.nodeClasses[candidate.nodeClass].nodes.count;
    std::optional<uint32_t> row;
    if (isWhole)
      row = rowOf(expansion, candidate.nodeClass, index);
    else if (index >= before && index - before < candidate.count)
      row = candidate.first + uint32_t(index - before);
    for (uint32_t capability : candidate.capabilities)
      if (row)
        picked.push_back(
            {round.blockOf(candidate.nodeClass, capability) + *row, 1});
    before += candidate.count;
  }
  bool exists = !picked.empty();
  if (filtered)
    if (Progress progress = filtered->keepTrue(relationship, picked);
        progress != Progress::Done)
      return progress;
  if (!exists && !requirement.optional && !classes.empty()) {
    uint32_t nodeClass = classes.front().nodeClass;
    std::vector<uint32_t> indices = indicesOf(expansion, nodeClass);
    auto report = expansion.diags.report(
        requirement.nodeIndex->range(), diag::NoSuchInstance,
        requirement.name.str(), expansion.graph.nameOf(relationship.node),
        expansion.graph.nodeClasses[nodeClass].name.str(), index,
        uint32_t(indices.size()), describeGaps(indices));
    if (isScaled(expansion)) {
      uint32_t count = source.nodes.count;
      std::string own = countToSay(expansion, sourceClass, count);
      std::string other = countToSay(expansion, nodeClass, count);
      report.note({}, diag::ScaleTogether, source.name.str(),
                  expansion.graph.nodeClasses[nodeClass].name.str(),
                  own == other ? own : own + " and " + other);
    }
    return Progress::Failed;
  }
  set = round.addSet(picked);
  return Progress::Done;
}

Progress ClaimBuilder::demand(const Place &relationship, uint32_t &result) {
  std::vector<RawTake> takes;
  for (const sema::Allocation &allocation : requirement.allocations) {
    Evaluation amount = evaluateAt(expansion, *allocation.amount, relationship);
    if (!amount.isKnown()) {
      // The target is what is being looked for.
      if (expansion.blockedOn == relationshipClass)
        expansion.blockedOn.reset();
      return fail(amount, *allocation.amount);
    }
    std::optional<Value> magnitude = magnitudeOf(amount.value());
    if (!magnitude || magnitude->asNumber() < 0) {
      expansion.diags.report(allocation.range, diag::BadAllocation,
                             allocation.property.str(), toText(amount.value()));
      return Progress::Failed;
    }
    if (magnitude->asNumber() > 0)
      takes.push_back({round.addResource(allocation.property), amount.value()});
  }
  result = takes.empty() ? none : round.addDemand(std::move(takes));
  return Progress::Done;
}

Progress ClaimBuilder::describe(const Place &relationship, ClaimGroup &claim) {
  if (setVaries || !commonSet) {
    uint32_t set = allCandidates;
    Progress progress = Progress::Done;
    if (requirement.nodeIndex)
      progress = pickIndex(relationship, set);
    else if (filtered)
      progress = filtered->setFor(relationship, set);
    if (progress != Progress::Done)
      return progress;
    commonSet = set;
  }
  if (demandVaries || !commonDemand) {
    uint32_t taken = none;
    Progress progress = demand(relationship, taken);
    if (progress != Progress::Done)
      return progress;
    commonDemand = taken;
  }
  claim.set = *commonSet;
  claim.demand = *commonDemand;
  return Progress::Done;
}

/// Relationships of earlier assignments of the same name come first.
uint32_t ClaimBuilder::firstIndex(uint32_t row) {
  uint32_t first = 0;
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    if (id.index == relationshipClass)
      return first;
    if (expansion.requirements[id.index]->name != requirement.name)
      continue;
    uint32_t counted = 0;
    if (ClaimBuilder(expansion, id.index, round).count(row, counted) ==
        Progress::Done)
      first += counted;
  }
  return first;
}

Place ClaimBuilder::relationshipOf(uint32_t row) const {
  Place relationship{ir::EntityKind::Relationship, source.subgraph,
                     source.nodes[row]};
  relationship.relationshipClass = relationshipClass;
  return relationship;
}

Progress ClaimBuilder::addRow(uint32_t row) {
  ClaimGroup own{.wanted = 0};
  Progress progress = count(row, own.wanted);
  if (progress != Progress::Done)
    return progress;
  own.optional = requirement.optional;
  Place relationship = relationshipOf(row);
  relationship.index = usesIndex ? firstIndex(row) : 0;
  uint32_t parts = usesIndex ? own.wanted : 1;
  if (usesIndex)
    own.wanted = 1;
  groups.beginRow(parts);
  for (uint32_t number = 0; number < parts; ++number, ++relationship.index) {
    progress = describe(relationship, own);
    if (progress != Progress::Done)
      return progress;
    add(row, number, own);
  }
  return Progress::Done;
}

/// Targets that a substituted node has for the requirement.
Progress ClaimBuilder::addFixed(uint32_t row) {
  const auto &fixed = expansion.links[relationshipClass].fixed;
  if (expansion.existing &&
      expansion.existing->presenceOf(sourceClass, row) == ir::Presence::Leaving)
    return addExistingRow(row);
  Place relationship = relationshipOf(row);
  groups.beginRow(fixed.size());
  for (auto [i, end] : llvm::enumerate(fixed)) {
    ClaimGroup own{.wanted = 0};
    own.wanted = 1;
    own.set =
        round.addSet(TargetRange{targetOf({none, end.first, end.second}), 1});
    relationship.index = i;
    if (Progress progress = demand(relationship, own.demand);
        progress != Progress::Done)
      return progress;
    add(row, i, own);
  }
  return Progress::Done;
}

Progress ClaimBuilder::run() {
  if (source.nodes.count == 0)
    return Progress::Done;
  auto differs = [&](const Expr &expr) {
    usesIndex |= calls(expr, Function::RelationshipIndex);
    return varies(expansion, expr, sourceClass, relationshipClass);
  };
  findTargets();
  allCandidates = round.addSet(candidates);
  countVaries =
      requirement.count && varies(expansion, *requirement.count, sourceClass);
  setVaries = requirement.nodeIndex && differs(*requirement.nodeIndex);
  for (const sema::Allocation &allocation : requirement.allocations)
    demandVaries |= differs(*allocation.amount);
  if (!requirement.filters.empty()) {
    filtered.emplace(expansion, relationshipClass, round, candidates);
    for (const Expr *filter : requirement.filters)
      usesIndex |= calls(*filter, Function::RelationshipIndex);
    setVaries |= filtered->dependsOnSource();
    Progress progress =
        requirement.nodeIndex ? Progress::Done : filtered->prepare();
    if (progress != Progress::Done)
      return progress;
  }
  bool isFixed = !expansion.links[relationshipClass].fixed.empty();
  for (uint32_t row = 0; row < source.nodes.count; ++row)
    if (Progress progress = isFixed              ? addFixed(row)
                            : expansion.existing ? addExistingRow(row)
                                                 : addRow(row);
        progress != Progress::Done)
      return progress;
  return groups.addTo(round, requirement) ? Progress::Done : Progress::Failed;
}

Progress expanding::addClaims(Expansion &expansion, uint32_t relationshipClass,
                              AssignmentRound &round) {
  return ClaimBuilder(expansion, relationshipClass, round).run();
}
