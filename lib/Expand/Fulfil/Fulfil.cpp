//===- Fulfil.cpp - Relationships of a subgraph ---------------------------===//
///
/// \file
/// Rounds of requirements, until all are fulfilled: what needs to know a
/// relationship that is not there yet waits for the next round. Requirements
/// that ask how much others have left (`$available_allocation`) come last, one
/// by one.
///
//===----------------------------------------------------------------------===//

#include "FilteredSets.h"
#include "Graph/Values.h"
#include "Recorded/ExistingRelationships.h"
#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

static bool asksWhatIsLeft(const sema::Requirement &requirement) {
  return llvm::any_of(requirement.filters, [](const Expr *filter) {
    return calls(*filter, Function::AvailableAllocation);
  });
}

/// `left.uses`
static std::string requirementName(const Expansion &expansion,
                                   uint32_t relationshipClass) {
  const ir::RelationshipClass &own =
      expansion.graph.relationshipClasses[relationshipClass];
  return (expansion.graph.nodeClasses[own.source.index].name.str() + "." +
          own.requirement.str())
      .str();
}

/// All of \p blocked wait for another: shows the cycle.
static void reportCycle(Expansion &expansion,
                        const std::map<uint32_t, uint32_t> &blocked) {
  std::vector<CsrGraph::Edge> edges;
  for (auto [id, other] : blocked)
    if (other != none)
      edges.push_back({id, other});
  auto nameOf = [&](uint32_t id) { return requirementName(expansion, id); };
  std::vector<Cycle> cycles =
      findCycles({expansion.graph.relationshipClasses.size(), edges});
  // Where there is none, they wait for all relationships of a node.
  uint32_t first = cycles.empty() ? blocked.begin()->first : cycles[0][0];
  expansion.diags.report(
      expansion.requirements[first]->range, diag::RequirementCircle,
      nameOf(first),
      cycles.empty()
          ? "it asks for all relationships that lead to a node"
          : describeCycle(cycles[0], nameOf) +
                ", where each asks for what the next one has chosen");
}

/// One round of \p pending, of which those are left that it could not fulfil.
/// Blocked: recorded relationships would have to lead elsewhere.
static Progress runRound(Expansion &expansion, std::vector<uint32_t> &pending) {
  AssignmentRound round(expansion);
  std::vector<uint32_t> built, left;
  std::map<uint32_t, uint32_t> blocked;
  bool failed = false;
  bool onlyLast = llvm::all_of(pending, [&](uint32_t id) {
    return asksWhatIsLeft(*expansion.requirements[id]);
  });
  for (uint32_t id : pending) {
    bool isLast = asksWhatIsLeft(*expansion.requirements[id]);
    if (isLast && (!onlyLast || !built.empty())) {
      left.push_back(id);
      continue;
    }
    switch (addClaims(expansion, id, round)) {
    case Progress::Done:
      built.push_back(id);
      break;
    case Progress::Blocked:
      left.push_back(id);
      blocked[id] = *expansion.blockedOn;
      break;
    case Progress::Failed:
      failed = true;
      break;
    }
  }
  if (built.empty() && !failed && !blocked.empty()) {
    reportCycle(expansion, blocked);
    return Progress::Failed;
  }
  Progress progress = round.solve(built);
  if (failed || progress != Progress::Done)
    return failed ? Progress::Failed : progress;
  pending = std::move(left);
  if (expansion.existing)
    for (uint32_t id : built)
      expansion.existingRelationships->mergeLinks(id);
  return Progress::Done;
}

/// What is there stays where it is, unless that leaves others without a place.
static bool fulfilSome(Expansion &expansion, std::vector<uint32_t> &pending) {
  Progress progress = runRound(expansion, pending);
  if (progress != Progress::Blocked)
    return progress == Progress::Done;
  llvm::SaveAndRestore tight(expansion.existingRelationships->holdsPins, false);
  return runRound(expansion, pending) == Progress::Done;
}

/// Moves the relationships of \p nodeClass into the graph.
static void placeRelationships(Expansion &expansion, uint32_t nodeClass) {
  ir::Graph &graph = expansion.graph;
  const ir::NodeClass &source = graph.nodeClasses[nodeClass];
  // How many relationships of each name the sources have so far.
  std::map<std::string, std::vector<uint32_t>> given;
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    ir::RelationshipClass &own = graph.relationshipClasses[id.index];
    Links &links = expansion.links[id.index];
    uint32_t count = links.targets.size();
    own.relationships = {graph.numRelationships(), count};
    std::vector<uint32_t> &next = given[own.requirement.str().str()];
    next.resize(source.nodes.count);
    graph.classOfRelationship.resize(graph.numRelationships() + count, id);
    for (uint32_t row = 0; row < source.nodes.count; ++row)
      for (uint32_t i = own.offsets[row]; i < own.offsets[row + 1]; ++i) {
        graph.indexOfRelationship.push_back(
            links.indices.empty() ? next[row]++ : links.indices[i]);
        graph.source.push_back(source.nodes[row]);
        graph.target.push_back(links.targets[i]);
        graph.capability.push_back(links.capabilities[i]);
      }
    links.placed = true;
    links.targets = {};
    links.capabilities = {};
    links.indices = {};
    const sema::Relationship &written =
        expansion.requirements[id.index]->relationship;
    own.properties = makeColumns(written.properties);
    own.attributes = makeColumns(written.attributes);
  }
}

/// `2 to 4`, `at least 2`
static std::string rangeText(const sema::Requirement &requirement) {
  std::string least = std::to_string(requirement.minCount);
  return requirement.maxCount == none
             ? "at least " + least
             : least + " to " + std::to_string(requirement.maxCount);
}

/// Counts of all assignments with the name of \p first for one instance.
static bool checkSum(Expansion &expansion, const ir::NodeClass &source,
                     const sema::Requirement &first, uint32_t row) {
  uint64_t total = 0, mandatory = 0;
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    const sema::Requirement &other = *expansion.requirements[id.index];
    if (other.name != first.name)
      continue;
    uint32_t count = other.implicit ? other.minCount : 1;
    if (other.count) {
      auto counted = evaluateCount(
          expansion, *other.count, expansion.placeOf(source.nodes[row]),
          expansion.options.maxRelationships,
          llvm::formatv("requirement '{0}' of '{1}'", other.name.str(),
                        source.name.str())
              .str());
      // Reported, or to be known later.
      if (!counted)
        return expansion.blockedOn.has_value();
      count = *counted;
    }
    total += count;
    mandatory += other.optional ? 0 : count;
  }
  if (mandatory >= first.minCount && total <= first.maxCount)
    return true;
  uint64_t shown = mandatory < first.minCount ? mandatory : total;
  expansion.diags.report(first.range, diag::CountOutOfRange,
                         expansion.graph.nameOf(source.nodes[row]), shown,
                         first.name.str(), rangeText(first));
  return false;
}

/// Sema has seen to counts that are written as numbers.
static bool checkCounts(Expansion &expansion, uint32_t nodeClass) {
  const ir::NodeClass &source = expansion.graph.nodeClasses[nodeClass];
  bool complete = true;
  for (ir::RelationshipClassId id : source.relationships.ids()) {
    const sema::Requirement &requirement = *expansion.requirements[id.index];
    if (!requirement.count || requirement.count->isLiteral())
      continue;
    bool differs = varies(expansion, *requirement.count, nodeClass);
    uint32_t rows =
        differs ? source.nodes.count : std::min(source.nodes.count, 1u);
    for (uint32_t row = 0; row < rows && complete; ++row)
      complete = checkSum(expansion, source, requirement, row);
  }
  return complete;
}

bool expanding::fulfilRequirements(Expansion &expansion,
                                   ir::SubgraphId subgraph) {
  const ir::Graph &graph = expansion.graph;
  auto classes = graph.subgraphs[subgraph.index].classes;
  bool complete = true;
  for (ir::NodeClassId id : classes.ids())
    complete &= checkCounts(expansion, id.index);
  if (!complete)
    return false;
  if (expansion.existing &&
      !expansion.existingRelationships->linkSubgraph(subgraph))
    return false;
  if (expansion.instanceTree && !pairInstances(expansion, subgraph))
    return false;
  std::vector<uint32_t> pending;
  for (ir::NodeClassId id : classes.ids())
    for (ir::RelationshipClassId relationship :
         graph.nodeClasses[id.index].relationships.ids())
      if (!expansion.links[relationship.index].known)
        pending.push_back(relationship.index);
  while (!pending.empty())
    if (!fulfilSome(expansion, pending))
      return false;
  for (ir::NodeClassId id : classes.ids())
    placeRelationships(expansion, id.index);
  return true;
}
