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
#include "toscac/Basic/CsrGraph.h"
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

std::optional<LazyValue>
expanding::findLazy(std::vector<ir::ValueColumn> &columns,
                    ArrayRef<sema::Assignment> assignments, Name name,
                    const Place &place, uint32_t row, uint32_t numRows) {
  for (auto [i, assignment] : llvm::enumerate(assignments))
    if (assignment.name == name) {
      bool exists = i < columns.size() && row != none;
      return LazyValue{exists ? &columns[i] : nullptr, &assignment, place, row,
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

class LazyEvaluation {
public:
  LazyEvaluation(Expansion &expansion, const LazyValue &lazy, unsigned depth)
      : expansion(expansion), lazy(lazy), depth(depth) {}

  const Expr *run();

private:
  const Expr *finish(Evaluation result);
  const Expr *check(Value value);
  bool reportCycle();
  std::string name() const {
    return valueName(expansion, lazy.place, *lazy.assignment);
  }

  Expansion &expansion;
  const LazyValue &lazy;
  unsigned depth;
};

} // namespace

/// If the value is being evaluated already, shows the way back to it.
bool LazyEvaluation::reportCycle() {
  auto same = [&](const Pending &pending) {
    return pending.column == &lazy.column->values &&
           (pending.row == lazy.row || pending.row == none);
  };
  auto first = llvm::find_if(expansion.evaluating, same);
  if (first == expansion.evaluating.end())
    return false;
  std::vector<std::string> names;
  for (auto step = first; step != expansion.evaluating.end(); ++step)
    names.push_back(valueName(expansion, step->place, *step->assignment));
  expansion.diags.report(lazy.assignment->range, diag::CyclicValue, name(),
                         describeCycle(names));
  return true;
}

/// Values that were written are of their type; others are compared with it
/// here.
const Expr *LazyEvaluation::check(Value value) {
  const sema::Assignment &assignment = *lazy.assignment;
  GraphEnvironment environment(expansion, lazy.place, depth);
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
  const Expr *before = lazy.column && lazy.row > 0
                           ? lazy.column->values.at(lazy.row - 1)
                           : nullptr;
  if (before && before->isLiteral() && before->value() == *converted)
    return before;
  return expansion.arena().make(Expr::literal(*converted, assignment.range));
}

const Expr *LazyEvaluation::finish(Evaluation result) {
  const sema::Assignment &assignment = *lazy.assignment;
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
  // What is recorded of it will be restored.
  if (lazy.place.kind != ir::EntityKind::Service &&
      isLeaving(expansion, lazy.place.node))
    return nullptr;
  auto report =
      toscac::report(expansion.diags, result.problem(), assignment.range);
  if (lazy.place.kind != ir::EntityKind::Service)
    report.note(assignment.range, diag::WhileEvaluating, name());
  if (lazy.place.kind == ir::EntityKind::Node && isScaled(expansion) &&
      result.problem().id == diag::InputListTooShort.id) {
    uint32_t nodeClass =
        expansion.graph.classOfNode[lazy.place.node.index].index;
    report.note({}, diag::UpdateWithMore,
                countToSay(expansion, nodeClass,
                           expansion.graph.nodeClasses[nodeClass].nodes.count));
  }
  return &broken;
}

const Expr *LazyEvaluation::run() {
  const sema::Assignment &assignment = *lazy.assignment;
  if (lazy.column && reportCycle())
    return &broken;
  bool isRelationship = lazy.place.kind == ir::EntityKind::Relationship;
  bool differs =
      varies(expansion, *assignment.value,
             expansion.graph.classOfNode[lazy.place.node.index].index,
             isRelationship ? lazy.place.relationshipClass : none);
  if (lazy.column)
    expansion.evaluating.push_back({&lazy.column->values,
                                    differs ? lazy.row : none, lazy.place,
                                    &assignment});
  GraphEnvironment environment(expansion, lazy.place, depth);
  const Expr *value =
      finish(evaluate(*assignment.value, environment, expansion.arena()));
  if (!lazy.column)
    return value;
  expansion.evaluating.pop_back();
  if (value == &notEvaluated)
    return value;
  // One report is enough for all instances.
  if (differs && value != &broken)
    lazy.column->values.set(lazy.row, value, lazy.numRows);
  else
    lazy.column->values.setAll(value);
  return value;
}

/// The value of an instance that was written by itself.
static const Expr *takeOwn(Expansion &expansion, const LazyValue &lazy) {
  ArrayRef<const Expr *> each = lazy.assignment->each;
  const ir::Graph &graph = expansion.graph;
  ir::NodeId node = lazy.place.node;
  uint32_t position = expansion.existing ? positionOf(expansion, node)
                                         : graph.indexOfNode[node.index];
  const Expr *value =
      position < each.size() ? each[position] : lazy.assignment->value;
  if (lazy.column)
    lazy.column->values.set(lazy.row, value, lazy.numRows);
  return value;
}

const Expr *expanding::evaluateLazy(Expansion &expansion, const LazyValue &lazy,
                                    unsigned depth) {
  if (lazy.column && lazy.column->values.at(lazy.row) != &notEvaluated)
    return lazy.column->values.at(lazy.row);
  if (!lazy.assignment->value && lazy.assignment->each.empty())
    return nullptr;
  if (!lazy.assignment->each.empty())
    return takeOwn(expansion, lazy);
  return LazyEvaluation(expansion, lazy, depth).run();
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
        evaluateLazy(expansion,
                     {&column, &assignment, placeOf(row), row, numRows}, 0);
    const Expr *first = numRows ? values.at(0) : nullptr;
    if (assignment.sensitive && first && first->isLiteral()) {
      expansion.diags.hide(assignment.range);
      expansion.diags
          .report(assignment.range, diag::ExposedSecret,
                  valueName(expansion, placeOf(0), assignment))
          .discreet();
    }
    bool same = true;
    for (uint32_t row = 1; row < numRows && same; ++row)
      same = values.at(row) == first;
    if (same)
      values.setAll(first == &broken ? nullptr : first);
  }
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
