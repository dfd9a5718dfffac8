//===- Substitute.cpp - Services inside nodes -----------------------------===//
///
/// \file
/// The service inside a substituted node becomes a subgraph: its inputs come
/// from the node's properties, its outputs become the node's attributes
/// (TOSCA 2.0 chapter 15).
///
//===----------------------------------------------------------------------===//

#include "Substitute.h"

#include "Graph/GraphEnvironment.h"
#include "Graph/RebasePaths.h"
#include "Graph/Values.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Value/CheckValue.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// A value of the node as one of the input's type; null after a report.
static const Expr *checkInput(Expansion &expansion,
                              const sema::InputDefinition &input,
                              const sema::MappedValue &mapping, Value value) {
  Environment nothing;
  std::optional<Value> converted =
      checkValue(value, *input.type, nothing, expansion.arena(),
                 [&](ArrayRef<PathStep>, Problem problem) {
                   report(expansion.diags, problem, mapping.range)
                       .note(input.range, diag::DeclaredHere, input.name.str());
                 });
  return converted
             ? expansion.arena().make(Expr::literal(*converted, mapping.range))
             : nullptr;
}

/// False after a report. Leaves \p value null where the node has none.
static bool mapInput(Expansion &expansion, const sema::InputDefinition &input,
                     const sema::MappedValue &mapping, ir::NodeId node,
                     const Expr *&value) {
  Evaluation result =
      evaluateAt(expansion, *mapping.outer, expansion.placeOf(node));
  switch (result.state()) {
  case Evaluation::State::Known:
    value = checkInput(expansion, input, mapping, result.value());
    return value;
  case Evaluation::State::Unknown:
    value = result.residual();
    expansion.rememberSecret(value);
    return true;
  case Evaluation::State::Nothing:
    if (!input.required || input.defaultValue)
      return true;
    expansion.diags.report(mapping.range, diag::ValueMissing,
                           expansion.graph.nameOf(node) + "/" +
                               input.name.str().str());
    return false;
  case Evaluation::State::Failed:
    break;
  }
  report(expansion.diags, result.problem(), mapping.range);
  return false;
}

bool expanding::mapInputs(Expansion &expansion, const sema::Service &service,
                          ir::NodeId node, std::vector<const Expr *> &inputs) {
  bool complete = true;
  for (const sema::InputDefinition &input : service.inputs) {
    const Expr *&value = inputs.emplace_back();
    for (const sema::MappedValue &mapping : service.substitution->properties)
      if (mapping.inner == input.name)
        complete &= mapInput(expansion, input, mapping, node, value);
  }
  return complete;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static ir::ValueColumn *findColumn(std::vector<ir::ValueColumn> &columns,
                                   Name name) {
  for (ir::ValueColumn &column : columns)
    if (column.name == name)
      return &column;
  return nullptr;
}

/// The attribute of \p node or of one of its capabilities.
static ir::ValueColumn *findAttribute(ir::NodeClass &nodeClass,
                                      const ir::Reference &reference) {
  if (reference.place == ir::Reference::Place::Entity)
    return findColumn(nodeClass.attributes, reference.name);
  for (ir::CapabilityColumns &capability : nodeClass.capabilities)
    if (capability.name == reference.part)
      return findColumn(capability.attributes, reference.name);
  return nullptr;
}

/// Gives relationships of \p node an attribute: the one that a path means, or
/// each its part of a list.
static void setRelationships(Expansion &expansion, ir::NodeId node,
                             const ir::Reference &reference, const Expr &output,
                             const SubgraphState &inputs) {
  ir::Graph &graph = expansion.graph;
  const ir::PathStep &step = reference.steps.front();
  const Expr *value = rebasePaths(expansion.arena(), output,
                                  {"SOURCE", "INSIDE"}, &inputs, {"SOURCE"});
  for (ir::RelationshipClassId id : graph.classOf(node).relationships.ids()) {
    ir::RelationshipClass &own = graph.relationshipClasses[id.index];
    ir::ValueColumn *column = findColumn(own.attributes, reference.name);
    if (own.requirement != step.name || !column)
      continue;
    for (ir::RelationshipId each : graph.outgoing(node, own).ids()) {
      uint32_t index = graph.indexOfRelationship[each.index];
      uint32_t rows = own.relationships.count;
      if (step.index && ir::literalIndex(*step.index) == index)
        column->values.set(graph.row(each), value, rows);
      if (step.index)
        continue;
      Evaluation part = select(*value, Value::integer(index), output.range(),
                               expansion.arena());
      if (part.isFailed())
        report(expansion.diags, part.problem(), output.range());
      else if (part.isUnknown())
        column->values.set(graph.row(each), part.residual(), rows);
      else if (part.isKnown())
        column->values.set(graph.row(each),
                           expansion.arena().make(Expr::literal(part.value())),
                           rows);
    }
  }
}

void expanding::mapAttributes(Expansion &expansion, ir::SubgraphId subgraph) {
  ir::Graph &graph = expansion.graph;
  const SubgraphState &state = expansion.subgraphs[subgraph.index];
  ir::NodeId node = *graph.subgraphs[subgraph.index].substitutes;
  ir::NodeClass &nodeClass =
      graph.nodeClasses[graph.classOfNode[node.index].index];
  for (const sema::MappedValue &mapping :
       state.service->substitution->attributes) {
    ArrayRef<sema::OutputDefinition> outputs = state.service->outputs;
    const sema::OutputDefinition *output =
        llvm::find_if(outputs, [&](const sema::OutputDefinition &candidate) {
          return candidate.name == mapping.inner;
        });
    ir::Reference reference;
    if (output == outputs.end() || !output->value ||
        !ir::readReference(mapping.outer->children(), ir::EntityKind::Node,
                           expansion.names, reference))
      continue;
    const Expr *value =
        evaluateAtSubgraph(expansion, *output->value, subgraph, output->range);
    if (!value)
      continue;
    if (!reference.steps.empty()) {
      setRelationships(expansion, node, reference, *value, state);
      continue;
    }
    if (ir::ValueColumn *column = findAttribute(nodeClass, reference))
      column->values.set(
          graph.row(node),
          rebasePaths(expansion.arena(), *value, {"INSIDE"}, &state, {}),
          nodeClass.nodes.count);
  }
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static bool areSame(const Expr *a, const Expr *b) {
  if (!a || !b || !a->isLiteral() || !b->isLiteral())
    return a == b;
  return a->value() == b->value();
}

/// Whether \p service, with these inputs, is already around \p node, or too
/// many are.
static bool reportRecursion(Expansion &expansion, const sema::Service &service,
                            ArrayRef<const Expr *> inputs, ir::NodeId node) {
  const ir::Graph &graph = expansion.graph;
  std::string chain = ("'" + service.name.str() + "'").str();
  uint32_t depth = 0;
  std::optional<ir::NodeId> at = node;
  ir::NodeId around = node;
  bool isEndless = false;
  while (at && !isEndless) {
    ir::SubgraphId subgraph = graph.classOf(*at).subgraph;
    const SubgraphState &state = expansion.subgraphs[subgraph.index];
    isEndless = (state.service == &service &&
                 llvm::equal(state.inputs, inputs, areSame)) ||
                ++depth > expansion.options.maxNesting;
    if (depth <= 8)
      chain = llvm::formatv("'{0}' has '{1}' -> {2}", state.service->name.str(),
                            graph.classOf(*at).name.str(), chain);
    at = graph.subgraphs[subgraph.index].substitutes;
    around = at.value_or(around);
  }
  if (isEndless)
    expansion.diags.report(graph.classOf(node).range,
                           diag::RecursiveSubstitution, graph.nameOf(around),
                           chain);
  return isEndless;
}

static bool substitute(Expansion &expansion, const sema::Service &service,
                       ir::NodeId node) {
  std::vector<const Expr *> inputs;
  if (!mapInputs(expansion, service, node, inputs) ||
      reportRecursion(expansion, service, inputs, node))
    return false;
  MappedTargets targets = mapTargets(expansion, service, node);
  if (!addSubgraph(expansion,
                   {service, node, std::move(inputs), targets.selected}) ||
      !linkTargets(expansion, targets))
    return false;
  ir::Subgraph &subgraph = expansion.graph.subgraphs.back();
  const sema::Substitution &mappings = *service.substitution;
  for (auto [definition, value] :
       llvm::zip(service.inputs, expansion.subgraphs.back().inputs))
    if (value)
      subgraph.inputs.push_back({definition.name, value, definition.sensitive});
  for (const sema::MappedCapability &mapping : mappings.capabilities)
    subgraph.capabilities.push_back(
        {mapping.outer, service.nodes[mapping.node].name, mapping.inner});
  for (const sema::MappedOperation &mapping : mappings.operations)
    subgraph.operations.push_back(
        {mapping.interface, mapping.operation, mapping.workflow});
  return true;
}

bool expanding::substituteNodes(Expansion &expansion, ir::SubgraphId subgraph) {
  auto classes = expansion.graph.subgraphs[subgraph.index].classes;
  for (ir::NodeClassId id : classes.ids()) {
    ArrayRef<sema::Directive> directives =
        expansion.templates[id.index]->directives;
    if (expansion.isSelected[id.index] ||
        !llvm::is_contained(directives, sema::Directive::Substitute) ||
        directives.front() == sema::Directive::Create)
      continue;
    bool isOptional = llvm::is_contained(directives, sema::Directive::Create);
    auto nodes = expansion.graph.nodeClasses[id.index].nodes;
    size_t errors = expansion.diags.numErrors();
    for (ir::NodeId node : nodes.ids()) {
      const sema::Service *service = chooseService(expansion, node, isOptional);
      // What is wrong with one instance is mostly wrong with all.
      if (expansion.diags.numErrors() > errors ||
          (service && !substitute(expansion, *service, node)))
        return false;
    }
  }
  return true;
}
