//===- ExistingRelationships.cpp - Relationships already there ------------===//

#include "ExistingRelationships.h"

#include "Graph/Candidates.h"
#include "Graph/GraphEnvironment.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

/// Whether the index that the assignment names, if it names one, is that of the
/// target.
bool ExistingRelationships::leadsTo(uint32_t relationship,
                                    uint32_t relationshipClass) const {
  const sema::Requirement &requirement =
      *expansion.requirements[relationshipClass];
  if (!requirement.nodeIndex)
    return true;
  Place place{
      ir::EntityKind::Relationship,
      expansion.graph
          .nodeClasses[expansion.graph.relationshipClasses[relationshipClass]
                           .source.index]
          .subgraph,
      instances.nodeOf(recorded.sourceOf(relationship))};
  place.relationshipClass = relationshipClass;
  place.index = recorded[relationship].index;
  Evaluation index = evaluateAt(expansion, *requirement.nodeIndex, place);
  return index.isKnown() && index.value().isInteger() &&
         index.value().asInteger() ==
             recorded[recorded.targetOf(relationship)].index;
}

/// The assignment that a recorded relationship belongs to: of several with one
/// name, the first that can lead to its target and is not full.
uint32_t ExistingRelationships::classOf(uint32_t relationship,
                                        const ir::NodeClass &source,
                                        std::vector<uint32_t> &filled) const {
  uint32_t found = none;
  ir::NodeId target = instances.nodeOf(recorded.targetOf(relationship));
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    const sema::Requirement &requirement = *expansion.requirements[id.index];
    if (requirement.name.str() != recorded[relationship].origin)
      continue;
    bool fits =
        leadsTo(relationship, id.index) &&
        llvm::any_of(findCandidates(expansion, id.index),
                     [&](const CandidateClass &c) {
                       return target.index != none &&
                              expansion.graph.classOfNode[target.index].index ==
                                  c.nodeClass;
                     });
    if (!fits && found != none)
      continue;
    found = id.index;
    uint32_t limit = 1;
    if (requirement.count)
      limit = requirement.count->isLiteral() &&
                      requirement.count->value().isInteger()
                  ? requirement.count->value().asInteger()
                  : none;
    if (fits && filled[id.index - source.relationships.first] < limit)
      break;
  }
  if (found != none)
    ++filled[found - source.relationships.first];
  return found;
}

std::map<StringRef, uint32_t>
ExistingRelationships::classesByName(const ir::NodeClass &source) const {
  std::map<StringRef, uint32_t> result;
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    StringRef name = expansion.requirements[id.index]->name.str();
    auto [entry, isNew] = result.try_emplace(name, id.index);
    if (!isNew)
      entry->second = none;
  }
  return result;
}

std::optional<uint16_t>
ExistingRelationships::capabilityOf(uint32_t relationship,
                                    ir::NodeId target) const {
  for (auto [i, each] :
       llvm::enumerate(expansion.graph.classOf(target).capabilities))
    if (each.name.str() == recorded[relationship].capability)
      return i;
  return std::nullopt;
}

namespace {
/// What was found for the last relationship: the next one is mostly alike.
struct LastLink {
  uint32_t shape = ~0u;
  uint32_t targetClass = ~0u;
  /// The only one of its name, or none.
  uint32_t relationshipClass = ~0u;
  /// Nothing if there is none of the recorded name any more.
  std::optional<uint16_t> capability;
};
} // namespace

bool ExistingRelationships::linkClass(uint32_t nodeClass) {
  const ir::NodeClass &source = expansion.graph.nodeClasses[nodeClass];
  ArrayRef<uint32_t> rows = instances.recordedRows(nodeClass);
  uint32_t numClasses = source.relationships.count;
  std::vector<Kept> found(numClasses);
  for (Kept &each : found) {
    each.offsets.reserve(source.nodes.count + 1);
    each.offsets.push_back(0);
  }
  std::map<StringRef, uint32_t> onlyClass = classesByName(source);
  std::vector<uint32_t> filled;
  LastLink last;
  for (uint32_t row = 0; row != source.nodes.count; ++row) {
    filled.assign(numClasses, 0);
    if (row < rows.size())
      for (uint32_t relationship : recorded.outgoing(rows[row])) {
        ir::NodeId target = instances.nodeOf(recorded.targetOf(relationship));
        if (target.index == none)
          return instances.reportLost(relationship);
        LastLink now{recorded.shapeOf(relationship),
                     expansion.graph.classOfNode[target.index].index};
        if (now.shape != last.shape || now.targetClass != last.targetClass) {
          auto only = onlyClass.find(recorded[relationship].origin);
          if (only == onlyClass.end())
            return instances.reportLost(relationship);
          now.relationshipClass = only->second;
          now.capability = capabilityOf(relationship, target);
          last = now;
        }
        uint32_t id = last.relationshipClass;
        if (id == none)
          id = classOf(relationship, source, filled);
        if (id == none)
          return instances.reportLost(relationship);
        uint32_t capability =
            last.capability
                ? *last.capability
                : fittingCapability(expansion, id, target, 0).value_or(0);
        found[id - source.relationships.first].pins.push_back(
            {relationship, target, static_cast<uint16_t>(capability)});
      }
    for (Kept &each : found) {
      auto begin = each.pins.begin() + each.offsets.back();
      if (each.pins.end() - begin > 1)
        std::stable_sort(begin, each.pins.end(),
                         [&](const Pin &a, const Pin &b) {
                           return recorded.indexOf(a.recorded) <
                                  recorded.indexOf(b.recorded);
                         });
      each.offsets.push_back(each.pins.size());
    }
  }
  for (auto [i, each] : llvm::enumerate(found))
    kept[source.relationships.first + i] = std::move(each);
  return true;
}

uint32_t &ExistingRelationships::nextNumber(uint32_t nodeClass, uint32_t row,
                                            Name requirement) {
  ArrayRef<uint32_t> rows = instances.recordedRows(nodeClass);
  uint32_t node = expansion.graph.nodeClasses[nodeClass].nodes[row].index;
  auto [next, isNew] =
      nextNumbers.try_emplace({node, requirement.str().data()});
  if (isNew && row < rows.size())
    for (uint32_t relationship : recorded.outgoing(rows[row]))
      if (recorded[relationship].origin == requirement.str())
        next->second =
            std::max(next->second, recorded.indexOf(relationship) + 1);
  return next->second;
}

bool ExistingRelationships::linkSubgraph(ir::SubgraphId subgraph) {
  const ir::Graph &graph = expansion.graph;
  kept.resize(graph.relationshipClasses.size());
  recordedLinks.resize(graph.relationshipClasses.size());
  auto ids = graph.subgraphs[subgraph.index].classes.ids();
  instances.enterNodes(subgraph);
  bool complete = true;
  if (subgraph.index == 0)
    for (StringRef path : recorded.templates())
      if (uint32_t first = recorded.nodesOf(path).front();
          !path.contains('/') && instances.nodeOf(first).index == none)
        complete = instances.reportLost(first);
  for (ir::NodeClassId id : ids)
    complete = complete && linkClass(id.index);
  return complete;
}

ArrayRef<Pin> ExistingRelationships::pinsOf(uint32_t relationshipClass,
                                            uint32_t row) const {
  const Kept &own = kept[relationshipClass];
  return ArrayRef(own.pins).slice(own.offsets[row],
                                  own.offsets[row + 1] - own.offsets[row]);
}

bool ExistingRelationships::stays(uint32_t relationshipClass,
                                  const Pin &pin) const {
  return !instances.isLeaving(recorded.sourceOf(pin.recorded)) &&
         !instances.isLeaving(recorded.targetOf(pin.recorded)) &&
         !kept[relationshipClass].unpinned.contains(pin.recorded);
}

void ExistingRelationships::unpin(uint32_t relationshipClass,
                                  uint32_t recordedRow) {
  kept[relationshipClass].unpinned.insert(recordedRow);
}

std::optional<ir::NodeId>
ExistingRelationships::placeOf(uint32_t relationshipClass, uint32_t row) const {
  const ir::Graph &graph = expansion.graph;
  const ir::RelationshipClass &own =
      graph.relationshipClasses[relationshipClass];
  uint32_t sourceClass = own.source.index;
  auto found = instances.change.added.find(instances.pathOf(sourceClass));
  if (found == instances.change.added.end() || !found->second.perContainer ||
      ir::findMark(graph.types, own.type, "containment") != "true")
    return std::nullopt;
  const Addition &addition = found->second;
  std::string outer = instances.pathOf(sourceClass);
  for (ir::NodeClassId id :
       graph.subgraphs[graph.nodeClasses[sourceClass].subgraph.index]
           .classes.ids()) {
    if (instances.pathOf(id.index) != addition.container)
      continue;
    uint32_t number = (row - instances.recordedRows(sourceClass).size()) /
                      addition.perContainer;
    return graph.nodeClasses[id.index]
        .nodes[instances.recordedRows(id.index).size() + number];
  }
  return std::nullopt;
}

/// What was picked is new unless it is what was there; relationships of one
/// source are in the order of their indices.
void ExistingRelationships::mergeLinks(uint32_t relationshipClass) {
  ir::RelationshipClass &own =
      expansion.graph.relationshipClasses[relationshipClass];
  const ir::NodeClass &source = expansion.graph.nodeClasses[own.source.index];
  Links found = std::move(expansion.links[relationshipClass]);
  Links merged;
  merged.known = true;
  own.offsets.resize(source.nodes.count + 1, found.targets.size());
  std::vector<uint32_t> &rows = recordedLinks[relationshipClass];
  std::vector<uint32_t> offsets{0};
  size_t most = kept[relationshipClass].pins.size() + found.targets.size();
  merged.targets.reserve(most);
  merged.capabilities.reserve(most);
  merged.indices.reserve(most);
  rows.reserve(most);
  offsets.reserve(source.nodes.count + 1);
  for (uint32_t row = 0; row != source.nodes.count; ++row) {
    llvm::SmallVector<const Pin *, 4> staying;
    for (const Pin &pin : pinsOf(relationshipClass, row)) {
      merged.targets.push_back(pin.target);
      merged.capabilities.push_back(pin.capability);
      merged.indices.push_back(recorded.indexOf(pin.recorded));
      rows.push_back(pin.recorded);
      if (stays(relationshipClass, pin))
        staying.push_back(&pin);
    }
    for (uint32_t i = own.offsets[row]; i != own.offsets[row + 1]; ++i) {
      auto *same = llvm::find_if(staying, [&](const Pin *pin) {
        return pin->target == found.targets[i] &&
               pin->capability == found.capabilities[i];
      });
      if (same != staying.end()) {
        staying.erase(same);
        continue;
      }
      merged.targets.push_back(found.targets[i]);
      merged.capabilities.push_back(found.capabilities[i]);
      merged.indices.push_back(
          nextNumber(own.source.index, row, own.requirement)++);
      rows.push_back(none);
    }
    bool mayMove =
        instances.change.updates && !holdsPins &&
        !expansion.requirements[relationshipClass]->allocations.empty();
    for (const Pin *pin : staying)
      if (mayMove) {
        unpin(relationshipClass, pin->recorded);
        kept[relationshipClass].moved.insert(pin->recorded);
      }
    offsets.push_back(merged.targets.size());
  }
  own.offsets = std::move(offsets);
  expansion.links[relationshipClass] = std::move(merged);
}
