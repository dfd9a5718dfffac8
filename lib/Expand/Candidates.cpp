//===- Candidates.cpp - Who can be a target -------------------------------===//
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

static bool capabilityFits(const Expansion &expansion,
                           const sema::Requirement &requirement,
                           const sema::Capability &capability,
                           ir::TypeId source) {
  const sema::Relationship &relationship = requirement.relationship;
  bool isNamed =
      !requirement.capability || requirement.capability == capability.name;
  return isNamed && !capability.externalOnly &&
         fits(expansion, capability.type, requirement.capabilityType) &&
         isAllowed(expansion, source, capability.validSources) &&
         (!relationship.type || isAllowed(expansion, relationship.type,
                                          capability.validRelationships)) &&
         isAllowedByAll(expansion, capability.type,
                        relationship.validCapabilities) &&
         hasProperties(capability, requirement.allocations);
}

std::vector<CandidateClass>
expanding::findCandidates(Expansion &expansion, uint32_t relationshipClass) {
  const ir::Graph &graph = expansion.graph;
  const sema::Requirement &requirement =
      *expansion.requirements[relationshipClass];
  const ir::NodeClass &source =
      graph.nodeClasses[graph.relationshipClasses[relationshipClass]
                            .source.index];
  const sema::Relationship &relationship = requirement.relationship;
  std::vector<CandidateClass> result;
  if (!requirement.mayBeInternal ||
      !isAllowedByAll(expansion, source.type, relationship.validSources))
    return result;
  auto classes = graph.scopes[source.scope.index].classes;
  for (ir::NodeClassId id : classes.ids()) {
    const sema::NodeTemplate &target = *expansion.templates[id.index];
    if (requirement.node && id.index - classes.first != *requirement.node)
      continue;
    if (!fits(expansion, target.type, requirement.nodeType) ||
        !isAllowedByAll(expansion, target.type, relationship.validTargets))
      continue;
    CandidateClass candidate{id.index, {}};
    for (auto [i, capability] : llvm::enumerate(target.capabilities))
      if (capabilityFits(expansion, requirement, capability, source.type))
        candidate.capabilities.push_back(i);
    if (!candidate.capabilities.empty())
      result.push_back(std::move(candidate));
  }
  return result;
}
