//===- GraphEnvironment.cpp - Expressions over a growing graph ------------===//
///
/// \file
/// Inputs and properties are known, or are evaluated when they are asked for.
/// Attributes belong to the run: a query for one stays as it is, and with it
/// what depends on it. Paths in what stays are relative to the same entity.
///
//===----------------------------------------------------------------------===//

#include "GraphEnvironment.h"

#include "Values.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using ir::Reference;
using llvm::ArrayRef;

Evaluation expanding::evaluateAt(Expansion &expansion, const Expr &expr,
                                 const Place &place) {
  expansion.blockedOn.reset();
  expansion.secret.reset();
  GraphEnvironment environment(expansion, place);
  return evaluate(expr, environment, expansion.arena());
}

/// Whether \p steps, indices of one instance, ask for the only entry of
/// something that is no list: a single value where there is one instance.
static bool isSingleValue(const Value &value, ArrayRef<Value> steps) {
  return !steps.empty() && steps.front().isInteger() &&
         steps.front().asInteger() == 0 && !value.isList() &&
         !(value.isMap() && value.find(steps.front()));
}

/// What is wrong if the first of \p steps is beyond the end of the list, which
/// is where it is to be longer.
static std::optional<Problem> checkListLength(const Expr &list,
                                              ArrayRef<Value> steps,
                                              llvm::StringRef input,
                                              const std::string &instance) {
  const Value &value = list.value();
  if (!value.isList() || steps.empty() || !steps.front().isInteger())
    return std::nullopt;
  int64_t index = steps.front().asInteger();
  if (index < 0 || static_cast<size_t>(index) < value.items().size())
    return std::nullopt;
  return problem(list.range(), diag::InputListTooShort, input,
                 std::to_string(value.items().size()), instance,
                 std::to_string(index));
}

Evaluation GraphEnvironment::input(const Query &query) {
  SubgraphState &subgraph = expansion.subgraphs[self.subgraph.index];
  llvm::StringRef name = query.arguments.front().asString();
  auto definition =
      llvm::find_if(subgraph.service->inputs, [&](const auto &definition) {
        return definition.name.str() == name;
      });
  if (definition == subgraph.service->inputs.end())
    return Evaluation::unknown();
  const Expr *value =
      subgraph.inputs[definition - subgraph.service->inputs.begin()];
  if (isSecret(self.subgraph, *definition, value)) {
    expansion.secret = definition->name;
    return Evaluation::unknown();
  }
  if (!value)
    return Evaluation::nothing();
  if (!value->isLiteral()) {
    expansion.recallSecret(value);
    return Evaluation::unknown();
  }
  ArrayRef<Value> steps = query.arguments.drop_front();
  if (isSingleValue(value->value(), steps))
    steps = steps.drop_front();
  if (auto tooShort =
          checkListLength(*value, steps, name, expansion.nameOf(self)))
    return std::move(*tooShort);
  return select(value->value(), steps, query.call.range());
}

/// Whether some step leads to all of its kind, so that the answer is a list.
static bool leadsToAll(const Reference &reference) {
  using Kind = ir::PathStep::Kind;
  return llvm::any_of(reference.steps, [](const ir::PathStep &step) {
    return !step.index && step.kind != Kind::Source &&
           step.kind != Kind::Target && step.kind != Kind::Service;
  });
}

Evaluation GraphEnvironment::follow(const Query &query, Ask ask) {
  Reference reference;
  if (!ir::readReference(query.arguments, self.kind, expansion.names,
                         reference))
    return Evaluation::nothing();
  if (reference.element)
    return Evaluation::unknown();
  llvm::SmallVector<Place, 1> ends;
  if (!walkPath(expansion, self, reference.steps,
                [&](const Place &place) { ends.push_back(place); }))
    return Evaluation::unknown();
  llvm::SmallVector<Value> values;
  for (const Place &end : ends) {
    Evaluation answer = ask(end, reference);
    if (answer.isKnown())
      answer =
          select(answer.value(), query.arguments.drop_front(reference.firstKey),
                 query.call.range());
    if (answer.isUnknown() || answer.isFailed())
      return answer;
    if (answer.isKnown())
      values.push_back(answer.value());
  }
  if (leadsToAll(reference))
    return query.arena.list(values);
  return values.empty() ? Evaluation::nothing() : Evaluation(values.front());
}

/// Where the value that \p reference names at \p place is kept; nothing if
/// there is none of that name or the relationship has no columns yet.
static std::optional<LazyValue> findProperty(Expansion &expansion,
                                             const Place &place,
                                             const Reference &reference) {
  ir::Graph &graph = expansion.graph;
  if (place.kind == ir::EntityKind::Relationship &&
      reference.place == Reference::Place::Entity) {
    const sema::Requirement &requirement =
        *expansion.requirements[place.relationshipClass];
    ir::RelationshipClass &own =
        graph.relationshipClasses[place.relationshipClass];
    return findLazy(own.properties, requirement.relationship.properties,
                    reference.name, place, place.row, own.relationships.count);
  }
  bool atTarget = reference.place == Reference::Place::TargetCapability;
  ir::NodeId node = atTarget ? place.target : place.node;
  if (node.index == none)
    return std::nullopt;
  uint32_t classIndex = graph.classOfNode[node.index].index;
  ir::NodeClass &own = graph.nodeClasses[classIndex];
  const sema::NodeTemplate &written = *expansion.templates[classIndex];
  Place owner = expansion.placeOf(node);
  if (reference.place == Reference::Place::Entity)
    return findLazy(own.properties, written.properties, reference.name, owner,
                    graph.row(node), own.nodes.count);
  for (auto [i, capability] : llvm::enumerate(own.capabilities))
    if (atTarget ? i == place.capability : capability.name == reference.part)
      return findLazy(capability.properties, written.capabilities[i].properties,
                      reference.name, owner, graph.row(node), own.nodes.count);
  return std::nullopt;
}

Evaluation GraphEnvironment::propertyAt(const Place &place,
                                        const Reference &reference) {
  std::optional<LazyValue> lazy = findProperty(expansion, place, reference);
  if (!lazy)
    return Evaluation::nothing();
  const Expr *value = evaluateLazy(expansion, *lazy, depth);
  if (!value)
    return Evaluation::nothing();
  if (value->isLiteral())
    return value->value();
  expansion.recallSecret(value);
  return Evaluation::unknown();
}

/// Whether \p place has an attribute of that name, as opposed to a property
/// that is reflected as one.
static bool hasAttribute(Expansion &expansion, const Place &place,
                         const Reference &reference) {
  auto among = [&](llvm::ArrayRef<sema::Assignment> attributes) {
    return llvm::any_of(attributes, [&](const sema::Assignment &attribute) {
      return attribute.name == reference.name;
    });
  };
  bool isRelationship = place.kind == ir::EntityKind::Relationship;
  if (isRelationship && reference.place == Reference::Place::Entity)
    return among(expansion.requirements[place.relationshipClass]
                     ->relationship.attributes);
  ir::NodeId node = isRelationship ? place.target : place.node;
  if (node.index == none)
    return true;
  const sema::NodeTemplate &written =
      *expansion.templates[expansion.graph.classOfNode[node.index].index];
  if (reference.place == Reference::Place::Entity)
    return among(written.attributes);
  for (auto [i, capability] : llvm::enumerate(written.capabilities))
    if (isRelationship ? i == place.capability
                       : capability.name == reference.part)
      return among(capability.attributes);
  return false;
}

/// What is recorded of a node that was selected.
static Evaluation recordedAt(Expansion &expansion, ir::NodeId node,
                             const Reference &reference) {
  const ir::Graph &graph = expansion.graph;
  const ir::NodeClass &own = graph.classOf(node);
  const Expr *value = nullptr;
  if (reference.place == Reference::Place::Entity) {
    for (const ir::ValueColumn &column : own.attributes)
      if (column.name == reference.name)
        value = column.values.at(graph.row(node));
  } else if (reference.place == Reference::Place::Interface) {
    for (const ir::MachineSlot &slot : own.machines) {
      const ir::Machine &machine = graph.machines[slot.machine.index];
      for (auto [cell, column] : llvm::zip(machine.cells, slot.cells))
        if (machine.interface == reference.part && cell.name == reference.name)
          value = column.at(graph.row(node));
    }
  }
  return value && value->isLiteral() ? Evaluation(value->value())
                                     : Evaluation::nothing();
}

Evaluation GraphEnvironment::attributeAt(const Place &place,
                                         const Reference &reference) {
  bool isSelected =
      place.kind == ir::EntityKind::Node &&
      expansion.isSelected[expansion.graph.classOfNode[place.node.index].index];
  if (isSelected && (reference.place == Reference::Place::Interface ||
                     hasAttribute(expansion, place, reference)))
    return recordedAt(expansion, place.node, reference);
  if (place.kind == ir::EntityKind::Service ||
      reference.place == Reference::Place::Interface ||
      hasAttribute(expansion, place, reference))
    return Evaluation::unknown();
  if (place.kind == ir::EntityKind::Node &&
      reference.place == Reference::Place::Entity &&
      reference.name.str() == "node_index")
    return Value::integer(expansion.graph.indexOfNode[place.node.index]);
  return propertyAt(place, reference);
}

Evaluation GraphEnvironment::property(const Query &query) {
  return follow(query, [&](const Place &place, const Reference &reference) {
    return propertyAt(place, reference);
  });
}

Evaluation GraphEnvironment::attribute(const Query &query) {
  return follow(query, [&](const Place &place, const Reference &reference) {
    return attributeAt(place, reference);
  });
}

Evaluation GraphEnvironment::artifact(const Query &query) {
  return follow(query, [&](const Place &place, const Reference &reference) {
    if (place.kind != ir::EntityKind::Node)
      return Evaluation::nothing();
    uint32_t own = expansion.graph.classOfNode[place.node.index].index;
    for (auto [name, id] : expansion.templates[own]->artifacts)
      if (name == reference.name)
        return Evaluation(
            Value::string(expansion.program.artifacts[id.index].file));
    return Evaluation::nothing();
  });
}

/// What relationships have left of a property, or all of it.
Evaluation GraphEnvironment::availableAllocation(const Query &query) {
  return follow(query, [&](const Place &place, const Reference &reference) {
    bool atTarget = place.kind == ir::EntityKind::Relationship;
    ir::NodeId node = atTarget ? place.target : place.node;
    if (node.index == none)
      return Evaluation::unknown();
    const ir::NodeClass &own = expansion.graph.classOf(node);
    for (auto [i, capability] : llvm::enumerate(own.capabilities))
      if (atTarget ? i == place.capability : capability.name == reference.part)
        for (const ir::ValueColumn &remaining : capability.remaining)
          if (remaining.name == reference.name)
            return Evaluation(
                remaining.values.at(expansion.graph.row(node))->value());
    return propertyAt(place, reference);
  });
}

Evaluation GraphEnvironment::nodeIndex(const Query &) {
  if (self.kind == ir::EntityKind::Service)
    return Evaluation::unknown();
  return Value::integer(expansion.graph.indexOfNode[self.node.index]);
}

Evaluation GraphEnvironment::relationshipIndex(const Query &) {
  if (self.kind != ir::EntityKind::Relationship)
    return Evaluation::unknown();
  return Value::integer(self.index);
}
