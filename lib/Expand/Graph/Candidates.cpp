//===- Candidates.cpp - Targets that types allow --------------------------===//
///
/// \file
/// What types say: TOSCA 2.0 §8.2 (valid sources and relationships of a
/// capability), §7.3 (valid ends of a relationship type), §8.5 (node and
/// capability of a requirement).
///
//===----------------------------------------------------------------------===//

#include "Candidates.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

/// Whether \p type is one of \p allowed or derived from one; an empty list
/// allows all.
static bool isAllowed(const Expansion &expansion, ir::TypeId type,
                      ArrayRef<ir::TypeId> allowed) {
  return allowed.empty() || llvm::any_of(allowed, [&](ir::TypeId ancestor) {
           return ir::isDerivedFrom(expansion.program.types, type, ancestor);
         });
}

static bool isAllowedByAll(const Expansion &expansion, ir::TypeId type,
                           ArrayRef<std::vector<ir::TypeId>> lists) {
  return llvm::all_of(lists, [&](const std::vector<ir::TypeId> &allowed) {
    return isAllowed(expansion, type, allowed);
  });
}

static bool fits(const Expansion &expansion, ir::TypeId type,
                 ir::TypeId wanted) {
  return !wanted || ir::isDerivedFrom(expansion.program.types, type, wanted);
}

static bool hasProperties(const sema::Capability &capability,
                          ArrayRef<sema::Allocation> allocations) {
  return llvm::all_of(allocations, [&](const sema::Allocation &allocation) {
    return llvm::any_of(capability.properties,
                        [&](const sema::Assignment &property) {
                          return property.name == allocation.property;
                        });
  });
}

/// What relationships from inside may not lead to does not count there.
static bool isOpen(const Expansion &expansion, uint32_t target,
                   const sema::Capability &capability) {
  return expansion.isExternal(target) ? !capability.internalOnly
                                      : !capability.externalOnly;
}

static bool capabilityFits(const Expansion &expansion,
                           const sema::Requirement &requirement,
                           const sema::Capability &capability,
                           ir::TypeId source) {
  const sema::Relationship &relationship = requirement.relationship;
  bool isNamed =
      !requirement.capability || requirement.capability == capability.name;
  return isNamed &&
         fits(expansion, capability.type, requirement.capabilityType) &&
         isAllowed(expansion, source, capability.validSources) &&
         (!relationship.type || isAllowed(expansion, relationship.type,
                                          capability.validRelationships)) &&
         isAllowedByAll(expansion, capability.type,
                        relationship.validCapabilities) &&
         hasProperties(capability, requirement.allocations);
}

/// The capabilities of nodes of class \p target that fit.
static llvm::SmallVector<uint32_t, 1>
fittingCapabilities(const Expansion &expansion, uint32_t relationshipClass,
                    uint32_t target) {
  const ir::Graph &graph = expansion.graph;
  const sema::Requirement &requirement =
      *expansion.requirements[relationshipClass];
  ir::TypeId source =
      graph
          .nodeClasses[graph.relationshipClasses[relationshipClass]
                           .source.index]
          .type;
  const sema::NodeTemplate &written = *expansion.templates[target];
  llvm::SmallVector<uint32_t, 1> result;
  if (!fits(expansion, written.type, requirement.nodeType) ||
      !isAllowedByAll(expansion, written.type,
                      requirement.relationship.validTargets) ||
      !isAllowedByAll(expansion, source, requirement.relationship.validSources))
    return result;
  for (auto [i, capability] : llvm::enumerate(written.capabilities))
    if (isOpen(expansion, target, capability) &&
        capabilityFits(expansion, requirement, capability, source))
      result.push_back(i);
  return result;
}

std::optional<uint32_t> expanding::fittingCapability(const Expansion &expansion,
                                                     uint32_t relationshipClass,
                                                     ir::NodeId target,
                                                     uint32_t preferred) {
  auto fitting =
      fittingCapabilities(expansion, relationshipClass,
                          expansion.graph.classOfNode[target.index].index);
  if (fitting.empty())
    return std::nullopt;
  return llvm::is_contained(fitting, preferred) ? preferred : fitting.front();
}

std::vector<CandidateClass>
expanding::findCandidates(Expansion &expansion, uint32_t relationshipClass) {
  const ir::Graph &graph = expansion.graph;
  const sema::Requirement &requirement =
      *expansion.requirements[relationshipClass];
  std::vector<CandidateClass> result;
  auto add = [&](uint32_t nodeClass, uint32_t first, uint32_t count) {
    auto fitting = fittingCapabilities(expansion, relationshipClass, nodeClass);
    if (!fitting.empty())
      result.push_back({nodeClass, first, count, std::move(fitting)});
  };
  ir::SubgraphId subgraph =
      graph
          .nodeClasses[graph.relationshipClasses[relationshipClass]
                           .source.index]
          .subgraph;
  auto classes = graph.subgraphs[subgraph.index].classes;
  auto addClass = [&](uint32_t nodeClass, bool isExternal) {
    if (expansion.isExternal(nodeClass) != isExternal)
      return;
    const ir::NodeClass &own = graph.nodeClasses[nodeClass];
    if (own.selected.empty())
      add(nodeClass, 0, own.nodes.count);
    for (ir::NodeId node : own.selected)
      add(graph.classOfNode[node.index].index, graph.row(node), 1);
  };
  auto addAll = [&](bool isExternal) {
    if (!requirement.node) {
      for (ir::NodeClassId id : classes.ids())
        addClass(id.index, isExternal);
    } else if (*requirement.node < classes.count) {
      addClass(classes.first + *requirement.node, isExternal);
    }
  };
  if (requirement.mayBeExternal && requirement.prefersExternal)
    addAll(/*isExternal=*/true);
  if (requirement.mayBeInternal)
    addAll(/*isExternal=*/false);
  if (requirement.mayBeExternal && !requirement.prefersExternal)
    addAll(/*isExternal=*/true);
  return result;
}
