//===- Expand.cpp - Instances from templates ------------------------------===//
///
/// \file
/// The passes of expansion in their order, and what is carried over as it is.
///
//===----------------------------------------------------------------------===//

#include "toscac/Expand/Expand.h"

#include "GraphEnvironment.h"
#include "Values.h"

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
    if (value)
      expansion.graph.inputs.push_back(
          {definition.name, value, definition.sensitive});
}

static void addOutputs(Expansion &expansion) {
  for (const sema::OutputDefinition &output :
       expansion.scopes.front().service->outputs) {
    if (!output.value)
      continue;
    Evaluation result =
        evaluateAt(expansion, *output.value, expansion.placeOf(ir::ScopeId{0}));
    if (result.isFailed()) {
      report(expansion.diags, result.problem(), output.range);
      continue;
    }
    if (result.isNothing())
      continue;
    const Expr *value = result.isKnown()
                            ? expansion.arena().make(Expr::literal(
                                  result.value(), output.value->range()))
                            : result.residual();
    expansion.graph.outputs.push_back({output.name, output.type->kind, value,
                                       output.sensitive, output.range});
  }
}

static void addGroups(Expansion &expansion) {
  const sema::Service &service = *expansion.scopes.front().service;
  for (const sema::Group &group : service.groups) {
    ir::Group &added = expansion.graph.groups.emplace_back();
    added.name = group.name;
    added.type = group.type;
    for (uint32_t node : group.nodes)
      added.members.push_back(service.nodes[node].name);
    llvm::append_range(added.members, group.groups);
    added.properties = makeColumns(group.properties);
    added.range = group.range;
  }
}

std::unique_ptr<ir::Graph> toscac::expand(const sema::CheckedProgram &program,
                                          ArrayRef<ir::InputValue> inputs,
                                          const ExpandOptions &options,
                                          NameTable &names,
                                          DiagnosticEngine &diags) {
  size_t errorsBefore = diags.numErrors();
  auto graph = std::make_unique<ir::Graph>();
  graph->types = program.types;
  graph->machines = program.machines;
  graph->artifacts = program.artifacts;
  Expansion expansion(program, options, names, diags, *graph);
  const sema::Service &service = program.services.front();
  if (!addScope(expansion, service, std::nullopt,
                inputsInOrder(service, inputs)))
    return nullptr;
  for (uint32_t scope = 0; scope < graph->scopes.size(); ++scope)
    if (!fulfilRequirements(expansion, {scope}))
      return nullptr;
  graph->linkIncoming();
  fillValues(expansion);
  addInputs(expansion);
  addOutputs(expansion);
  addGroups(expansion);
  dropUnset(*graph);
  graph->linkClasses();
  if (diags.numErrors() > errorsBefore)
    return nullptr;
  return graph;
}
