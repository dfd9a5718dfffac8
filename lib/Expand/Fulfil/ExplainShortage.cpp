//===- ExplainShortage.cpp - Why targets are missing ----------------------===//

#include "Assign/AssignParts.h"
#include "AssignmentRound.h"
#include "External/External.h"
#include "Graph/Candidates.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

/// `right[2]`, `right[0..3]`
static std::string describeNodes(const ir::Graph &graph,
                                 const ir::NodeClass &nodeClass,
                                 uint32_t firstRow, uint32_t count) {
  std::string name = graph.nameOf(nodeClass.nodes[firstRow]);
  if (count == 1)
    return name;
  name.pop_back();
  return name + ".." +
         std::to_string(
             graph.indexOfNode[nodeClass.nodes[firstRow + count - 1].index]) +
         "]";
}

/// At most four parts, then how many there are more.
static std::string joinSome(ArrayRef<std::string> parts) {
  constexpr size_t shown = 4;
  std::string text = llvm::join(parts.take_front(shown), ", ");
  if (parts.size() > shown)
    text += " and " + std::to_string(parts.size() - shown) + " more";
  return text;
}

std::string
AssignmentRound::describeTargets(ArrayRef<TargetRange> targets) const {
  std::vector<std::string> parts;
  for (TargetRange range : targets)
    while (range.count > 0) {
      const TargetBlock &block = blockAt(range.first);
      uint32_t count =
          std::min(range.count, block.first + block.count - range.first);
      std::string part = describeNodes(
          expansion.graph, expansion.graph.nodeClasses[block.nodeClass],
          range.first - block.first, count);
      if (parts.empty() || parts.back() != part)
        parts.push_back(std::move(part));
      range = {range.first + count, range.count - count};
    }
  return joinSome(parts);
}

/// `left[0..5].uses`
std::string AssignmentRound::describeClaims(ArrayRef<uint32_t> groups) const {
  // Rows by class, merged where they touch.
  std::map<uint32_t, std::vector<TargetRange>> rows;
  for (uint32_t group : groups)
    rows[infos[group].relationshipClass].push_back(
        {infos[group].firstRow, problem.groups[group].claims});
  std::vector<std::string> parts;
  for (auto &[relationshipClass, ranges] : rows) {
    const ir::RelationshipClass &own =
        expansion.graph.relationshipClasses[relationshipClass];
    for (TargetRange range : mergeRanges(std::move(ranges)))
      parts.push_back(
          describeNodes(expansion.graph,
                        expansion.graph.nodeClasses[own.source.index],
                        range.first, range.count) +
          "." + own.requirement.str().str());
  }
  return joinSome(parts);
}

static std::string whyNotOutside(const Expansion &expansion,
                                 uint32_t relationshipClass) {
  if (expansion.requirements[relationshipClass]->node)
    return "it names a node template of this service, but must come from "
           "another deployment";
  std::string other = externalButNotShared(expansion, relationshipClass);
  if (!expansion.options.state)
    return "it must come from another deployment, and no state was given with "
           "--state";
  if (!other.empty())
    return other + " would fit, but is not shared";
  return "no other deployment has a node that it may lead to";
}

/// What kept all nodes of the subgraph from being a target.
static std::string whyNoTarget(Expansion &expansion,
                               uint32_t relationshipClass) {
  const sema::Requirement &requirement =
      *expansion.requirements[relationshipClass];
  auto typeName = [&](ir::TypeId type) {
    return "'" + expansion.program.types[type.index].name.str().str() + "'";
  };
  std::vector<CandidateClass> classes =
      findCandidates(expansion, relationshipClass);
  if (!requirement.mayBeInternal && classes.empty())
    return whyNotOutside(expansion, relationshipClass);
  uint32_t numNodes = 0;
  for (const CandidateClass &candidate : classes)
    numNodes += expansion.graph.nodeClasses[candidate.nodeClass].nodes.count;
  if (numNodes > 0 && !requirement.filters.empty())
    return llvm::formatv("{0} {1} by type, but not the node filter", numNodes,
                         numNodes == 1 ? "node fits" : "nodes fit");
  if (numNodes > 0)
    return "a node is not its own target";
  if (!classes.empty())
    return llvm::formatv(
        "'{0}' has no instances",
        expansion.graph.nodeClasses[classes.front().nodeClass].name.str());
  std::string wanted;
  if (requirement.capability)
    wanted = " with a capability '" + requirement.capability.str().str() + "'";
  else if (requirement.capabilityType)
    wanted =
        " with a capability of type " + typeName(requirement.capabilityType);
  std::string nodes = requirement.nodeType
                          ? "node of type " + typeName(requirement.nodeType)
                          : std::string("node");
  return "there is no " + nodes + wanted + " that it may lead to";
}

void AssignmentRound::report(const Shortage &shortage) {
  const GroupInfo &first =
      infos[*std::min_element(shortage.groups.begin(), shortage.groups.end(),
                              [&](uint32_t a, uint32_t b) {
                                return infos[a].relationshipClass <
                                       infos[b].relationshipClass;
                              })];
  const sema::Requirement &requirement =
      *expansion.requirements[first.relationshipClass];
  std::string claims = describeClaims(shortage.groups);
  std::string targets = describeTargets(shortage.targets);
  DiagnosticEngine &diags = expansion.diags;
  if (shortage.kind == Shortage::Kind::TooFewTargets) {
    if (shortage.offered == 0)
      diags.report(requirement.range, diag::NoTarget, claims,
                   whyNoTarget(expansion, first.relationshipClass));
    else
      diags.report(requirement.range, diag::TooFewTargets, claims,
                   shortage.needed, shortage.offered, targets);
    return;
  }
  const Resource &resource = resources[shortage.resource];
  const Measure &measure = resource.measure;
  std::string hint =
      shortage.sufficient
          ? "; capacity " + measure.toText(*shortage.sufficient) + " would do"
          : std::string();
  std::string needed = measure.toText(shortage.needed);
  std::string offered = measure.toText(shortage.offered);
  llvm::StringRef property = resource.property.str();
  auto &&added = [&]() -> DiagnosticEngine::Builder {
    switch (shortage.kind) {
    case Shortage::Kind::TooLittle:
      return diags.report(requirement.range, diag::NoCapacity, claims, needed,
                          property, offered, targets, hint);
    case Shortage::Kind::Indivisible:
      return diags.report(requirement.range, diag::CapacityIndivisible, claims,
                          needed, property, offered, targets, hint);
    case Shortage::Kind::Unknown:
    case Shortage::Kind::TooFewTargets:
      break;
    }
    return diags.report(requirement.range, diag::AssignmentNotFound, claims,
                        needed, property, offered, targets);
  }();
  for (uint32_t group : shortage.groups) {
    const sema::Requirement &other =
        *expansion.requirements[infos[group].relationshipClass];
    if (&other != &requirement) {
      added.note(other.range, diag::CompetingRequirement, other.name.str());
      break;
    }
  }
}
