//===- BuildMachine.cpp - Layers merged into one machine ------------------===//

#include "BuildMachine.h"

#include "MachineCells.h"
#include "ResolveEvent.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

SmallVector<const Entity *, 2>
sema::assignedOperations(ArrayRef<const Entity *> interfaces, Key key,
                         StringRef operation) {
  SmallVector<const Entity *, 2> result;
  // Operations in the old form are fields of their own.
  for (const Entity *interface : interfaces)
    for (const Field &field : interface->fields)
      if (field.key == key)
        for (const Entity &entity : field.entities)
          if (entity.name.str() == operation)
            result.push_back(&entity);
  return result;
}

namespace {

class MachineBuilder {
public:
  MachineBuilder(const EventScope &scope, ArrayRef<const Entity *> assignments)
      : scope(scope), program(scope.program), assignments(assignments) {}

  ir::Machine build();
  ir::Machine buildService();

private:
  ir::Operation buildOperation(Name name, SourceRange range,
                               ArrayRef<Layer> layers);
  void addReaction(const Layer &layer, const Entity &reaction);
  void addCells(const Layer &layer, const Node &cells);
  void addSet(const Layer &layer, const Node &name, const Node &value);
  ir::Reaction takeReaction();
  ir::Reaction buildReaction(ArrayRef<Layer> layers, Key key);
  const Expr *buildPrecondition(ArrayRef<Layer> layers);
  void addRules(const Layer &layer, SmallVector<ir::Trigger> &into);
  SmallVector<ir::Trigger> buildRules();

  template <typename T>
  ArrayRef<T> save(const SmallVector<T> &items) {
    return program.arena.save(ArrayRef<T>(items));
  }

  const EventScope &scope;
  Program &program;
  ArrayRef<const Entity *> assignments;
  SmallVector<ir::Cell> cells;
  /// The reaction at hand.
  SmallVector<ir::Set> sets;
  SmallVector<ir::Trigger> triggers;
};

} // namespace

/// What layers ask for is one conjunction, the first layer first.
const Expr *MachineBuilder::buildPrecondition(ArrayRef<Layer> layers) {
  SmallVector<Expr> parts;
  for (const Layer &layer : layers) {
    const Field *field = layer.entity->find(Key::Precondition);
    if (!field || !field->valid)
      continue;
    if (const Expr *part = bindCondition(scope, *layer.scope, *field->value))
      parts.push_back(*part);
  }
  if (parts.empty())
    return nullptr;
  if (parts.size() == 1)
    return program.arena.make(parts.front());
  // Parts that are conjunctions themselves are merged in.
  SmallVector<Expr> flat;
  for (const Expr &part : parts) {
    if (part.isCall(Function::And))
      llvm::append_range(flat, part.children());
    else
      flat.push_back(part);
  }
  return program.arena.make(
      Expr::call(Function::And, save(flat), parts.back().range()));
}

void MachineBuilder::addSet(const Layer &layer, const Node &name,
                            const Node &value) {
  auto cell = llvm::find_if(cells, [&](const ir::Cell &other) {
    return other.name.str() == name.text();
  });
  const Flat *definition =
      scope.interface ? scope.interface->member(Key::Attributes, name.text())
                      : nullptr;
  if (!definition) {
    SmallVector<StringRef> known;
    if (scope.interface)
      known = namesOf(scope.interface->members(Key::Attributes));
    program.diags.report(name.range(), diag::UnknownCell, name.text(),
                         describeInterface(scope.interface),
                         didYouMean(name.text(), known));
    return;
  }
  program.use(name.range(), definition);
  const Type &type = typeOf(program, *definition);
  bool listed =
      !cell->domain.empty() && value.isScalar() && !type.is(TypeKind::Record);
  const Expr *bound = bindValue(scope, *layer.scope, value,
                                listed ? builtinType(type.kind) : type);
  if (!bound || (listed && bound->isLiteral() &&
                 !checkInDomain(program, bound->value(), value.range(),
                                cell->domain, *definition)))
    return;
  ir::Set set{static_cast<uint32_t>(cell - cells.begin()), bound,
              value.range()};
  auto earlier = llvm::find_if(
      sets, [&](const ir::Set &other) { return other.cell == set.cell; });
  if (earlier == sets.end()) {
    sets.push_back(set);
    return;
  }
  bool same = bound->isLiteral() && earlier->value->isLiteral() &&
              bound->value() == earlier->value->value();
  if (!same)
    program.diags
        .report(value.range(), diag::ConflictingSet, name.text(),
                toText(*bound), toText(*earlier->value))
        .note(earlier->range, diag::SetHere, name.text());
}

/// A map of cells, or `[ cell, value ]`.
void MachineBuilder::addCells(const Layer &layer, const Node &written) {
  if (written.isSequence() && written.items().size() == 2)
    return addSet(layer, written.items()[0], written.items()[1]);
  if (written.isMapping())
    for (const Entry &entry : written.entries())
      addSet(layer, entry.key, entry.value);
}

void MachineBuilder::addReaction(const Layer &layer, const Entity &reaction) {
  for (const Field &field : reaction.fields) {
    if (!field.valid)
      continue;
    if (field.key == Key::Set)
      addCells(layer, *field.value);
    if (field.key == Key::Triggers)
      for (const Entity &trigger : field.entities)
        resolveTrigger(scope, layer, trigger, triggers);
  }
}

ir::Reaction MachineBuilder::takeReaction() {
  ir::Reaction result{save(sets), save(triggers)};
  sets.clear();
  triggers.clear();
  return result;
}

ir::Reaction MachineBuilder::buildReaction(ArrayRef<Layer> layers, Key key) {
  for (const Layer &layer : layers) {
    // `set_state` is what is set on entry.
    const Field *state = layer.entity->find(Key::SetState);
    if (key == Key::OnEntry && state && state->valid)
      addCells(layer, *state->value);
    for (const Entity &reaction : layer.entity->entities(key))
      addReaction(layer, reaction);
  }
  return takeReaction();
}

ir::Operation MachineBuilder::buildOperation(Name name, SourceRange range,
                                             ArrayRef<Layer> layers) {
  ir::Operation result;
  result.name = name;
  result.range = range;
  result.precondition = buildPrecondition(layers);
  result.entry = buildReaction(layers, Key::OnEntry);
  result.success = buildReaction(layers, Key::OnSuccess);
  result.failure = buildReaction(layers, Key::OnFailure);
  return result;
}

void MachineBuilder::addRules(const Layer &layer,
                              SmallVector<ir::Trigger> &into) {
  for (const Entity &trigger : layer.entity->entities(Key::Triggers))
    resolveTrigger(scope, layer, trigger, into);
}

/// Those of the interface type first, then those of each refinement.
SmallVector<ir::Trigger> MachineBuilder::buildRules() {
  SmallVector<ir::Trigger> rules;
  const Flat &interface = *scope.interface;
  if (interface.kind != EntityKind::InterfaceType && interface.type &&
      interface.type->flat)
    for (const Layer &layer : llvm::reverse(interface.type->flat->layers))
      addRules(layer, rules);
  for (const Layer &layer : llvm::reverse(interface.layers))
    addRules(layer, rules);
  for (const Entity *assignment : llvm::reverse(assignments))
    addRules({assignment, &scope.service->scope, /*inTemplate=*/true}, rules);
  return rules;
}

ir::Machine MachineBuilder::build() {
  const Flat &interface = *scope.interface;
  cells = buildCells(scope, interface, assignments);
  SmallVector<ir::Operation> operations;
  for (Key key : {Key::Operations, Key::Notifications})
    for (const auto &[name, operation] : interface.members(key)) {
      SmallVector<Layer> layers(llvm::reverse(operation->layers));
      auto assignedHere = assignedOperations(assignments, key, name);
      for (const Entity *assigned : llvm::reverse(assignedHere))
        layers.push_back(
            {assigned, &scope.service->scope, /*inTemplate=*/true});
      operations.push_back(
          buildOperation(operation->name, operation->range(), layers));
      operations.back().isNotification = key == Key::Notifications;
    }
  ir::Machine machine;
  machine.interface = interface.name;
  machine.type = interface.type ? interface.type->name : interface.name;
  machine.rules = save(buildRules());
  MachineMarks marks = buildMarks(scope, interface, cells, operations);
  if (marks.roles.checkOperation)
    operations[*marks.roles.checkOperation].outputs = save(marks.observed);
  machine.operations = save(operations);
  machine.cells = save(cells);
  machine.intents = save(marks.intents);
  machine.failures = save(marks.failures);
  machine.health = save(marks.health);
  machine.roles = marks.roles;
  machine.promises = save(buildPromises(scope, interface));
  machine.range = interface.range();
  return machine;
}

ir::Machine MachineBuilder::buildService() {
  SmallVector<ir::Operation> operations;
  for (const Entity &event : scope.service->entity.entities(Key::Events)) {
    Layer layer{&event, &scope.service->scope, /*inTemplate=*/true};
    EventScope inEvent = scope;
    inEvent.inputs = &scope.service->events.find(event.name.str())->second;
    operations.push_back(MachineBuilder(inEvent, {})
                             .buildOperation(event.name, event.range(), layer));
  }
  ir::Machine machine;
  machine.interface = program.names.intern(serviceInterface);
  machine.type = machine.interface;
  machine.operations = save(operations);
  machine.range = scope.service->entity.range();
  return machine;
}

ir::Machine sema::buildMachine(const EventScope &scope,
                               ArrayRef<const Entity *> assignments) {
  return MachineBuilder(scope, assignments).build();
}

ir::Machine sema::buildServiceMachine(const EventScope &scope) {
  return MachineBuilder(scope, {}).buildService();
}
