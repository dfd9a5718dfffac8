//===- MapTargets.cpp - Relationships that lead out of a service ----------===//
///
/// \file
/// Requirement mappings (TOSCA 2.0 §15.5): what relationships of a substituted
/// node lead to becomes the target of relationships inside. Relationships are
/// given out in their order; mappings to mandatory requirements come first.
///
//===----------------------------------------------------------------------===//

#include "Graph/Candidates.h"
#include "Substitute.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

/// What the relationships of \p node with this name lead to, in their order.
static std::vector<MappedTargets::End>
endsOf(const Expansion &expansion, ir::NodeId node, Name requirement) {
  std::vector<MappedTargets::End> result;
  for (ir::RelationshipClassId id :
       expansion.graph.classOf(node).relationships.ids()) {
    if (expansion.requirements[id.index]->name != requirement)
      continue;
    uint32_t count = expansion.outgoing(id.index, node).first;
    for (uint32_t i = 0; i < count; ++i) {
      Place place = expansion.placeOf(id.index, node, i, i);
      result.push_back({place.target, uint16_t(place.capability)});
    }
  }
  return result;
}

static bool isMandatory(const sema::Service &service,
                        const sema::MappedRequirement &mapping) {
  return llvm::any_of(mapping.targets, [&](const auto &target) {
    if (!target.requirement)
      return true;
    return llvm::any_of(service.nodes[target.node].requirements,
                        [&](const sema::Requirement &requirement) {
                          return requirement.name == target.requirement &&
                                 (requirement.implicit
                                      ? requirement.minCount > 0
                                      : !requirement.optional);
                        });
  });
}

static void add(MappedTargets &result, const sema::MappedRequirement &mapping,
                ArrayRef<MappedTargets::End> ends) {
  for (const auto &[node, name] : mapping.targets) {
    if (!name) {
      auto same = [&](const SelectedNodes &s) { return s.node == node; };
      auto found = llvm::find_if(result.selected, same);
      if (found == result.selected.end())
        found = result.selected.insert(found, {node, {}});
      for (MappedTargets::End end : ends)
        found->nodes.push_back(end.node);
      continue;
    }
    auto same = [&](const MappedTargets::Requirement &r) {
      return r.node == node && r.name == name;
    };
    auto found = llvm::find_if(result.requirements, same);
    if (found == result.requirements.end())
      found = result.requirements.insert(found, {node, name, {}});
    llvm::append_range(found->ends, ends);
  }
}

MappedTargets expanding::mapTargets(const Expansion &expansion,
                                    const sema::Service &service,
                                    ir::NodeId node) {
  MappedTargets result;
  std::vector<const sema::MappedRequirement *> order;
  for (const sema::MappedRequirement &mapping :
       service.substitution->requirements)
    order.push_back(&mapping);
  llvm::stable_sort(order, [&](const auto *a, const auto *b) {
    return isMandatory(service, *a) && !isMandatory(service, *b);
  });
  struct Supply {
    std::vector<MappedTargets::End> ends;
    size_t taken = 0;
  };
  std::map<std::string, Supply> supplies;
  for (const sema::MappedRequirement *mapping : order) {
    auto [entry, isNew] = supplies.try_emplace(mapping->outer.str().str());
    Supply &supply = entry->second;
    if (isNew)
      supply.ends = endsOf(expansion, node, mapping->outer);
    size_t left = supply.ends.size() - supply.taken;
    size_t count = std::min<size_t>(mapping->count.value_or(none), left);
    add(result, *mapping, ArrayRef(supply.ends).slice(supply.taken, count));
    supply.taken += count;
  }
  return result;
}

/// The relationships of one requirement assignment, the same for every node of
/// its class.
static bool link(Expansion &expansion, uint32_t relationshipClass,
                 ArrayRef<MappedTargets::End> ends) {
  ir::Graph &graph = expansion.graph;
  ir::RelationshipClass &own = graph.relationshipClasses[relationshipClass];
  const ir::NodeClass &source = graph.nodeClasses[own.source.index];
  Links &links = expansion.links[relationshipClass];
  std::vector<uint16_t> capabilities;
  for (MappedTargets::End end : ends) {
    auto capability = fittingCapability(expansion, relationshipClass, end.node,
                                        end.capability);
    if (!capability) {
      expansion.diags.report(own.range, diag::MappedTargetUnfit,
                             own.requirement.str(), source.name.str(),
                             graph.nameOf(end.node));
      return false;
    }
    capabilities.push_back(*capability);
  }
  // What they take, and what is there already, is to be reckoned with.
  if (expansion.existing ||
      !expansion.requirements[relationshipClass]->allocations.empty()) {
    for (auto [end, capability] : llvm::zip(ends, capabilities))
      links.fixed.push_back({end.node, capability});
    return true;
  }
  own.offsets.assign(1, 0);
  for (uint32_t row = 0; row < source.nodes.count; ++row) {
    for (auto [end, capability] : llvm::zip(ends, capabilities)) {
      links.targets.push_back(end.node);
      links.capabilities.push_back(capability);
    }
    own.offsets.push_back(links.targets.size());
  }
  links.known = true;
  return true;
}

/// How many relationships an assignment takes of those that are mapped to it
/// and to others of its name.
static size_t capacityOf(const sema::Requirement &requirement) {
  if (requirement.implicit)
    return none;
  const Expr *count = requirement.count;
  bool isKnown = count && count->isLiteral() && count->value().isInteger();
  return isKnown ? count->value().asInteger() : 1;
}

/// Checks the number of what is mapped to a requirement.
static bool checkNumber(Expansion &expansion, const ir::NodeClass &source,
                        const MappedTargets::Requirement &mapped) {
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    const sema::Requirement &requirement = *expansion.requirements[id.index];
    if (requirement.name != mapped.name ||
        mapped.ends.size() <= requirement.maxCount || source.nodes.count == 0)
      continue;
    expansion.diags.report(
        requirement.range, diag::CountOutOfRange,
        expansion.graph.nameOf(source.nodes[0]), mapped.ends.size(),
        mapped.name.str(),
        llvm::formatv("at most {0}", requirement.maxCount).str());
    return false;
  }
  return true;
}

bool expanding::linkTargets(Expansion &expansion,
                            const MappedTargets &targets) {
  ir::Graph &graph = expansion.graph;
  uint32_t firstClass = graph.subgraphs.back().classes.first;
  for (const MappedTargets::Requirement &mapped : targets.requirements) {
    const ir::NodeClass &source = graph.nodeClasses[firstClass + mapped.node];
    if (!checkNumber(expansion, source, mapped))
      return false;
    // Only requirements that say nothing of their target are left open.
    llvm::SmallVector<uint32_t, 1> open;
    for (ir::RelationshipClassId id : source.relationships.ids()) {
      const sema::Requirement &requirement = *expansion.requirements[id.index];
      if (requirement.name == mapped.name && !requirement.node)
        open.push_back(id.index);
    }
    ArrayRef<MappedTargets::End> left = mapped.ends;
    for (auto [i, relationshipClass] : llvm::enumerate(open)) {
      bool isLast = i + 1 == open.size();
      size_t taken = std::min(
          isLast ? left.size()
                 : capacityOf(*expansion.requirements[relationshipClass]),
          left.size());
      // Without a target, the service has to find one itself.
      if (taken && !link(expansion, relationshipClass, left.take_front(taken)))
        return false;
      left = left.drop_front(taken);
    }
  }
  return true;
}
