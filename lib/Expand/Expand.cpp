//===- Expand.cpp - Instances from templates ------------------------------===//
///
/// \file
/// The passes of expansion in their order, and what is carried over as it is.
///
//===----------------------------------------------------------------------===//

#include "toscac/Expand/Expand.h"

#include "CheckReceivers.h"
#include "Count/InstanceTree.h"
#include "Count/ScalingGroups.h"
#include "External/External.h"
#include "Graph/GraphEnvironment.h"
#include "Graph/Values.h"
#include "Recorded/ExistingRelationships.h"
#include "Recorded/RestoreValues.h"
#include "Substitute/Substitute.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Expand/GraphPasses.h"
#include "toscac/Expand/ObsoleteTemplates.h"
#include "toscac/Expand/SetGoal.h"
#include "toscac/Sema/RecordedOperations.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

/// The values of \p given, in the order of the service's inputs.
static std::vector<const Expr *> inputsInOrder(const sema::Service &service,
                                               ArrayRef<ir::InputValue> given) {
  std::vector<const Expr *> values;
  for (const sema::InputDefinition &input : service.inputs) {
    auto *found = llvm::find_if(given, [&](const ir::InputValue &value) {
      return value.name == input.name;
    });
    values.push_back(found == given.end() ? nullptr : found->value);
  }
  return values;
}

/// A value that tells of which kind those of \p type are; null: of any.
static const Expr *standIn(const Type &type, ValueArena &arena) {
  auto literal = [&](const Value &value) {
    return arena.make(Expr::literal(value));
  };
  switch (type.kind) {
  case TypeKind::Any:
    return nullptr;
  case TypeKind::Integer:
    return literal(Value::integer(0));
  case TypeKind::Float:
    return literal(Value::real(0));
  case TypeKind::Boolean:
    return literal(Value::boolean(false));
  case TypeKind::List:
    return literal(arena.list({}));
  case TypeKind::Map:
  case TypeKind::Record:
    return literal(arena.map({}));
  default:
    return literal(Value::string(""));
  }
}

static void addInputs(Expansion &expansion) {
  const SubgraphState &subgraph = expansion.subgraphs.front();
  for (auto [definition, value] :
       llvm::zip(subgraph.service->inputs, subgraph.inputs))
    if (isSecret({0}, definition, value))
      expansion.graph.inputs.push_back(
          {definition.name, standIn(*definition.type, expansion.arena()),
           true});
    else if (value)
      expansion.graph.inputs.push_back({definition.name, value, false});
}

const Expr *expanding::evaluateAtSubgraph(Expansion &expansion,
                                          const Expr &expr,
                                          ir::SubgraphId subgraph,
                                          SourceRange range) {
  Evaluation result = evaluateAt(expansion, expr, expansion.placeOf(subgraph));
  if (result.isFailed())
    report(expansion.diags, result.problem(), range);
  if (result.isKnown())
    return expansion.arena().make(Expr::literal(result.value(), expr.range()));
  return result.isUnknown() ? result.residual() : nullptr;
}

static void addOutputs(Expansion &expansion) {
  for (const sema::OutputDefinition &output :
       expansion.subgraphs.front().service->outputs) {
    if (!output.value)
      continue;
    const Expr *value =
        evaluateAtSubgraph(expansion, *output.value, {0}, output.range);
    if (!value)
      continue;
    expansion.graph.outputs.push_back({output.name, output.type->kind, value,
                                       output.sensitive, output.range});
  }
}

static void addGroup(Expansion &expansion, ir::SubgraphId subgraph,
                     const sema::Group &group) {
  const sema::Service &service = *expansion.subgraphs[subgraph.index].service;
  ir::Group &added = expansion.graph.groups.emplace_back();
  added.subgraph = subgraph;
  added.name = group.name;
  added.type = group.type;
  for (uint32_t node : group.nodes)
    added.members.push_back(service.nodes[node].name);
  llvm::append_range(added.members, group.groups);
  added.properties = makeColumns(group.properties);
  for (auto [column, property] : llvm::zip(added.properties, group.properties))
    if (property.value)
      column.values.setAll(evaluateAtSubgraph(expansion, *property.value,
                                              subgraph, property.range));
  added.range = group.range;
  // What is inside a node is not scaled by itself.
  if (subgraph.index == 0)
    addGroupInstances(expansion, group, added);
}

static void addGroups(Expansion &expansion) {
  for (uint32_t subgraph = 0; subgraph != expansion.subgraphs.size();
       ++subgraph)
    for (const sema::Group &group :
         expansion.subgraphs[subgraph].service->groups)
      addGroup(expansion, {subgraph}, group);
}

/// What is recorded, and whether counts that a change keeps are allowed.
static bool restoreDeployment(Expansion &expansion) {
  size_t errors = expansion.diags.numErrors();
  if (!restoreRecorded(expansion))
    return false;
  if (expansion.existing->change.mustAgree)
    checkBounds(expansion);
  return expansion.diags.numErrors() == errors;
}

/// \p chosen are names of external nodes, which are few then; null: all.
/// \p used gets those that are targets.
static std::unique_ptr<ir::Graph>
expandOnce(const sema::CheckedProgram &program, ArrayRef<ir::InputValue> inputs,
           const ExpandOptions &options, NameTable &names,
           DiagnosticEngine &diags, const llvm::StringSet<> *chosen,
           std::optional<llvm::StringSet<>> &used) {
  size_t errorsBefore = diags.numErrors();
  if (options.stats)
    *options.stats = {};
  auto graph = std::make_unique<ir::Graph>();
  graph->types = program.types;
  graph->machines = program.machines;
  graph->artifacts = program.artifacts;
  Expansion expansion(program, options, names, diags, *graph);
  expansion.chosenExternal = chosen;
  const sema::Service &service = program.services.front();
  std::optional<ExistingInstances> existing;
  std::optional<ExistingRelationships> existingRelationships;
  std::optional<EntryTree> tree;
  std::optional<InstanceTree> instanceTree;
  if (service.countsPerContainer)
    expansion.instanceTree = &instanceTree.emplace(tree.emplace(program));
  if (options.deploymentChange) {
    expansion.existing =
        &existing.emplace(expansion, *options.deploymentChange);
    expansion.existingRelationships =
        &existingRelationships.emplace(expansion, *existing);
  }
  if (!addSubgraph(expansion,
                   {service, std::nullopt, inputsInOrder(service, inputs), {}}))
    return nullptr;
  for (uint32_t subgraph = 0; subgraph < graph->subgraphs.size(); ++subgraph)
    if (!fulfilRequirements(expansion, {subgraph}) ||
        !substituteNodes(expansion, {subgraph}))
      return nullptr;
  if (!expansion.external.empty() && !chosen) {
    used = usedExternalNodes(expansion);
    return nullptr;
  }
  graph->linkIncoming();
  fillValues(expansion);
  if (expansion.existing && !restoreDeployment(expansion))
    return nullptr;
  for (uint32_t subgraph = 1; subgraph < graph->subgraphs.size(); ++subgraph)
    mapAttributes(expansion, {subgraph});
  addInputs(expansion);
  addOutputs(expansion);
  addShared(expansion);
  addGroups(expansion);
  if (diags.numErrors() > errorsBefore)
    return nullptr;
  graph->linkClasses();
  checkReceivers(*graph, diags);
  if (diags.numErrors() > errorsBefore)
    return nullptr;
  runGraphPasses(*graph, names);
  return graph;
}

/// Notes in \p graph what is to be recorded of \p program, and which templates
/// it has no more.
static void noteTemplates(const sema::CheckedProgram &program,
                          const DeploymentChange *change, NameTable &names,
                          ir::Graph &graph) {
  graph.deployment.operations =
      sema::recordedOperations(program, names, graph.arena);
  // A stack is composed anew: nothing that it had has a template.
  const sema::Service &service = program.services.front();
  if (!change || service.hasSingles)
    return;
  for (const auto &[name, nextIndex] :
       obsoleteTemplates(service, *change->recorded))
    graph.deployment.obsolete.push_back({graph.arena.save(name), nextIndex});
}

std::unique_ptr<ir::Graph> toscac::expand(const sema::CheckedProgram &program,
                                          ArrayRef<ir::InputValue> inputs,
                                          const ExpandOptions &options,
                                          NameTable &names,
                                          DiagnosticEngine &diags) {
  std::optional<llvm::StringSet<>> used;
  auto graph =
      expandOnce(program, inputs, options, names, diags, nullptr, used);
  if (used) {
    std::optional<llvm::StringSet<>> same;
    graph = expandOnce(program, inputs, options, names, diags, &*used, same);
  }
  if (graph && options.request) {
    noteTemplates(program, options.deploymentChange, names, *graph);
    setGoal(*options.request, program, options.deploymentChange, names, *graph);
  }
  return graph;
}
