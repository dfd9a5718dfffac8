//===- Values.cpp - Properties and attributes, evaluated once -------------===//
///
/// \file
/// A value is evaluated when it is first asked for, in the context of its own
/// instance; one that is the same for all instances of a class once for all.
/// The chain of evaluations in progress shows a cycle when a value is asked for
/// that is already in it.
///
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "GraphEnvironment.h"
#include "Substitute.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Value/CheckValue.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

/// In place of a value that nobody has asked for yet.
static const Expr notEvaluated = Expr::variable(Name());
/// In place of a value after a report.
static const Expr broken = Expr::variable(Name());

std::vector<ir::ValueColumn>
expanding::makeColumns(ArrayRef<sema::Assignment> assignments) {
  std::vector<ir::ValueColumn> columns;
  for (const sema::Assignment &assignment : assignments) {
    ir::ValueColumn &column = columns.emplace_back();
    column.name = assignment.name;
    column.type = assignment.type->kind;
    column.sensitive = assignment.sensitive;
    bool isKnown = assignment.each.empty() &&
                   (!assignment.value || assignment.value->isLiteral());
    column.values.setAll(isKnown ? assignment.value : &notEvaluated);
  }
  return columns;
}

std::optional<ValueSlot>
expanding::findSlot(std::vector<ir::ValueColumn> &columns,
                    ArrayRef<sema::Assignment> assignments, Name name,
                    const Place &place, uint32_t row, uint32_t numRows) {
  for (auto [i, assignment] : llvm::enumerate(assignments))
    if (assignment.name == name) {
      bool exists = i < columns.size() && row != none;
      return ValueSlot{exists ? &columns[i] : nullptr, &assignment, place, row,
                       numRows};
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What is the same for all instances
//===----------------------------------------------------------------------===//

static bool anyVaries(Expansion &expansion, ArrayRef<Expr> exprs,
                      uint32_t nodeClass, uint32_t relationshipClass) {
  return llvm::any_of(exprs, [&](const Expr &expr) {
    return varies(expansion, expr, nodeClass, relationshipClass);
  });
}

static bool assignmentVaries(Expansion &expansion,
                             ArrayRef<sema::Assignment> assignments, Name name,
                             uint32_t nodeClass, uint32_t relationshipClass) {
  for (const sema::Assignment &assignment : assignments) {
    if (assignment.name != name)
      continue;
    if (!assignment.each.empty())
      return true;
    if (!assignment.value || assignment.value->isLiteral())
      return false;
    // One that depends on itself is an error in whatever way it is evaluated.
    auto [memo, isNew] = expansion.variesMemo.try_emplace(&assignment, false);
    if (isNew) {
      bool result =
          varies(expansion, *assignment.value, nodeClass, relationshipClass);
      expansion.variesMemo[&assignment] = result;
      return result;
    }
    return memo->second;
  }
  return false;
}

/// Whether what a path leads to depends on where it starts.
static bool pathVaries(Expansion &expansion, const Expr &query,
                       uint32_t nodeClass, uint32_t relationshipClass) {
  ir::Reference reference;
  bool isRelationship = relationshipClass != none;
  ir::EntityKind self =
      isRelationship ? ir::EntityKind::Relationship : ir::EntityKind::Node;
  if (anyVaries(expansion, query.children(), nodeClass, relationshipClass) ||
      !ir::readReference(query.children(), self, expansion.names, reference) ||
      reference.variable)
    return true;
  if (!reference.steps.empty())
    return reference.steps.front().kind != ir::PathStep::Kind::Node;
  if (reference.name.str() == "node_index")
    return true;
  const sema::NodeTemplate &written = *expansion.templates[nodeClass];
  if (reference.place == ir::Reference::Place::Capability) {
    for (const sema::Capability &capability : written.capabilities)
      if (capability.name == reference.part)
        return assignmentVaries(expansion, capability.properties,
                                reference.name, nodeClass, none);
    return false;
  }
  if (reference.place == ir::Reference::Place::TargetCapability)
    return true;
  ArrayRef<sema::Assignment> properties = written.properties;
  if (isRelationship)
    properties =
        expansion.requirements[relationshipClass]->relationship.properties;
  return assignmentVaries(expansion, properties, reference.name, nodeClass,
                          relationshipClass);
}

bool expanding::varies(Expansion &expansion, const Expr &expr,
                       uint32_t nodeClass, uint32_t relationshipClass) {
  if (expr.isLiteral())
    return false;
  if (expr.is(ExprKind::Variable))
    return false;
  if (!expr.isCall() || expr.function() == Function::Custom)
    return anyVaries(expansion, expr.children(), nodeClass, relationshipClass);
  switch (expr.function()) {
  case Function::NodeIndex:
  case Function::RelationshipIndex:
  case Function::AvailableAllocation:
    return true;
  case Function::GetProperty:
  case Function::GetAttribute:
    return pathVaries(expansion, expr, nodeClass, relationshipClass);
  default:
    return anyVaries(expansion, expr.children(), nodeClass, relationshipClass);
  }
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// `web[0].port`
static std::string valueName(const Expansion &expansion, const Place &place,
                             const sema::Assignment &assignment) {
  return expansion.nameOf(place) + "." + assignment.name.str().str();
}

namespace {

class SlotEvaluation {
public:
  SlotEvaluation(Expansion &expansion, const ValueSlot &slot, unsigned depth)
      : expansion(expansion), slot(slot), depth(depth) {}

  const Expr *run();

private:
  const Expr *finish(Evaluation result);
  const Expr *check(Value value);
  bool reportCycle();
  std::string name() const {
    return valueName(expansion, slot.place, *slot.assignment);
  }

  Expansion &expansion;
  const ValueSlot &slot;
  unsigned depth;
};

} // namespace

/// If the value is being evaluated already, shows the way back to it.
bool SlotEvaluation::reportCycle() {
  auto same = [&](const Pending &pending) {
    return pending.column == &slot.column->values &&
           (pending.row == slot.row || pending.row == none);
  };
  auto first = llvm::find_if(expansion.evaluating, same);
  if (first == expansion.evaluating.end())
    return false;
  std::string cycle;
  for (auto step = first; step != expansion.evaluating.end(); ++step)
    cycle += valueName(expansion, step->place, *step->assignment) + " -> ";
  expansion.diags.report(slot.assignment->range, diag::CyclicValue, name(),
                         cycle + name());
  return true;
}

/// Values that were written are of their type; others are compared with it
/// here.
const Expr *SlotEvaluation::check(Value value) {
  const sema::Assignment &assignment = *slot.assignment;
  GraphEnvironment environment(expansion, slot.place, depth);
  std::optional<Value> converted =
      checkValue(value, *assignment.type, environment, expansion.arena(),
                 [&](ArrayRef<PathStep>, Problem problem) {
                   auto report = toscac::report(expansion.diags, problem,
                                                assignment.range);
                   report.note(assignment.range, diag::ValueOfInstance, name(),
                               toText(value));
                 });
  if (!converted)
    return &broken;
  // Neighbours often have the same.
  const Expr *before = slot.column && slot.row > 0
                           ? slot.column->values.at(slot.row - 1)
                           : nullptr;
  if (before && before->isLiteral() && before->value() == *converted)
    return before;
  return expansion.arena().make(Expr::literal(*converted, assignment.range));
}

const Expr *SlotEvaluation::finish(Evaluation result) {
  const sema::Assignment &assignment = *slot.assignment;
  switch (result.state()) {
  case Evaluation::State::Known:
    return check(result.value());
  case Evaluation::State::Unknown:
    if (expansion.blockedOn)
      return &notEvaluated;
    expansion.rememberSecret(result.residual());
    return result.residual();
  case Evaluation::State::Nothing:
    if (!assignment.required)
      return nullptr;
    expansion.diags.report(assignment.range, diag::ValueMissing, name());
    return &broken;
  case Evaluation::State::Failed:
    break;
  }
  auto report =
      toscac::report(expansion.diags, result.problem(), assignment.range);
  if (slot.place.kind != ir::EntityKind::Service)
    report.note(assignment.range, diag::WhileEvaluating, name());
  return &broken;
}

const Expr *SlotEvaluation::run() {
  const sema::Assignment &assignment = *slot.assignment;
  if (slot.column && reportCycle())
    return &broken;
  bool isRelationship = slot.place.kind == ir::EntityKind::Relationship;
  bool differs =
      varies(expansion, *assignment.value,
             expansion.graph.classOfNode[slot.place.node.index].index,
             isRelationship ? slot.place.relationshipClass : none);
  if (slot.column)
    expansion.evaluating.push_back({&slot.column->values,
                                    differs ? slot.row : none, slot.place,
                                    &assignment});
  GraphEnvironment environment(expansion, slot.place, depth);
  const Expr *value =
      finish(evaluate(*assignment.value, environment, expansion.arena()));
  if (!slot.column)
    return value;
  expansion.evaluating.pop_back();
  if (value == &notEvaluated)
    return value;
  // One report is enough for all instances.
  if (differs && value != &broken)
    slot.column->values.set(slot.row, value, slot.numRows);
  else
    slot.column->values.setAll(value);
  return value;
}

/// The value of an instance that was written by itself.
static const Expr *takeOwn(Expansion &expansion, const ValueSlot &slot) {
  ArrayRef<const Expr *> each = slot.assignment->each;
  const ir::Graph &graph = expansion.graph;
  ir::NodeId node = slot.place.node;
  uint32_t position = graph.indexOfNode[node.index];
  if (expansion.continued) {
    uint32_t nodeClass = graph.classOfNode[node.index].index;
    position = expansion.continued->positionOf(
        nodeClass, node.index - graph.nodeClasses[nodeClass].nodes.first);
  }
  const Expr *value =
      position < each.size() ? each[position] : slot.assignment->value;
  if (slot.column)
    slot.column->values.set(slot.row, value, slot.numRows);
  return value;
}

const Expr *expanding::evaluateSlot(Expansion &expansion, const ValueSlot &slot,
                                    unsigned depth) {
  if (slot.column && slot.column->values.at(slot.row) != &notEvaluated)
    return slot.column->values.at(slot.row);
  if (!slot.assignment->value && slot.assignment->each.empty())
    return nullptr;
  if (!slot.assignment->each.empty())
    return takeOwn(expansion, slot);
  return SlotEvaluation(expansion, slot, depth).run();
}

/// Evaluates all rows of \p columns; where they turn out to be the same,
/// they share it.
static void fillColumns(Expansion &expansion,
                        std::vector<ir::ValueColumn> &columns,
                        ArrayRef<sema::Assignment> assignments,
                        uint32_t numRows,
                        llvm::function_ref<Place(uint32_t)> placeOf) {
  for (auto [column, assignment] : llvm::zip(columns, assignments)) {
    ir::Column &values = column.values;
    for (uint32_t row = 0; row < numRows; ++row)
      if (values.at(row) == &notEvaluated)
        evaluateSlot(expansion,
                     {&column, &assignment, placeOf(row), row, numRows}, 0);
    const Expr *first = numRows ? values.at(0) : nullptr;
    if (assignment.sensitive && first && first->isLiteral())
      expansion.diags.report(assignment.range, diag::ExposedSecret,
                             valueName(expansion, placeOf(0), assignment));
    bool same = true;
    for (uint32_t row = 1; row < numRows && same; ++row)
      same = values.at(row) == first;
    if (same)
      values.setAll(first == &broken ? nullptr : first);
  }
}

static void dropUnsetColumns(std::vector<ir::ValueColumn> &properties) {
  llvm::erase_if(properties, [](const ir::ValueColumn &column) {
    return column.values.isShared() && !column.values.at(0);
  });
}

void expanding::fillValues(Expansion &expansion) {
  ir::Graph &graph = expansion.graph;
  for (auto [i, nodeClass] : llvm::enumerate(graph.nodeClasses)) {
    const sema::NodeTemplate &written = *expansion.templates[i];
    auto fill = [&, &own = nodeClass](std::vector<ir::ValueColumn> &columns,
                                      ArrayRef<sema::Assignment> assignments) {
      fillColumns(
          expansion, columns, assignments, own.nodes.count,
          [&](uint32_t row) { return expansion.placeOf(own.nodes[row]); });
    };
    fill(nodeClass.properties, written.properties);
    fill(nodeClass.attributes, written.attributes);
    for (auto [columns, capability] :
         llvm::zip(nodeClass.capabilities, written.capabilities)) {
      fill(columns.properties, capability.properties);
      fill(columns.attributes, capability.attributes);
    }
  }
  for (auto [i, own] : llvm::enumerate(graph.relationshipClasses)) {
    const sema::Relationship &written = expansion.requirements[i]->relationship;
    auto place = [&, relationshipClass = uint32_t(i),
                  first = own.relationships.first](uint32_t row) {
      ir::NodeId source = graph.source[first + row];
      uint32_t number =
          row - expansion.outgoing(relationshipClass, source).second;
      return expansion.placeOf(relationshipClass, source, number,
                               graph.indexOfRelationship[first + row]);
    };
    fillColumns(expansion, own.properties, written.properties,
                own.relationships.count, place);
    fillColumns(expansion, own.attributes, written.attributes,
                own.relationships.count, place);
  }
}

void expanding::dropUnset(ir::Graph &graph, NameTable &) {
  for (ir::NodeClass &nodeClass : graph.nodeClasses) {
    dropUnsetColumns(nodeClass.properties);
    for (ir::CapabilityColumns &capability : nodeClass.capabilities)
      dropUnsetColumns(capability.properties);
  }
  for (ir::RelationshipClass &own : graph.relationshipClasses)
    dropUnsetColumns(own.properties);
}
