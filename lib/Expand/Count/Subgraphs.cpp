//===- Subgraphs.cpp - Classes and their instances ------------------------===//

#include "External/External.h"
#include "Graph/GraphEnvironment.h"
#include "Graph/RebasePaths.h"
#include "Graph/Values.h"
#include "Recorded/ExistingInstances.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;

std::optional<uint32_t> expanding::evaluateCount(Expansion &expansion,
                                                 const Expr &count,
                                                 const Place &place,
                                                 uint32_t limit,
                                                 llvm::StringRef owner) {
  Evaluation result = evaluateAt(expansion, count, place);
  if (result.isFailed()) {
    report(expansion.diags, result.problem(), count.range());
    return std::nullopt;
  }
  if (!result.isKnown()) {
    bool isFinal =
        !expansion.blockedOn || place.kind == ir::EntityKind::Service;
    if (isFinal && !reportSecret(expansion, count.range(),
                                 ("the count of " + owner).str()))
      expansion.diags.report(count.range(), diag::CountNotKnown, owner,
                             toText(count));
    return std::nullopt;
  }
  const Value &value = result.value();
  if (value.isInteger() && value.asInteger() >= 0 && value.asInteger() <= limit)
    return value.asInteger();
  expansion.diags.report(count.range(), diag::CountNotWhole, owner,
                         toText(value), limit);
  return std::nullopt;
}

/// Cells at their initial values, the same for all.
static std::vector<ir::MachineSlot>
makeMachines(Expansion &expansion, llvm::ArrayRef<ir::MachineId> machines) {
  std::vector<ir::MachineSlot> slots;
  for (ir::MachineId id : machines) {
    ir::MachineSlot &slot = slots.emplace_back();
    slot.machine = id;
    for (const ir::Cell &cell : expansion.graph.machines[id.index].cells)
      slot.cells.emplace_back().setAll(
          expansion.arena().make(Expr::literal(cell.initial, cell.range)));
  }
  return slots;
}

static ir::CapabilityColumns makeCapability(const sema::Capability &written) {
  return {written.name, written.type, makeColumns(written.properties),
          makeColumns(written.attributes)};
}

static void addRelationshipClasses(Expansion &expansion, uint32_t nodeClass,
                                   const sema::NodeTemplate &written) {
  ir::Graph &graph = expansion.graph;
  graph.nodeClasses[nodeClass].relationships = {
      uint32_t(graph.relationshipClasses.size()),
      uint32_t(written.requirements.size())};
  for (const sema::Requirement &requirement : written.requirements) {
    ir::RelationshipClass &added = graph.relationshipClasses.emplace_back();
    added.source = {nodeClass};
    added.requirement = requirement.name;
    added.type = requirement.relationship.type;
    added.machines = makeMachines(expansion, requirement.relationship.machines);
    added.range = requirement.range;
    expansion.requirements.push_back(&requirement);
    expansion.links.emplace_back();
  }
}

void expanding::addClass(Expansion &expansion, ir::SubgraphId subgraph,
                         const sema::NodeTemplate &written) {
  ir::Graph &graph = expansion.graph;
  uint32_t index = graph.nodeClasses.size();
  ir::NodeClass &added = graph.nodeClasses.emplace_back();
  added.subgraph = subgraph;
  added.name = written.name;
  added.type = written.type;
  added.nodes = {graph.numNodes(), 0};
  added.properties = makeColumns(written.properties);
  added.attributes = makeColumns(written.attributes);
  for (const sema::Capability &capability : written.capabilities)
    added.capabilities.push_back(makeCapability(capability));
  added.machines = makeMachines(expansion, written.machines);
  added.range = written.range;
  expansion.templates.push_back(&written);
  expansion.isMapped.push_back(false);
  expansion.isSelected.push_back(false);
  addRelationshipClasses(expansion, index, written);
}

/// Makes room for the classes of the first service, mostly the largest.
static void reserveClasses(Expansion &expansion, const sema::Service &service) {
  size_t requirements = 0;
  for (const sema::NodeTemplate &node : service.nodes)
    requirements += node.requirements.size();
  expansion.graph.nodeClasses.reserve(service.nodes.size());
  expansion.graph.relationshipClasses.reserve(requirements);
  expansion.links.reserve(requirements);
}

/// Whether \p expr asks for something of a node.
static bool asksNodes(const Expr &expr) {
  return expr.isCall(Function::GetProperty) ||
         expr.isCall(Function::GetAttribute) ||
         llvm::any_of(expr.children(), asksNodes);
}

static bool setCount(Expansion &expansion, uint32_t index) {
  ir::NodeClass &own = expansion.graph.nodeClasses[index];
  const Expr *count = expansion.templates[index]->count;
  bool isSelected = expansion.isMapped[index];
  own.nodes.count = isSelected ? 0 : 1;
  if (auto found = expansion.external.find(index);
      found != expansion.external.end())
    own.nodes.count = found->second.size();
  const ExistingInstances *existing = expansion.existing;
  bool countCounts = !existing || existing->change.updates ||
                     existing->presenceAround(index) == ir::Presence::New;
  if (existing && (!count || isSelected || !countCounts)) {
    own.nodes.count = expansion.existing->setInstances(index, own.nodes.count);
    return true;
  }
  if (!count || isSelected)
    return true;
  auto evaluated =
      evaluateCount(expansion, *count, expansion.placeOf(own.subgraph),
                    expansion.options.maxNodes,
                    ("node template '" + own.name.str() + "'").str());
  own.nodes.count = evaluated.value_or(0);
  if (expansion.existing)
    own.nodes.count = expansion.existing->setInstances(index, own.nodes.count);
  return evaluated.has_value();
}

/// Numbers the nodes of \p classes, the last ones of the graph.
static bool numberNodes(Expansion &expansion,
                        ir::IdRange<ir::NodeClassId> classes) {
  ir::Graph &graph = expansion.graph;
  if (classes.count == 0)
    return true;
  uint32_t first = graph.nodeClasses[classes.first].nodes.first;
  graph.classOfNode.resize(first);
  graph.indexOfNode.resize(first);
  for (ir::NodeClassId id : classes.ids()) {
    ir::NodeClass &own = graph.nodeClasses[id.index];
    uint64_t total = uint64_t(graph.numNodes()) + own.nodes.count;
    if (total > expansion.options.maxNodes) {
      expansion.diags.report(own.range, diag::TooManyNodes, own.name.str(),
                             total, expansion.options.maxNodes);
      return false;
    }
    own.nodes.first = graph.numNodes();
    const ExistingInstances *existing = expansion.existing;
    own.nextIndex = existing ? existing->nextIndex(id.index) : own.nodes.count;
    graph.classOfNode.resize(total, id);
    auto external = expansion.external.find(id.index);
    for (uint32_t i = 0; i < own.nodes.count; ++i)
      graph.indexOfNode.push_back(external != expansion.external.end()
                                      ? external->second[i]->index
                                  : existing ? existing->indexOf(id.index, i)
                                             : i);
    if (own.nodes.count)
      own.nextIndex = std::max(own.nextIndex, graph.indexOfNode.back() + 1);
  }
  return true;
}

/// Gives \p classes their instances; those whose number depends on other
/// nodes last.
static bool addNodes(Expansion &expansion,
                     ir::IdRange<ir::NodeClassId> classes) {
  std::vector<uint32_t> late;
  bool complete = true;
  if (expansion.instanceTree && classes.first == 0)
    return countPerContainer(expansion) && numberNodes(expansion, classes);
  for (ir::NodeClassId id : classes.ids()) {
    const Expr *count = expansion.templates[id.index]->count;
    if (count && asksNodes(*count))
      late.push_back(id.index);
    else
      complete &= setCount(expansion, id.index);
  }
  complete = numberNodes(expansion, classes) && complete;
  for (uint32_t index : late)
    complete = complete && setCount(expansion, index) &&
               numberNodes(expansion, classes);
  return complete;
}

/// Defaults of inputs that were not given.
static bool addDefaults(Expansion &expansion, ir::SubgraphId subgraph) {
  SubgraphState &state = expansion.subgraphs[subgraph.index];
  bool complete = true;
  for (auto [definition, value] :
       llvm::zip(state.service->inputs, state.inputs)) {
    if (value || !definition.defaultValue)
      continue;
    Evaluation result = evaluateAt(expansion, *definition.defaultValue,
                                   expansion.placeOf(subgraph));
    if (result.isKnown())
      value = expansion.arena().make(
          Expr::literal(result.value(), definition.defaultValue->range()));
    else if (result.isUnknown())
      // Of the node around the service, where there is one.
      value = subgraph.index == 0
                  ? result.residual()
                  : rebasePaths(expansion.arena(), *result.residual(), {},
                                &state, {});
    expansion.rememberSecret(value);
    if (!result.isFailed())
      continue;
    report(expansion.diags, result.problem(), definition.range);
    complete = false;
  }
  return complete;
}

bool expanding::addSubgraph(Expansion &expansion, SubgraphParts parts) {
  ir::Graph &graph = expansion.graph;
  const sema::Service &service = parts.service;
  ir::SubgraphId id{uint32_t(graph.subgraphs.size())};
  uint32_t firstClass = graph.nodeClasses.size();
  ir::Subgraph &subgraph = graph.subgraphs.emplace_back();
  subgraph.service = service.name;
  subgraph.substitutes = parts.substitutes;
  subgraph.classes = {firstClass, uint32_t(service.nodes.size())};
  subgraph.machines = makeMachines(expansion, service.machines);
  subgraph.workflows = service.workflows;
  subgraph.policies = service.policies;
  expansion.subgraphs.push_back({&service, std::move(parts.inputs)});
  if (graph.nodeClasses.empty())
    reserveClasses(expansion, service);
  for (const sema::NodeTemplate &node : service.nodes)
    addClass(expansion, id, node);
  for (SelectedNodes &selected : parts.selected) {
    graph.nodeClasses[firstClass + selected.node].selected =
        std::move(selected.nodes);
    expansion.isMapped[firstClass + selected.node] = true;
  }
  addExternalClasses(expansion, id);
  bool complete = addDefaults(expansion, id);
  if (!addNodes(expansion, graph.subgraphs[id.index].classes) || !complete)
    return false;
  fillExternalNodes(expansion, id);
  return selectNodes(expansion, id);
}
