//===- ExistingInstances.cpp - Instances and relationships that are there -===//

#include "ExistingInstances.h"

#include "Graph/Candidates.h"
#include "Graph/GraphEnvironment.h"
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
      nodeOf(change.recorded->entities.size(), ir::NodeId{none}) {
  expansion.graph.hasRecorded = true;
}

std::string ExistingInstances::pathOf(uint32_t nodeClass) const {
  const ir::Graph &graph = expansion.graph;
  const ir::NodeClass &own = graph.nodeClasses[nodeClass];
  std::string path;
  if (auto outer = graph.subgraphs[own.subgraph.index].substitutes)
    path = graph.nameOf(*outer) + "/";
  return path + own.name.str().str();
}

bool ExistingInstances::isLeaving(uint32_t recordedNode) const {
  ir::NodeId node = nodeOf[recordedNode];
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

//===----------------------------------------------------------------------===//
// Relationships
//===----------------------------------------------------------------------===//

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

/// Whether the index that the assignment names, if it names one, is that of the
/// target.
bool ExistingInstances::leadsTo(uint32_t relationship,
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
      nodeOf[recorded.sourceOf(relationship)]};
  place.relationshipClass = relationshipClass;
  place.index = recorded[relationship].index;
  Evaluation index = evaluateAt(expansion, *requirement.nodeIndex, place);
  return index.isKnown() && index.value().isInteger() &&
         index.value().asInteger() ==
             recorded[recorded.targetOf(relationship)].index;
}

/// The assignment that a recorded relationship belongs to: of several with one
/// name, the first that can lead to its target and is not full.
uint32_t ExistingInstances::classOf(uint32_t relationship,
                                    const ir::NodeClass &source,
                                    std::vector<uint32_t> &filled) const {
  uint32_t found = none;
  ir::NodeId target = nodeOf[recorded.targetOf(relationship)];
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
ExistingInstances::classesByName(const ir::NodeClass &source) const {
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
ExistingInstances::capabilityOf(uint32_t relationship,
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

bool ExistingInstances::linkClass(uint32_t nodeClass) {
  const ir::NodeClass &source = expansion.graph.nodeClasses[nodeClass];
  const Class &own = classes[nodeClass];
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
    if (row < own.recorded.size())
      for (uint32_t relationship : recorded.outgoing(own.recorded[row])) {
        ir::NodeId target = nodeOf[recorded.targetOf(relationship)];
        if (target.index == none)
          return reportLost(relationship);
        LastLink now{recorded.shapeOf(relationship),
                     expansion.graph.classOfNode[target.index].index};
        if (now.shape != last.shape || now.targetClass != last.targetClass) {
          auto only = onlyClass.find(recorded[relationship].origin);
          if (only == onlyClass.end())
            return reportLost(relationship);
          now.relationshipClass = only->second;
          now.capability = capabilityOf(relationship, target);
          last = now;
        }
        uint32_t id = last.relationshipClass;
        if (id == none)
          id = classOf(relationship, source, filled);
        if (id == none)
          return reportLost(relationship);
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

uint32_t &ExistingInstances::nextNumber(uint32_t nodeClass, uint32_t row,
                                        Name requirement) {
  const Class &own = classes[nodeClass];
  uint32_t node = expansion.graph.nodeClasses[nodeClass].nodes[row].index;
  auto [next, isNew] =
      nextNumbers.try_emplace({node, requirement.str().data()});
  if (isNew && row < own.recorded.size())
    for (uint32_t relationship : recorded.outgoing(own.recorded[row]))
      if (recorded[relationship].origin == requirement.str())
        next->second =
            std::max(next->second, recorded.indexOf(relationship) + 1);
  return next->second;
}

bool ExistingInstances::linkSubgraph(ir::SubgraphId subgraph) {
  const ir::Graph &graph = expansion.graph;
  kept.resize(graph.relationshipClasses.size());
  recordedLinks.resize(graph.relationshipClasses.size());
  auto ids = graph.subgraphs[subgraph.index].classes.ids();
  for (ir::NodeClassId id : ids)
    for (auto [row, recordedRow] : llvm::enumerate(classes[id.index].recorded))
      nodeOf[recordedRow] = graph.nodeClasses[id.index].nodes[row];
  bool complete = true;
  if (subgraph.index == 0)
    for (StringRef path : recorded.templates())
      if (uint32_t first = recorded.nodesOf(path).front();
          !path.contains('/') && nodeOf[first].index == none)
        complete = reportLost(first);
  for (ir::NodeClassId id : ids)
    complete = complete && linkClass(id.index);
  return complete;
}

ArrayRef<ExistingInstances::Pin>
ExistingInstances::pinsOf(uint32_t relationshipClass, uint32_t row) const {
  const Kept &own = kept[relationshipClass];
  return ArrayRef(own.pins).slice(own.offsets[row],
                                  own.offsets[row + 1] - own.offsets[row]);
}

bool ExistingInstances::stays(uint32_t relationshipClass,
                              const Pin &pin) const {
  return !isLeaving(recorded.sourceOf(pin.recorded)) &&
         !isLeaving(recorded.targetOf(pin.recorded)) &&
         !kept[relationshipClass].unpinned.contains(pin.recorded);
}

void ExistingInstances::unpin(uint32_t relationshipClass,
                              uint32_t recordedRow) {
  kept[relationshipClass].unpinned.insert(recordedRow);
}

std::optional<ir::NodeId> ExistingInstances::placeOf(uint32_t relationshipClass,
                                                     uint32_t row) const {
  const ir::Graph &graph = expansion.graph;
  const ir::RelationshipClass &own =
      graph.relationshipClasses[relationshipClass];
  uint32_t sourceClass = own.source.index;
  auto found = change.added.find(pathOf(sourceClass));
  if (found == change.added.end() || !found->second.perContainer ||
      ir::findMark(graph.types, own.type, "containment") != "true")
    return std::nullopt;
  const Addition &addition = found->second;
  std::string outer = pathOf(sourceClass);
  for (ir::NodeClassId id :
       graph.subgraphs[graph.nodeClasses[sourceClass].subgraph.index]
           .classes.ids()) {
    if (pathOf(id.index) != addition.container)
      continue;
    uint32_t number =
        (row - classes[sourceClass].recorded.size()) / addition.perContainer;
    return graph.nodeClasses[id.index]
        .nodes[classes[id.index].recorded.size() + number];
  }
  return std::nullopt;
}

/// What was picked is new unless it is what was there; relationships of one
/// source are in the order of their indices.
void ExistingInstances::mergeLinks(uint32_t relationshipClass) {
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
        change.updates && !holdsPins &&
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
