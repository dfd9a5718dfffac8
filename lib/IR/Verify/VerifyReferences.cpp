//===- VerifyReferences.cpp - What machines refer to ----------------------===//
///
/// \file
/// Values of cells against their domains; cells that expressions read and
/// operations that triggers send to, over classes. Where a path leads to
/// several classes, one that has the cell or operation is enough; where it
/// leads nowhere, nothing is read or sent. Paths are read once per machine.
///
//===----------------------------------------------------------------------===//

#include "Print/WriteExpr.h"
#include "Verifier.h"
#include "toscac/IR/ClassGraph.h"
#include "toscac/IR/ResolvePath.h"
#include "toscac/Value/Functions.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// A cell or operation that a machine refers to.
struct Target {
  llvm::SmallVector<PathStep, 4> steps;
  Name interface;
  /// Of a cell or an operation.
  Name name;
  bool isOperation;
  SourceRange range;
};

/// Collects what one machine refers to, from an entity of one kind.
class TargetCollector {
public:
  TargetCollector(EntityKind self, NameTable &names, DiagnosticEngine &diags,
                  std::vector<Target> &targets)
      : self(self), names(names), diags(diags), targets(targets) {}

  void add(const Machine &machine);
  void add(const Expr *expr) {
    if (expr)
      walk(*expr);
  }

private:
  void add(const Operation &operation);
  void add(const Trigger &trigger);
  void add(ArrayRef<ir::Argument> arguments) {
    for (const ir::Argument &argument : arguments)
      add(argument.value);
  }
  void walk(const Expr &expr);
  void walkLoop(const Expr &expr);
  void readQuery(const Expr &call);
  bool verifyCall(const Expr &call);

  /// A variable of a loop: where its elements are found.
  struct Variable {
    Name name;
    llvm::SmallVector<PathStep, 4> steps;
    EntityKind kind;
  };
  const Variable *find(const Expr &word) const;

  EntityKind self;
  NameTable &names;
  DiagnosticEngine &diags;
  std::vector<Target> &targets;
  std::vector<Variable> variables;
};

} // namespace

void TargetCollector::add(const Machine &machine) {
  for (const Operation &operation : machine.operations)
    add(operation);
  for (const Trigger &rule : machine.rules)
    add(rule);
  for (const Promise &promise : machine.promises)
    add(promise.condition);
}

void TargetCollector::add(const Operation &operation) {
  add(operation.precondition);
  add(operation.inputs);
  for (const Handler &handler : operation.handlers)
    add(handler.inputs);
  for (const Reaction *reaction :
       {&operation.entry, &operation.success, &operation.failure}) {
    for (const Set &set : reaction->sets)
      add(set.value);
    for (const Trigger &trigger : reaction->triggers)
      add(trigger);
  }
}

void TargetCollector::add(const Trigger &trigger) {
  add(trigger.condition);
  add(trigger.inputs);
  targets.push_back({llvm::SmallVector<PathStep, 4>(trigger.receiver.steps),
                     trigger.interface, trigger.operation,
                     /*isOperation=*/true, trigger.range});
}

const TargetCollector::Variable *TargetCollector::find(const Expr &word) const {
  for (const Variable &variable : llvm::reverse(variables))
    if (word.is(ExprKind::Variable) && variable.name == word.name())
      return &variable;
  return nullptr;
}

/// The number of arguments; types are Sema's to check.
bool TargetCollector::verifyCall(const Expr &call) {
  if (call.function() == Function::Custom)
    return true;
  llvm::SmallVector<::toscac::Argument, 4> arguments;
  for (const Expr &child : call.children())
    arguments.push_back({&builtinType(TypeKind::Any), child.range()});
  auto wrong = checkCall(call.function(), call.range(), arguments);
  if (wrong)
    report(diags, *wrong, call.range());
  return !wrong;
}

void TargetCollector::walk(const Expr &expr) {
  if (expr.isCall() && !verifyCall(expr))
    return;
  if (isLoop(expr))
    return walkLoop(expr);
  if (expr.isCall(Function::GetAttribute) || expr.isCall(Function::GetProperty))
    readQuery(expr);
  for (const Expr &child : expr.children())
    walk(child);
}

void TargetCollector::readQuery(const Expr &call) {
  const Variable *variable = find(call.children().front());
  Reference reference;
  if (!readReference(call.children(), variable ? variable->kind : self, names,
                     reference) ||
      !reference.name) {
    diags.report(call.range(), diag::IrBadReference, call.functionName());
    return;
  }
  if (reference.place != Reference::Place::Interface)
    return;
  Target target{
      {}, reference.part, reference.name, /*isOperation=*/false, call.range()};
  // What starts at an element goes on where the elements were found.
  if (variable)
    target.steps = variable->steps;
  target.steps.append(reference.steps.begin(), reference.steps.end());
  targets.push_back(std::move(target));
}

void TargetCollector::walkLoop(const Expr &expr) {
  const Expr &path = expr.children()[1];
  walk(path);
  Reference reference;
  bool isPath = false;
  const Variable *start = nullptr;
  if (path.is(ExprKind::List)) {
    start = find(path.children().front());
    isPath = readReference(path.children(), start ? start->kind : self, names,
                           reference);
  } else if (path.isLiteral() && path.value().isList()) {
    isPath = readReference(path.value().items(), self, names, reference);
  }
  // Elements of a value are no entities: what is read there is unknown.
  bool leadsToEntities =
      isPath && !reference.name && reference.place == Reference::Place::Entity;
  if (!leadsToEntities)
    return;
  Variable variable{expr.children()[0].name(), {}, reference.end};
  if (start)
    variable.steps = start->steps;
  variable.steps.append(reference.steps.begin(), reference.steps.end());
  variables.push_back(std::move(variable));
  walk(expr.children()[2]);
  variables.pop_back();
}

namespace {

class ReferenceVerifier {
public:
  ReferenceVerifier(const Graph &graph, NameTable &names,
                    DiagnosticEngine &diags)
      : graph(graph), classes(graph), names(names), diags(diags) {}

  void verify();

private:
  void verifyDomains(const Machine &machine);
  void verifyValue(const Cell &cell, const Value &value, SourceRange range);
  void verifyClass(ClassRef ref, uint32_t rows, SourceRange range);
  void verifyCells(const MachineSlot &slot, const std::string &owner,
                   uint32_t rows, SourceRange range);
  void verifyTarget(ClassRef from, const Target &target);
  bool hasTarget(ClassRef ref, const Target &target) const;
  ArrayRef<Target> targetsOf(MachineId machine, EntityKind self);

  const Graph &graph;
  ClassGraph classes;
  NameTable &names;
  DiagnosticEngine &diags;
  /// By machine and the kind of entity that has it.
  llvm::DenseMap<std::pair<uint32_t, unsigned>, std::vector<Target>> targets;
};

} // namespace

void ReferenceVerifier::verifyValue(const Cell &cell, const Value &value,
                                    SourceRange range) {
  if (!cell.domain.empty() && !llvm::is_contained(cell.domain, value))
    diags.report(range, diag::IrOutsideDomain, toText(value), cell.name.str());
}

void ReferenceVerifier::verifyDomains(const Machine &machine) {
  for (const Cell &cell : machine.cells)
    verifyValue(cell, cell.initial, cell.range);
  for (const Operation &operation : machine.operations)
    for (const Reaction *reaction :
         {&operation.entry, &operation.success, &operation.failure})
      for (const Set &set : reaction->sets)
        if (set.value && set.value->isLiteral())
          verifyValue(machine.cells[set.cell], set.value->value(), set.range);
  for (const Intent &intent : machine.intents)
    verifyValue(machine.cells[intent.cell], intent.value, machine.range);
  for (llvm::ArrayRef<FailureMark> marks : {machine.failures, machine.health})
    for (const FailureMark &mark : marks)
      verifyValue(machine.cells[mark.cell], mark.value, machine.range);
}

bool ReferenceVerifier::hasTarget(ClassRef ref, const Target &target) const {
  auto isMeant = [&](const auto &item) { return item.name == target.name; };
  for (const MachineSlot &slot : classes.machinesOf(ref)) {
    const Machine &machine = graph.machines[slot.machine.index];
    if (machine.interface == target.interface)
      return target.isOperation ? llvm::any_of(machine.operations, isMeant)
                                : llvm::any_of(machine.cells, isMeant);
  }
  return false;
}

void ReferenceVerifier::verifyTarget(ClassRef from, const Target &target) {
  bool leadsSomewhere = false;
  bool found = !classes.forEachClass(from, target.steps, [&](ClassRef ref) {
    leadsSomewhere = true;
    return !hasTarget(ref, target);
  });
  if (found || !leadsSomewhere)
    return;
  StringRef interface = target.interface.str(), name = target.name.str();
  if (target.isOperation)
    diags.report(target.range, diag::IrUnknownReceiver, interface, name,
                 classes.describe(from));
  else
    diags.report(target.range, diag::IrUnknownCell, interface, name,
                 classes.describe(from));
}

ArrayRef<Target> ReferenceVerifier::targetsOf(MachineId machine,
                                              EntityKind self) {
  auto [entry, isNew] = targets.try_emplace(
      {machine.index, static_cast<unsigned>(self)}, std::vector<Target>());
  if (isNew)
    TargetCollector(self, names, diags, entry->second)
        .add(graph.machines[machine.index]);
  return entry->second;
}

void ReferenceVerifier::verifyCells(const MachineSlot &slot,
                                    const std::string &owner, uint32_t rows,
                                    SourceRange range) {
  const Machine &machine = graph.machines[slot.machine.index];
  for (auto [cell, column] : llvm::zip(machine.cells, slot.cells)) {
    // One value for all rows, or for some that follow one another, is looked
    // at once.
    uint32_t count = column.isShared() ? 1 : rows;
    for (uint32_t row = 0; row < count; ++row) {
      const Expr *value = column.at(row);
      if (row != 0 && value == column.at(row - 1))
        continue;
      if (value && value->isLiteral())
        verifyValue(cell, value->value(), range);
      else
        diags.report(range, diag::IrCellNotKnown, cell.name.str(), owner);
    }
  }
}

void ReferenceVerifier::verifyClass(ClassRef ref, uint32_t rows,
                                    SourceRange range) {
  for (const MachineSlot &slot : classes.machinesOf(ref)) {
    verifyCells(slot, classes.describe(ref), rows, range);
    for (const Target &target : targetsOf(slot.machine, ref.kind))
      verifyTarget(ref, target);
  }
}

void ReferenceVerifier::verify() {
  for (const Machine &machine : graph.machines)
    verifyDomains(machine);
  for (auto [i, nodeClass] : llvm::enumerate(graph.nodeClasses))
    verifyClass({EntityKind::Node, uint32_t(i)}, nodeClass.nodes.count,
                nodeClass.range);
  for (auto [i, requirement] : llvm::enumerate(graph.relationshipClasses))
    verifyClass({EntityKind::Relationship, uint32_t(i)},
                requirement.relationships.count, requirement.range);
  for (uint32_t i = 0; i < graph.subgraphs.size(); ++i)
    verifyClass({EntityKind::Service, i}, 1, {});
}

void ir::verifyReferences(const Graph &graph, NameTable &names,
                          DiagnosticEngine &diags) {
  ReferenceVerifier(graph, names, diags).verify();
}
