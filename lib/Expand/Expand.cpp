//===- Expand.cpp - Instances from templates ------------------------------===//
///
/// \file
/// The passes of expansion in their order, and what is carried over as it is.
///
//===----------------------------------------------------------------------===//

#include "toscac/Expand/Expand.h"

#include "CheckReceivers.h"
#include "Continued.h"
#include "External.h"
#include "Forest.h"
#include "GraphEnvironment.h"
#include "ScalingGroups.h"
#include "Substitute.h"
#include "Values.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Expand/GraphPasses.h"

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

static void addInputs(Expansion &expansion) {
  const ScopeState &scope = expansion.scopes.front();
  for (auto [definition, value] :
       llvm::zip(scope.service->inputs, scope.inputs))
    if (isSecret({0}, definition, value))
      expansion.graph.inputs.push_back({definition.name, nullptr, true});
    else if (value)
      expansion.graph.inputs.push_back({definition.name, value, false});
}

const Expr *expanding::evaluateAtScope(Expansion &expansion, const Expr &expr,
                                       ir::ScopeId scope, SourceRange range) {
  Evaluation result = evaluateAt(expansion, expr, expansion.placeOf(scope));
  if (result.isFailed())
    report(expansion.diags, result.problem(), range);
  if (result.isKnown())
    return expansion.arena().make(Expr::literal(result.value(), expr.range()));
  return result.isUnknown() ? result.residual() : nullptr;
}

static void addOutputs(Expansion &expansion) {
  for (const sema::OutputDefinition &output :
       expansion.scopes.front().service->outputs) {
    if (!output.value)
      continue;
    const Expr *value =
        evaluateAtScope(expansion, *output.value, {0}, output.range);
    if (!value)
      continue;
    expansion.graph.outputs.push_back({output.name, output.type->kind, value,
                                       output.sensitive, output.range});
  }
}

static void addGroup(Expansion &expansion, ir::ScopeId scope,
                     const sema::Group &group) {
  const sema::Service &service = *expansion.scopes[scope.index].service;
  ir::Group &added = expansion.graph.groups.emplace_back();
  added.scope = scope;
  added.name = group.name;
  added.type = group.type;
  for (uint32_t node : group.nodes)
    added.members.push_back(service.nodes[node].name);
  llvm::append_range(added.members, group.groups);
  added.properties = makeColumns(group.properties);
  for (auto [column, property] : llvm::zip(added.properties, group.properties))
    if (property.value)
      column.values.setAll(
          evaluateAtScope(expansion, *property.value, scope, property.range));
  added.range = group.range;
  // What is inside a node is not scaled by itself.
  if (scope.index == 0)
    addGroupInstances(expansion, group, added);
}

static void addGroups(Expansion &expansion) {
  for (uint32_t scope = 0; scope != expansion.scopes.size(); ++scope)
    for (const sema::Group &group : expansion.scopes[scope].service->groups)
      addGroup(expansion, {scope}, group);
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
  std::optional<Continued> continued;
  std::optional<EntryTree> tree;
  std::optional<Forest> forest;
  if (service.countsPerContainer)
    expansion.forest = &forest.emplace(tree.emplace(program));
  if (options.continuation)
    expansion.continued = &continued.emplace(expansion, *options.continuation);
  if (!addScope(expansion,
                {service, std::nullopt, inputsInOrder(service, inputs), {}}))
    return nullptr;
  for (uint32_t scope = 0; scope < graph->scopes.size(); ++scope)
    if (!fulfilRequirements(expansion, {scope}) ||
        !substituteNodes(expansion, {scope}))
      return nullptr;
  if (!expansion.external.empty() && !chosen) {
    used = usedExternalNodes(expansion);
    return nullptr;
  }
  graph->linkIncoming();
  fillValues(expansion);
  if (expansion.continued && !expansion.continued->finish())
    return nullptr;
  for (uint32_t scope = 1; scope < graph->scopes.size(); ++scope)
    mapAttributes(expansion, {scope});
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

std::unique_ptr<ir::Graph> toscac::expand(const sema::CheckedProgram &program,
                                          ArrayRef<ir::InputValue> inputs,
                                          const ExpandOptions &options,
                                          NameTable &names,
                                          DiagnosticEngine &diags) {
  std::optional<llvm::StringSet<>> used;
  auto graph =
      expandOnce(program, inputs, options, names, diags, nullptr, used);
  if (!used)
    return graph;
  std::optional<llvm::StringSet<>> same;
  return expandOnce(program, inputs, options, names, diags, &*used, same);
}
