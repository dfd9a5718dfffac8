//===- ExistingClaims.cpp - Claims where a deployment is there already ----===//

#include "ClaimBuilder.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

uint32_t ClaimBuilder::targetOf(const Pin &pin) {
  uint32_t nodeClass = expansion.graph.classOfNode[pin.target.index].index;
  return round.blockOf(nodeClass, pin.capability) +
         (pin.target.index -
          expansion.graph.nodeClasses[nodeClass].nodes.first);
}

Progress ClaimBuilder::addExistingRow(uint32_t row) {
  switch (expansion.existing->presenceOf(sourceClass, row)) {
  case ir::Presence::Leaving:
    groups.beginRow(1);
    add(row, 0, {.wanted = 0, .set = allCandidates});
    return Progress::Done;
  case ir::Presence::New:
    if (auto container =
            expansion.existingRelationships->placeOf(relationshipClass, row);
        container && !requirement.nodeIndex)
      return addPlaced(row, *container);
    return addRow(row);
  case ir::Presence::Kept:
  case ir::Presence::Updated:
  case ir::Presence::Replaced:
    return addKept(row);
  }
  llvm_unreachable("all kinds are handled");
}

/// A new instance that belongs into \p container.
Progress ClaimBuilder::addPlaced(uint32_t row, ir::NodeId container) {
  ClaimGroup own{.wanted = 0};
  Place relationship = relationshipOf(row);
  if (Progress progress = demand(relationship, own.demand);
      progress != Progress::Done)
    return progress;
  std::vector<TargetRange> picked;
  for (const CandidateClass &candidate : classes) {
    const ir::NodeClass &target =
        expansion.graph.nodeClasses[candidate.nodeClass];
    if (target.nodes.contains(container))
      picked.push_back(
          {round.blockOf(candidate.nodeClass, candidate.capabilities.front()) +
               (container.index - target.nodes.first),
           1});
  }
  if (filtered)
    if (Progress progress = filtered->keepTrue(relationship, picked);
        progress != Progress::Done)
      return progress;
  own.set = round.addSet(picked);
  own.wanted = 1;
  groups.beginRow(1);
  add(row, 0, own);
  return Progress::Done;
}

/// What the source has, and keeps. An update takes away what the template does
/// not ask for any more.
Progress ClaimBuilder::findPins(uint32_t row, uint32_t wanted,
                                llvm::SmallVectorImpl<Pin> &pins) {
  ExistingInstances &existing = *expansion.existing;
  for (const Pin &pin :
       expansion.existingRelationships->pinsOf(relationshipClass, row))
    if (expansion.existingRelationships->stays(relationshipClass, pin))
      pins.push_back(pin);
  if (!existing.change.updates)
    return Progress::Done;
  Place relationship = relationshipOf(row);
  llvm::SmallVector<Pin, 4> fitting;
  for (const Pin &pin : pins) {
    ClaimGroup own{.wanted = 0};
    relationship.index = existing.recorded[pin.recorded].index;
    if (Progress progress = describe(relationship, own);
        progress != Progress::Done)
      return progress;
    if (fitting.size() < wanted && round.hasNode(own.set, pin.target))
      fitting.push_back(pin);
    else
      expansion.existingRelationships->unpin(relationshipClass, pin.recorded);
  }
  pins = std::move(fitting);
  return Progress::Done;
}

/// \p wanted more targets than \p pins, and different from them.
Progress ClaimBuilder::addPart(uint32_t row, uint32_t number, uint32_t wanted,
                               bool optional, ArrayRef<Pin> pins,
                               const Place &relationship) {
  ClaimGroup own{.wanted = 0};
  if (Progress progress = describe(relationship, own);
      progress != Progress::Done)
    return progress;
  std::vector<TargetRange> left = round.targetsOf(own.set).vec();
  dropTargets(left, [&](uint32_t target) {
    return llvm::any_of(pins, [&](const Pin &pin) {
      return round.nodeAt(target) == pin.target;
    });
  });
  if (hasSiblings()) {
    std::vector<TargetRange> fresh = left;
    dropTargets(fresh, [&](uint32_t target) {
      return isTakenBySibling(row, round.nodeAt(target));
    });
    uint64_t numFresh = 0;
    for (TargetRange range : fresh)
      numFresh += range.count;
    if (numFresh >= wanted)
      left = std::move(fresh);
  }
  own.set = round.addSet(left);
  own.wanted = wanted;
  own.optional = optional;
  add(row, number, own);
  return Progress::Done;
}

/// Whether there are other assignments of the same name.
bool ClaimBuilder::hasSiblings() const {
  return llvm::count_if(source.relationships.ids(),
                        [&](ir::RelationshipClassId id) {
                          return expansion.requirements[id.index]->name ==
                                 requirement.name;
                        }) > 1;
}

/// Whether another assignment of the same name leads from \p row to \p target
/// already.
bool ClaimBuilder::isTakenBySibling(uint32_t row, ir::NodeId target) const {
  const ExistingRelationships &existing = *expansion.existingRelationships;
  return llvm::any_of(
      source.relationships.ids(), [&](ir::RelationshipClassId id) {
        return id.index != relationshipClass &&
               expansion.requirements[id.index]->name == requirement.name &&
               llvm::any_of(existing.pinsOf(id.index, row),
                            [&](const Pin &pin) {
                              return pin.target == target &&
                                     existing.stays(id.index, pin);
                            });
      });
}

/// What is there, and takes something: it stays where it is or, where that is
/// not possible, prefers to.
Progress ClaimBuilder::addPins(uint32_t row, ArrayRef<Pin> pins,
                               uint32_t &parts) {
  Place relationship = relationshipOf(row);
  for (const Pin &pin : pins) {
    ClaimGroup own{.wanted = 0};
    relationship.index = expansion.existing->recorded[pin.recorded].index;
    std::vector<TargetRange> targets{{targetOf(pin), 1}};
    if (!expansion.existingRelationships->holdsPins) {
      if (Progress progress = describe(relationship, own);
          progress != Progress::Done)
        return progress;
      std::vector<TargetRange> others = round.targetsOf(own.set).vec();
      dropTargets(others, [&](uint32_t target) {
        return target == targets.front().first;
      });
      llvm::append_range(targets, others);
    } else if (Progress progress = demand(relationship, own.demand);
               progress != Progress::Done) {
      return progress;
    }
    own.wanted = 1;
    own.set = round.addSet(targets);
    own.optional =
        requirement.optional && !expansion.existingRelationships->holdsPins;
    add(row, parts++, own, /*isPinned=*/true);
  }
  return Progress::Done;
}

/// What \p pins take is not theirs to lose.
Progress ClaimBuilder::consume(uint32_t row, ArrayRef<Pin> pins) {
  Place relationship = relationshipOf(row);
  for (const Pin &pin : pins) {
    relationship.index = expansion.existing->recorded[pin.recorded].index;
    uint32_t taken = none;
    if (Progress progress = demand(relationship, taken);
        progress != Progress::Done)
      return progress;
    round.consume(targetOf(pin), taken);
  }
  return Progress::Done;
}

/// Targets that were lost are looked for anew, but only those that the
/// requirement cannot do without must be found.
Progress ClaimBuilder::addKept(uint32_t row) {
  uint32_t wanted = 0;
  if (Progress progress = count(row, wanted); progress != Progress::Done)
    return progress;
  llvm::SmallVector<Pin, 4> pins;
  if (Progress progress = findPins(row, wanted, pins);
      progress != Progress::Done)
    return progress;
  uint32_t number = pins.size();
  uint32_t more = wanted > number ? wanted - number : 0;
  uint32_t least = expansion.existing->change.updates
                       ? wanted
                       : std::min(wanted, requirement.minCount);
  uint32_t needed =
      least > number && !requirement.optional ? least - number : 0;
  bool takes = !requirement.allocations.empty();
  if (takes && !expansion.existing->change.updates) {
    if (Progress progress = consume(row, pins); progress != Progress::Done)
      return progress;
    takes = false;
  }
  groups.beginRow(
      std::max(1u, (takes ? number : 0) + (needed != 0) + (more > needed)));
  Place relationship = relationshipOf(row);
  uint32_t parts = 0;
  if (takes)
    if (Progress progress = addPins(row, pins, parts);
        progress != Progress::Done)
      return progress;
  relationship.index = number;
  if (needed)
    if (Progress progress =
            addPart(row, parts++, needed, false, pins, relationship);
        progress != Progress::Done)
      return progress;
  if (more > needed)
    return addPart(row, parts, more - needed, true, pins, relationship);
  if (parts == 0)
    add(row, 0, {.wanted = 0, .set = allCandidates});
  return Progress::Done;
}
