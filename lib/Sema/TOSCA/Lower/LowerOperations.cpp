//===- LowerOperations.cpp - What operations run --------------------------===//

#include "LowerOperations.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/IR/KindNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class ExecutionLowering {
public:
  ExecutionLowering(Lowering &lowering, const OperationSite &site)
      : lowering(lowering), site(site), owner(site.owner) {}

  void run(ir::Operation &result);

private:
  /// An assignment may give inputs that nobody declared (TOSCA 2.0 §11.5).
  void addInputs(const Flat::Members &definitions, const Layer *assigned);
  void addOpenInputs(const Scope &scope, const Node *values,
                     const Flat::Members *definitions,
                     SmallVector<ir::Argument> &into);
  const Layer *nearestWith(Key key) const;
  void lowerHandlers(ir::Operation &result);
  ir::Handler lowerImplementation(const Layer &layer, const Entity &primary,
                                  ArrayRef<Entity> dependencies);
  ir::Handler lowerHandler(const Layer &layer, const Entity &handler);
  /// What \p reference means: an artifact of the template or its type, or
  /// itself; and where that was written.
  std::pair<const Scope *, const Entity *>
  artifactOf(const Scope &scope, const Entity &reference) const;
  ir::ArtifactId lowerReference(const Scope &scope, const Entity &reference);
  ir::HandlerPlace placeOf(const Layer &layer, const Entity &implementation,
                           StringRef operation) const;
  ir::HandlerPlace usualPlace(StringRef operation) const;
  void takeStatistics(const Layer &layer, ir::Operation &result);
  void checkCallable(const ir::Operation &operation);
  SmallVector<ir::OutputMapping>
  lowerOutputs(ArrayRef<ir::OutputMapping> observed);
  void addOutputs(const Node *paths, SmallVector<ir::OutputMapping> &into);
  ArrayRef<Name> lowerTarget(const Node &path);
  TypeKind typeOfTarget(ArrayRef<Name> target);

  Site siteIn(const Scope &scope) const {
    Site result{{scope, &owner.definition}, owner.origin};
    result.context.service = &owner.service;
    return result;
  }

  Lowering &lowering;
  const OperationSite &site;
  const InterfaceOwner &owner;
  SmallVector<ir::Argument> inputs;
};

} // namespace

static const Node *validValue(const Entity &entity, Key key) {
  const Field *field = entity.find(key);
  return field && field->valid ? field->value : nullptr;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void ExecutionLowering::addOpenInputs(const Scope &scope, const Node *values,
                                      const Flat::Members *definitions,
                                      SmallVector<ir::Argument> &into) {
  if (!values || !values->isMapping())
    return;
  for (const Entry &entry : values->entries()) {
    if (!entry.key.isScalar() ||
        (definitions && definitions->contains(entry.key.text())))
      continue;
    Name name = lowering.intern(entry.key.text());
    llvm::erase_if(
        into, [&](const ir::Argument &other) { return other.name == name; });
    into.push_back({name, TypeKind::Any,
                    lowerValue(lowering, siteIn(scope), entry.value,
                               builtinType(TypeKind::Any)),
                    /*required=*/false, /*sensitive=*/false,
                    entry.value.range()});
  }
}

void ExecutionLowering::addInputs(const Flat::Members &definitions,
                                  const Layer *assigned) {
  const Node *values =
      assigned ? validValue(*assigned->entity, Key::Inputs) : nullptr;
  for (const Assignment &input : lowerAssignments(
           lowering, siteIn(owner.service.scope), definitions, values)) {
    llvm::erase_if(inputs, [&](const ir::Argument &other) {
      return other.name == input.name;
    });
    inputs.push_back({input.name, input.type->kind, input.value, input.required,
                      input.sensitive, input.range});
  }
  addOpenInputs(owner.service.scope, values, &definitions, inputs);
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

std::pair<const Scope *, const Entity *>
ExecutionLowering::artifactOf(const Scope &scope,
                              const Entity &reference) const {
  StringRef name = reference.isShort ? reference.text(Key::File) : "";
  if (owner.artifacts)
    for (const Entity &artifact : owner.artifacts->entities)
      if (artifact.name.str() == name)
        return {&owner.service.scope, &artifact};
  if (const Flat *artifact = owner.definition.member(Key::Artifacts, name))
    return {artifact->layers.front().scope, artifact->layers.front().entity};
  return {&scope, &reference};
}

ir::ArtifactId ExecutionLowering::lowerReference(const Scope &scope,
                                                 const Entity &reference) {
  auto [where, artifact] = artifactOf(scope, reference);
  return lowerArtifact(lowering, *where, *artifact);
}

ir::Handler ExecutionLowering::lowerImplementation(
    const Layer &layer, const Entity &primary, ArrayRef<Entity> dependencies) {
  SmallVector<ir::ArtifactId> files;
  for (const Entity &dependency : dependencies) {
    auto [where, artifact] = artifactOf(*layer.scope, dependency);
    lowerDependency(lowering, *where, *artifact, files);
  }
  return {lowerReference(*layer.scope, primary), lowering.save(files), {}, {}};
}

/// Where an operation of TOSCA 1.x runs that does not say so: on what contains
/// the node; of a relationship, at the end that it is about. What tells a node
/// of the other one runs at the node that is told.
ir::HandlerPlace ExecutionLowering::usualPlace(StringRef operation) const {
  if (owner.origin != Origin::Relationship)
    return ir::HandlerPlace::Host;
  return llvm::StringSwitch<ir::HandlerPlace>(operation)
      .Cases("pre_configure_target", "post_configure_target", "add_source",
             "remove_source", ir::HandlerPlace::Target)
      .Default(ir::HandlerPlace::Source);
}

/// `operation_host` of TOSCA 1.x, in the implementation or, as today, in the
/// metadata of the operation.
ir::HandlerPlace ExecutionLowering::placeOf(const Layer &layer,
                                            const Entity &implementation,
                                            StringRef operation) const {
  StringRef word = implementation.text(Key::OperationHost);
  for (const Layer &each : site.layers) {
    const Node *metadata = each.entity->value(Key::Metadata);
    const Node *host = metadata && metadata->isMapping()
                           ? metadata->find("operation_host")
                           : nullptr;
    if (word.empty() && host && host->isScalar())
      word = host->text();
  }
  if (word.empty() && !layer.scope->isOlder())
    return ir::HandlerPlace::Here;
  ir::HandlerPlace place =
      ir::findHandlerPlace(word).value_or(usualPlace(operation));
  bool isEnd =
      place == ir::HandlerPlace::Source || place == ir::HandlerPlace::Target;
  bool isNode =
      place == ir::HandlerPlace::Self || place == ir::HandlerPlace::Host;
  bool isRelationship = owner.origin == Origin::Relationship;
  return (isRelationship ? isNode : isEnd) ? usualPlace(operation) : place;
}

/// What a playbook of TOSCA 1.x sets as statistics becomes attributes of the
/// same names, unless its outputs are declared.
void ExecutionLowering::takeStatistics(const Layer &layer,
                                       ir::Operation &result) {
  if (!layer.scope->isOlder() || !result.outputs.empty())
    return;
  StringRef file =
      lowering.result.artifacts[result.handlers.back().artifact.index].file;
  if (!file.ends_with(".yaml") && !file.ends_with(".yml"))
    return;
  Name all = lowering.intern("*");
  SmallVector<Name> target{lowering.intern("SELF"), all};
  SmallVector<ir::OutputMapping> outputs{
      {all, TypeKind::Any, lowering.save(target), {}}};
  result.outputs = lowering.save(outputs);
}

ir::Handler ExecutionLowering::lowerHandler(const Layer &layer,
                                            const Entity &handler) {
  SmallVector<ir::Argument> given;
  addOpenInputs(*layer.scope, validValue(handler, Key::Inputs), nullptr, given);
  SmallVector<ir::OutputMapping> outputs;
  addOutputs(validValue(handler, Key::Outputs), outputs);
  return {lowerReference(*layer.scope, handler.entities(Key::Execute).front()),
          {},
          lowering.save(given),
          lowering.save(outputs)};
}

const Layer *ExecutionLowering::nearestWith(Key key) const {
  auto found = llvm::find_if(
      site.layers, [&](const Layer &layer) { return layer.entity->find(key); });
  return found == site.layers.end() ? nullptr : found;
}

void ExecutionLowering::lowerHandlers(ir::Operation &result) {
  const Layer *nearest = llvm::find_if(site.layers, [](const Layer &layer) {
    return layer.entity->find(Key::Handlers) ||
           layer.entity->find(Key::Implementation);
  });
  if (nearest == site.layers.end())
    return;
  SmallVector<ir::Handler> handlers;
  for (const Entity &implementation :
       nearest->entity->entities(Key::Implementation)) {
    ArrayRef<Entity> primary = implementation.entities(Key::Primary);
    if (!primary.empty()) {
      handlers.push_back(
          lowerImplementation(*nearest, primary.front(),
                              implementation.entities(Key::Dependencies)));
      handlers.back().place =
          placeOf(*nearest, implementation, result.name.str());
    }
    implementation.text(Key::Timeout).getAsInteger(10, result.timeout);
  }
  for (const Entity &handler : nearest->entity->entities(Key::Handlers))
    if (!handler.entities(Key::Execute).empty())
      handlers.push_back(lowerHandler(*nearest, handler));
  result.handlers = lowering.save(handlers);
  if (!handlers.empty())
    takeStatistics(*nearest, result);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// `[ SELF, attribute, key… ]`; SELF may be left out.
ArrayRef<Name> ExecutionLowering::lowerTarget(const Node &path) {
  SmallVector<Name> target;
  ArrayRef<Node> words = path;
  if (path.isSequence())
    words = path.items();
  static constexpr StringRef starts[] = {"SELF", "SOURCE", "TARGET"};
  if (!words.empty() && !llvm::is_contained(starts, words.front().text()))
    target.push_back(lowering.intern("SELF"));
  for (const Node &word : words)
    if (word.isScalar())
      target.push_back(lowering.intern(word.text()));
  return lowering.save(target);
}

/// The type of the attribute that an output becomes.
TypeKind ExecutionLowering::typeOfTarget(ArrayRef<Name> target) {
  if (target.size() != 2 || target[0].str() != "SELF")
    return TypeKind::Any;
  const Flat *attribute =
      owner.definition.member(Key::Attributes, target[1].str());
  return attribute ? typeOf(lowering.program, *attribute).kind : TypeKind::Any;
}

void ExecutionLowering::addOutputs(const Node *paths,
                                   SmallVector<ir::OutputMapping> &into) {
  if (!paths || !paths->isMapping())
    return;
  for (const Entry &entry : paths->entries()) {
    Name name = lowering.intern(entry.key.text());
    auto known = llvm::find_if(into, [&](const ir::OutputMapping &other) {
      return other.output == name;
    });
    if (known == into.end())
      known = into.insert(known, {name, TypeKind::Any, {}, {}});
    known->target = lowerTarget(entry.value);
    known->type = typeOfTarget(known->target);
    known->range = entry.value.range();
  }
}

/// Those that the interface type says are \p observed come first.
SmallVector<ir::OutputMapping>
ExecutionLowering::lowerOutputs(ArrayRef<ir::OutputMapping> observed) {
  SmallVector<ir::OutputMapping> result(observed);
  if (site.operation)
    for (const auto &[name, output] : site.operation->members(Key::Outputs)) {
      Flat::Found mapping = output->find(Key::Mapping);
      if (!mapping)
        mapping = output->find(Key::Value);
      ir::OutputMapping entry{output->name,
                              typeOf(lowering.program, *output).kind,
                              {},
                              output->range()};
      if (mapping && mapping.field->valid)
        entry.target = lowerTarget(*mapping.field->value);
      if (entry.type == TypeKind::Any)
        entry.type = typeOfTarget(entry.target);
      result.push_back(entry);
    }
  for (const Layer &layer : llvm::reverse(site.layers))
    if (layer.entity->kind == EntityKind::OperationAssignment ||
        layer.entity->kind == EntityKind::NotificationAssignment)
      addOutputs(validValue(*layer.entity, Key::Outputs), result);
  return result;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// Metadata `retries` of the nearest layer that has it.
static uint32_t lowerRetries(ArrayRef<Layer> layers) {
  for (const Layer &layer : layers) {
    const Node *metadata = layer.entity->value(Key::Metadata);
    const Node *retries =
        metadata && metadata->isMapping() ? metadata->find("retries") : nullptr;
    uint32_t number = 0;
    if (retries && retries->isScalar() &&
        !retries->text().getAsInteger(10, number))
      return number;
  }
  return 0;
}

void ExecutionLowering::run(ir::Operation &result) {
  if (site.interface) {
    const Layer *none = nullptr;
    Layer assigned{nullptr, &owner.service.scope};
    for (const Entity *entity : site.interfaces)
      if (!assigned.entity && entity->find(Key::Inputs))
        assigned.entity = entity;
    addInputs(site.interface->members(Key::Inputs),
              assigned.entity ? &assigned : none);
  }
  if (site.operation) {
    const Layer *assigned = nearestWith(Key::Inputs);
    bool isAssignment =
        assigned &&
        (assigned->entity->kind == EntityKind::OperationAssignment ||
         assigned->entity->kind == EntityKind::NotificationAssignment);
    addInputs(site.operation->members(Key::Inputs),
              isAssignment ? assigned : nullptr);
  } else {
    addInputs(flattenDefinitions(lowering.program, owner.service.scope,
                                 *site.layers.front().entity, Key::Inputs),
              nullptr);
  }
  result.inputs = lowering.save(inputs);
  result.outputs = lowering.save(lowerOutputs(result.outputs));
  lowerHandlers(result);
  result.retries = lowerRetries(site.layers);
  if (!result.handlers.empty())
    checkCallable(result);
}

/// A call of a function in \p expr that nobody defined; null: none.
static const Expr *findUndefined(const Program &program, const Expr &expr) {
  if (expr.isCall(Function::Custom) &&
      program.undefinedFunctions.contains(expr.name().str()))
    return &expr;
  for (const Expr &child : expr.children())
    if (const Expr *found = findUndefined(program, child))
      return found;
  return nullptr;
}

void ExecutionLowering::checkCallable(const ir::Operation &operation) {
  SmallVector<ir::Argument> needed(operation.inputs);
  for (const ir::Handler &handler : operation.handlers)
    llvm::append_range(needed, handler.inputs);
  for (const ir::Argument &input : needed)
    if (const Expr *call = input.value
                               ? findUndefined(lowering.program, *input.value)
                               : nullptr)
      lowering.program.diags.report(call->range(), diag::FunctionNeeded,
                                    call->name().str());
}

void sema::lowerExecution(Lowering &lowering, const OperationSite &site,
                          ir::Operation &result) {
  ExecutionLowering(lowering, site).run(result);
}
