//===- ResolveEvent.cpp - Where triggers send their events ----------------===//
///
/// \file
/// The path of an event is followed over types. Whatever may stand at its end
/// must have the operation, and the inputs that the operation requires must be
/// given: what is found here does not happen while a plan is made or run.
///
//===----------------------------------------------------------------------===//

#include "ResolveEvent.h"

#include "PolicyEvents.h"
#include "TOSCA/Types/Expressions.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using syntax::Node;

namespace {

class TriggerResolver {
public:
  TriggerResolver(const EventScope &scope, const Layer &layer,
                  const Entity &trigger)
      : scope(scope), program(scope.program), layer(layer), trigger(trigger) {}

  void run(SmallVectorImpl<ir::Trigger> &into);

private:
  bool readEvent(const Node &event);
  bool readEnd();
  bool resolveOwn(StringRef name, SourceRange range);
  bool resolveServiceEvent();
  /// The interfaces of \p candidate that have the operation.
  SmallVector<const Flat *, 1> receivers(const Candidate &candidate) const;
  bool resolveCandidates();
  bool stepsTooFar();
  void searchAllTypes();
  bool isBroughtByTemplate(const Candidate &candidate) const;
  void reportLacking(const Candidate &candidate);
  void reportNobodyHas();
  SmallVector<const Flat *, 1> missingInputs(const Flat &interface,
                                             const Candidate &candidate) const;
  bool checkInputs(const Flat &interface, const Candidate &candidate);
  bool checkDerived(const Candidate &candidate);
  void bindInputs(SmallVectorImpl<ir::Argument> &into);

  std::string rightPath() const;

  const EventScope &scope;
  Program &program;
  const Layer &layer;
  const Entity &trigger;
  const Node *eventNode = nullptr;

  WalkedPath path;
  /// Empty: left out.
  StringRef interfaceName;
  SourceRange interfaceRange;
  StringRef operationName;
  SourceRange operationRange;
  /// Names of the interfaces that receive the event.
  llvm::SmallSetVector<StringRef, 1> interfaces;
  /// An operation that receives it, for the types of inputs.
  const Flat *operation = nullptr;
  /// Events that triggers of policies listen to.
  SmallVector<ir::Trigger> toPolicies;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool TriggerResolver::readEvent(const Node &event) {
  if (event.isScalar())
    return resolveOwn(event.text(), event.range());
  const Expr *steps = toExpr(program, *layer.scope, event);
  if (!steps)
    return false;
  ArrayRef<Expr> words = steps->children();
  if (words.size() == 1 && !stepText(words[0]).empty())
    return resolveOwn(stepText(words[0]), words[0].range());
  path = walkPath(scope, {}, words, PathUse::Entities);
  return path.valid && readEnd() && resolveCandidates();
}

/// `INTERFACE name [OPERATION] name`, or less of it.
bool TriggerResolver::readEnd() {
  ArrayRef<Expr> rest = path.rest;
  auto incomplete = [&](StringRef noun) {
    program.diags.report(eventNode->range(), diag::IncompletePath, noun);
    return false;
  };
  if (!rest.empty() && stepText(rest.front()) == "INTERFACE") {
    if (rest.size() < 2)
      return incomplete("interface");
    interfaceName = stepText(rest[1]);
    interfaceRange = rest[1].range();
    rest = rest.drop_front(2);
  }
  if (!rest.empty() && stepText(rest.front()) == "OPERATION")
    rest = rest.drop_front();
  if (rest.empty())
    return incomplete("operation");
  operationName = stepText(rest.front());
  operationRange = rest.front().range();
  if (rest.size() == 1 && !operationName.empty())
    return true;
  StringRef words[] = {"SELF",    "SOURCE",     "TARGET",    "RELATIONSHIP",
                       "NODE",    "CAPABILITY", "INTERFACE", "OPERATION",
                       "SERVICE", "EARLIER",    "LATER"};
  // Behind the interface, the operation is the last word.
  const Expr &strange =
      !interfaceName.empty() && rest.size() > 1 ? rest[1] : rest.front();
  program.diags.report(strange.range(), diag::UnknownPathStep, toText(strange),
                       didYouMean(stepText(strange), words));
  return false;
}

/// A name alone is an operation of the own interface, or an event of the
/// service.
bool TriggerResolver::resolveOwn(StringRef name, SourceRange range) {
  operationName = name;
  operationRange = range;
  path.words.push_back(scope.word("SELF", range));
  path.place = scope.self;
  if (!scope.interface)
    return resolveServiceEvent();
  operation = findOperation(*scope.interface, name);
  if (operation) {
    program.use(range, operation);
    interfaces.insert(scope.interface->name.str());
    if (scope.self.candidates.empty())
      return true;
    const Candidate &self = scope.self.candidates.front();
    if (scope.service)
      return checkInputs(*scope.interface, self);
    // A template may still give its inputs.
    scope.hasOpenTrigger |= !missingInputs(*scope.interface, self).empty();
    return true;
  }
  SmallVector<StringRef> known;
  for (Key key : {Key::Operations, Key::Notifications})
    llvm::append_range(known, namesOf(scope.interface->members(key)));
  program.diags.report(range, diag::UnknownName, "operation", name,
                       didYouMean(name, known));
  return false;
}

/// An event that the service declares, or else one that policies listen to.
bool TriggerResolver::resolveServiceEvent() {
  scope.sendsToService = true;
  SmallVector<StringRef> known;
  if (scope.around)
    known = namesOf(scope.around->events);
  if (!scope.around || llvm::is_contained(known, operationName)) {
    interfaces.insert(serviceInterface);
    return true;
  }
  ir::Path toService{program.arena.save(ArrayRef<ir::PathStep>(path.steps)),
                     eventNode->range()};
  toPolicies = tellPolicies(program, *scope.around, operationName, toService,
                            eventNode->range());
  for (const PolicyListener &listener : scope.around->listeners)
    known.push_back(listener.event);
  if (llvm::is_contained(known, operationName))
    return true;
  program.diags.report(operationRange, diag::UnknownName, "event",
                       operationName, didYouMean(operationName, known));
  return false;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

SmallVector<const Flat *, 1>
TriggerResolver::receivers(const Candidate &candidate) const {
  SmallVector<const Flat *, 1> result;
  if (!candidate.flat)
    return result;
  if (!interfaceName.empty()) {
    const Flat *interface = findInterface(*candidate.flat, interfaceName);
    if (interface && findOperation(*interface, operationName))
      result.push_back(interface);
    return result;
  }
  for (const auto &[name, interface] : candidate.flat->members(Key::Interfaces))
    if (findOperation(*interface, operationName))
      result.push_back(interface);
  return result;
}

bool TriggerResolver::resolveCandidates() {
  if (path.place.kind == Origin::Service)
    return resolveServiceEvent();
  bool isOpen = path.place.isOpen && !path.steps.empty();
  scope.hasOpenTrigger |= isOpen;
  if (isOpen && scope.isTrial)
    return true;
  // Of an interface type nobody knows where it is used; where it is, the
  // trigger is checked.
  bool isUsed = !scope.self.candidates.empty();
  if (isOpen && isUsed && !scope.service)
    program.diags.report(eventNode->range(), diag::UncheckedTrigger,
                         operationName);
  bool valid = true, any = false;
  SmallVector<const Candidate *, 2> lacking;
  for (const Candidate &candidate : path.place.candidates) {
    SmallVector<const Flat *, 1> found = receivers(candidate);
    if (found.empty()) {
      lacking.push_back(&candidate);
      continue;
    }
    if (found.size() > 1) {
      program.diags.report(operationRange, diag::AmbiguousInterface,
                           "operation", operationName);
      return false;
    }
    any = true;
    interfaces.insert(found.front()->name.str());
    operation = findOperation(*found.front(), operationName);
    program.use(operationRange, operation);
    if (interfaceRange.isValid())
      program.use(interfaceRange, found.front());
    valid &= checkInputs(*found.front(), candidate) && checkDerived(candidate);
  }
  if (!any && stepsTooFar())
    return true;
  bool isNobody = !any && lacking.size() > 1 && !path.place.isOpen;
  if (isNobody && !isBroughtByTemplate(*lacking.front())) {
    reportNobodyHas();
    return false;
  }
  for (const Candidate *candidate : lacking)
    reportLacking(*candidate);
  if (!any && path.place.isOpen)
    searchAllTypes();
  return valid && (lacking.empty() || path.place.isOpen);
}

/// `…, SOURCE, pre_configure_target`: the relationship that was just walked
/// has the operation, not the node behind it.
bool TriggerResolver::stepsTooFar() {
  if (!path.before)
    return false;
  SmallVector<const Flat *, 1> found;
  for (const Candidate &candidate : path.before->candidates)
    if (found.empty())
      found = receivers(candidate);
  if (found.empty() && path.before->isOpen)
    for (const TypeDecl &type : program.types)
      if (type.kind == EntityKind::RelationshipType && type.flat &&
          found.empty())
        found = receivers({type.flat});
  if (found.empty())
    return false;
  path.stepBack();
  interfaces.insert(found.front()->name.str());
  operation = findOperation(*found.front(), operationName);
  std::string right = rightPath();
  program.diags
      .report(eventNode->range(), diag::PathTooFar, operationName, right)
      .fixIt(eventNode->range(), right);
  return true;
}

std::string TriggerResolver::rightPath() const {
  std::string text = "[";
  for (const Expr &word : path.words)
    text += toText(word) + ", ";
  return text + "INTERFACE, " + interfaces.front().str() + ", " +
         operationName.str() + "]";
}

/// Anything may stand there: the interface is one that some type has.
void TriggerResolver::searchAllTypes() {
  if (!interfaceName.empty()) {
    interfaces.insert(interfaceName);
    return;
  }
  EntityKind kind = path.place.kind == Origin::Relationship
                        ? EntityKind::RelationshipType
                        : EntityKind::NodeType;
  for (const TypeDecl &type : program.types)
    if (type.kind == kind && type.flat)
      for (const Flat *interface : receivers({type.flat}))
        interfaces.insert(interface->name.str());
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// The names that could have been meant at \p candidate.
static SmallVector<StringRef> operationsOf(const Candidate &candidate,
                                           StringRef interfaceName) {
  SmallVector<StringRef> known;
  for (const auto &[name, interface] :
       candidate.flat->members(Key::Interfaces)) {
    if (!interfaceName.empty() &&
        findInterface(*candidate.flat, interfaceName) != interface)
      continue;
    for (Key key : {Key::Operations, Key::Notifications})
      llvm::append_range(known, namesOf(interface->members(key)));
  }
  return known;
}

/// Whether a requirement of a template leads the event, which a type sends, to
/// \p candidate: the author of the type could not know.
bool TriggerResolver::isBroughtByTemplate(const Candidate &candidate) const {
  return scope.service && !layer.inTemplate && candidate.allowedBy.isValid() &&
         (candidate.node || candidate.source || candidate.target);
}

void TriggerResolver::reportLacking(const Candidate &candidate) {
  bool hasInterface =
      interfaceName.empty() || findInterface(*candidate.flat, interfaceName);
  StringRef noun = hasInterface ? "operation" : "interface";
  StringRef name = hasInterface ? operationName : interfaceName;
  SourceRange range = hasInterface ? operationRange : interfaceRange;
  SmallVector<StringRef> known =
      hasInterface ? operationsOf(candidate, interfaceName)
                   : namesOf(candidate.flat->members(Key::Interfaces));
  if (isBroughtByTemplate(candidate)) {
    program.diags
        .report(candidate.allowedBy, diag::UnfitReceiver, describe(candidate),
                noun, name, didYouMean(name, known))
        .note(range, diag::EventSentHere, operationName);
    return;
  }
  auto report = program.diags.report(range, diag::TriggerLeadsNowhere,
                                     describe(candidate), noun, name,
                                     didYouMean(name, known));
  if (candidate.allowedBy.isValid() && !candidate.node)
    report.note(candidate.allowedBy, diag::MayStandHere, describe(candidate));
}

void TriggerResolver::reportNobodyHas() {
  SmallVector<StringRef> known;
  std::string names;
  bool hasInterface = interfaceName.empty();
  for (const Candidate &candidate : path.place.candidates)
    hasInterface |= findInterface(*candidate.flat, interfaceName) != nullptr;
  for (const Candidate &candidate : path.place.candidates) {
    if (hasInterface)
      llvm::append_range(known, operationsOf(candidate, interfaceName));
    else
      llvm::append_range(known,
                         namesOf(candidate.flat->members(Key::Interfaces)));
    names += (names.empty() ? "" : ", ") + describe(candidate);
  }
  StringRef name = hasInterface ? operationName : interfaceName;
  program.diags.report(hasInterface ? operationRange : interfaceRange,
                       diag::TriggerLeadsNowhere, names,
                       hasInterface ? "operation" : "interface", name,
                       didYouMean(name, known));
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// The required inputs that nobody gives.
SmallVector<const Flat *, 1>
TriggerResolver::missingInputs(const Flat &interface,
                               const Candidate &candidate) const {
  const Field *field = trigger.find(Key::Inputs);
  const Node *given = field && field->valid ? field->value : nullptr;
  const Template *node = candidate.node;
  // A node from elsewhere has its values already.
  if (node && node->hasDirective("select"))
    return {};
  SmallVector<const Flat *, 1> missing;
  const Flat &receiver = *findOperation(interface, operationName);
  for (const auto &[name, input] : receiver.members(Key::Inputs)) {
    bool isGiven = given && given->isMapping() && given->find(name);
    bool isAssigned = node && givesInput(*node, interface, operationName, name);
    bool hasValue = input->find(Key::Default) || input->find(Key::Value) ||
                    input->find(Key::Mapping);
    // A script of TOSCA 1.x that is given less runs without it.
    bool isOlder = input->layers.front().scope->isOlder();
    if (!isGiven && !isAssigned && !hasValue && !isOlder && isRequired(*input))
      missing.push_back(input);
  }
  return missing;
}

namespace {

/// Where a template would give a value to an input.
struct InputPlace {
  SourceRange range;
  /// A value is there under a name that is nearly right.
  bool isMisspelt = false;
};

} // namespace

static InputPlace placeForInput(const Template &node, const Flat &interface,
                                StringRef operation, const Flat &input) {
  const Entity *assigned = assignedOperation(node, interface, operation);
  if (!assigned)
    return {node.entity->range()};
  const Field *given = assigned->find(Key::Inputs);
  if (given && given->valid && given->value->isMapping())
    for (const syntax::Entry &entry : given->value->entries())
      if (entry.key.isString() &&
          nearestName(entry.key.text(), {input.name.str()}))
        return {entry.key.range(), /*isMisspelt=*/true};
  return {assigned->range()};
}

bool TriggerResolver::checkInputs(const Flat &interface,
                                  const Candidate &candidate) {
  auto missing = missingInputs(interface, candidate);
  for (const Flat *input : missing) {
    StringRef name = input->name.str();
    // The trigger may stand in a profile; the template is what its author owns.
    if (candidate.node) {
      InputPlace place =
          placeForInput(*candidate.node, interface, operationName, *input);
      auto report =
          program.diags.report(place.range, diag::MissingOperationInput,
                               describe(candidate), name, operationName);
      if (place.isMisspelt)
        report.note({}, diag::DidYouMean, name).fixIt(place.range, name.str());
      report.note(input->range(), diag::DeclaredHere, name)
          .note(operationRange, diag::SentHere);
    } else
      program.diags
          .report(operationRange, diag::MissingTriggerInput, operationName,
                  describe(candidate), name)
          .note(input->range(), diag::DeclaredHere, name);
  }
  return missing.empty();
}

/// A derived type may ask for more inputs.
bool TriggerResolver::checkDerived(const Candidate &candidate) {
  const Flat &type = candidate.flat->type && candidate.flat->type->flat
                         ? *candidate.flat->type->flat
                         : *candidate.flat;
  if (candidate.node || !scope.places.isNew(trigger, type))
    return true;
  bool valid = true;
  for (const Flat *derived : scope.places.derivedFrom(type)) {
    Candidate other{derived, candidate.allowedBy};
    for (const Flat *interface : receivers(other))
      valid &= checkInputs(*interface, other);
  }
  return valid;
}

void TriggerResolver::bindInputs(SmallVectorImpl<ir::Argument> &into) {
  const Field *field = trigger.find(Key::Inputs);
  if (!field || !field->valid || !field->value->isMapping())
    return;
  for (const syntax::Entry &entry : field->value->entries()) {
    if (!entry.key.isScalar())
      continue;
    StringRef name = entry.key.text();
    const Flat *input =
        operation ? operation->member(Key::Inputs, name) : nullptr;
    if (operation && !input && !operation->members(Key::Inputs).empty())
      program.diags.report(
          entry.key.range(), diag::UndeclaredAssignment,
          ("operation '" + operationName + "'").str(), "input", name,
          didYouMean(name, namesOf(operation->members(Key::Inputs))));
    const Type &type =
        input ? typeOf(program, *input) : builtinType(TypeKind::Any);
    if (const Expr *value =
            bindValue(scope, *layer.scope, entry.value, type, scope.inputs))
      into.push_back({program.names.intern(name), type.kind, value,
                      input && isRequired(*input), input && isSensitive(*input),
                      entry.value.range()});
  }
}

void TriggerResolver::run(SmallVectorImpl<ir::Trigger> &into) {
  const Field *event = trigger.find(Key::Event);
  if (!event || !event->valid)
    return;
  eventNode = event->value;
  bool valid = readEvent(*eventNode);
  ir::Trigger result;
  if (const Field *condition = trigger.find(Key::Condition);
      condition && condition->valid) {
    result.condition = bindCondition(scope, *layer.scope, *condition->value);
    valid &= result.condition != nullptr;
  }
  if (!valid)
    return;
  SmallVector<ir::Argument> inputs;
  bindInputs(inputs);
  result.inputs = program.arena.save(ArrayRef<ir::Argument>(inputs));
  result.receiver = {program.arena.save(ArrayRef<ir::PathStep>(path.steps)),
                     eventNode->range()};
  result.operation =
      operation ? operation->name : program.names.intern(operationName);
  result.range = eventNode->range();
  result.isOpen = path.place.isOpen && !path.steps.empty();
  for (StringRef interface : interfaces) {
    result.interface = program.names.intern(interface);
    into.push_back(result);
  }
  for (ir::Trigger &sent : toPolicies) {
    sent.condition = result.condition;
    into.push_back(sent);
  }
}

void sema::resolveTrigger(const EventScope &scope, const Layer &layer,
                          const Entity &trigger,
                          llvm::SmallVectorImpl<ir::Trigger> &into) {
  TriggerResolver(scope, layer, trigger).run(into);
}
