//===- CheckActivities.cpp - What steps and triggers do -------------------===//

#include "CheckActivities.h"

#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

class ActivityChecker {
public:
  ActivityChecker(Program &program, const ExprContext &context)
      : program(program), context(context) {}

  void checkCall(const Entity &call, llvm::ArrayRef<ActivityTarget> targets);
  void checkInline(const Entity &call);
  void checkDelegate(const Entity &call,
                     llvm::ArrayRef<ActivityTarget> targets);

private:
  bool checkCallOn(const Entity &call, const ActivityTarget &target);
  void reportNoOperation(const Node &name, const Flat &target, bool isAny);
  void checkInputs(const Entity &call, const Flat::Members &declared,
                   const ActivityTarget &target, StringRef interface,
                   StringRef operation);
  void checkKnown(const Entity &call, const Flat::Members &declared,
                  const ActivityTarget &target, StringRef interface,
                  StringRef operation);
  void checkMissing(const Entity &call, const Flat::Members &declared,
                    const ActivityTarget &target, StringRef interface,
                    StringRef operation);
  void checkFeeds(const Flat &parameter, const Node &value);

  static const Node *inputsOf(const Entity &call) {
    const Field *field = call.find(Key::Inputs);
    return field && field->valid ? field->value : nullptr;
  }

  Program &program;
  const ExprContext &context;
};

} // namespace

//===----------------------------------------------------------------------===//
// Calls of operations
//===----------------------------------------------------------------------===//

/// What is the same for all targets is reported once.
void ActivityChecker::checkCall(const Entity &call,
                                llvm::ArrayRef<ActivityTarget> targets) {
  const Field *field = call.find(Key::Operation);
  if (!field || !field->valid)
    return;
  const Flat *lacking = nullptr;
  bool isAny = false;
  for (const ActivityTarget &target : targets) {
    if (checkCallOn(call, target))
      isAny = true;
    else if (target.type->valid)
      lacking = target.type;
  }
  if (lacking)
    reportNoOperation(*field->value, *lacking, isAny);
}

/// `interface.operation`; interface names may contain dots themselves.
bool ActivityChecker::checkCallOn(const Entity &call,
                                  const ActivityTarget &target) {
  StringRef name = call.text(Key::Operation);
  auto [interfaceName, operationName] = name.rsplit('.');
  const Flat *interface = findInterface(*target.type, interfaceName);
  const Flat *operation =
      interface ? interface->member(Key::Operations, operationName) : nullptr;
  if (!operation)
    return false;
  program.use(call.find(Key::Operation)->value->range(), operation);
  llvm::SmallVector<Flat::Members::Entry> own;
  llvm::append_range(own, operation->members(Key::Inputs));
  Flat::Members declared =
      interface->members(Key::Inputs).with(own, program.memberArena);
  checkInputs(call, declared, target, interfaceName, operationName);
  return true;
}

/// Whether an interface of \p target says what the workflow \p name desires.
static bool isIntent(const Flat &target, StringRef name) {
  std::string mark = ("intent." + name).str();
  for (const auto &[prefix, interface] : target.members(Key::Interfaces)) {
    const Flat *type = interface->type ? interface->type->flat : nullptr;
    for (const Flat *flat : {static_cast<const Flat *>(interface), type})
      for (const Layer &layer :
           flat ? llvm::ArrayRef<Layer>(flat->layers) : llvm::ArrayRef<Layer>())
        if (const Node *metadata = layer.entity->value(Key::Metadata);
            metadata && metadata->isMapping() && metadata->find(mark))
          return true;
  }
  return false;
}

void ActivityChecker::reportNoOperation(const Node &name, const Flat &target,
                                        bool isAny) {
  // The specification does not say which target a policy acts on.
  bool isPolicy = context.self && context.self->kind == EntityKind::PolicyType;
  if (isAny) {
    if (!isPolicy)
      program.diags.report(name.range(), diag::NotInEveryType, "operation",
                           name.text(), target.name.str());
    return;
  }
  std::vector<std::string> callable;
  for (const auto &[prefix, interface] : target.members(Key::Interfaces))
    for (const auto &[suffix, operation] : interface->members(Key::Operations))
      callable.push_back((prefix + "." + suffix).str());
  llvm::SmallVector<StringRef> known(callable.begin(), callable.end());
  bool isWorkflow = context.service &&
                    context.service->workflows.contains(name.text()) &&
                    !Suggestion(name.text(), known).name;
  if (!isPolicy && (isWorkflow || isIntent(target, name.text()))) {
    program.diags.report(
        name.range(), diag::UnknownName, "operation", name.text(),
        ("; it is a workflow: write 'delegate: " + name.text() + "'").str());
    return;
  }
  if (!isPolicy)
    return reportUnknownName(program, "operation", name, known);
  // Nothing is known of an interface whose type is unknown.
  const Flat *named = findInterface(target, name.text().rsplit('.').first);
  if (named && !named->valid)
    return;
  program.diags.report(name.range(), diag::UnknownTriggerOperation, name.text(),
                       didYouMean(name.text(), known));
}

static std::string nameOf(const Entity &call) {
  return ("the call of '" + call.text(Key::Operation) + "'").str();
}

/// What the call does not give, the node template may (TOSCA 2.0 §13.2.3.3).
void ActivityChecker::checkInputs(const Entity &call,
                                  const Flat::Members &declared,
                                  const ActivityTarget &target,
                                  StringRef interface, StringRef operation) {
  const Node *values = inputsOf(call);
  Assignments assignments{declared, "input", [&] { return nameOf(call); },
                          call.range()};
  assignments.open = true;
  assignments.complete = false;
  checkAssignments(program, context, assignments, values);
  if (values && values->isMapping()) {
    for (const auto &[input, definition] : declared)
      if (const Node *value = values->find(input))
        checkFeeds(*definition, *value);
    checkKnown(call, declared, target, interface, operation);
  }
  // What a relationship is given stands in many places.
  if (target.node || values)
    checkMissing(call, declared, target, interface, operation);
}

/// A call gives values to inputs that the operation defines, or that the node
/// template added to it (TOSCA 2.0 §13.2.3.3).
void ActivityChecker::checkKnown(const Entity &call,
                                 const Flat::Members &declared,
                                 const ActivityTarget &target,
                                 StringRef interface, StringRef operation) {
  const Flat *receiver = findInterface(*target.type, interface);
  if (!target.type->valid || !receiver || !receiver->valid ||
      context.scope.isOlder())
    return;
  for (const syntax::Entry &entry : inputsOf(call)->entries()) {
    StringRef input = entry.key.isScalar() ? entry.key.text() : "";
    bool isKnown =
        declared.lookup(input) ||
        (target.node && givesInput(*target.node, *receiver, operation, input));
    if (isKnown)
      continue;
    Suggestion meant(input, namesOf(declared));
    auto report =
        program.diags.report(entry.key.range(), diag::UndeclaredAssignment,
                             nameOf(call), "input", input, meant.clause());
    meant.fixIn(report, entry.key.range());
  }
}

/// Reports inputs that neither the call nor the node template gives.
void ActivityChecker::checkMissing(const Entity &call,
                                   const Flat::Members &declared,
                                   const ActivityTarget &target,
                                   StringRef interface, StringRef operation) {
  const Node *values = inputsOf(call);
  const Flat *receiver = findInterface(*target.type, interface);
  llvm::SmallVector<Flat::Members::Entry> open;
  for (const auto &[input, definition] : declared) {
    bool isGiven = values && values->isMapping() && values->find(input);
    bool isAssigned = target.node && receiver &&
                      givesInput(*target.node, *receiver, operation, input);
    if (!isGiven && !isAssigned)
      open.emplace_back(input, definition);
  }
  Flat::Members missing = Flat::Members().with(open, program.memberArena);
  Assignments assignments{missing, "input", [&] { return nameOf(call); },
                          call.range()};
  checkAssignments(program, context, assignments, nullptr);
}

/// An optional workflow input may stay without a value, so that it cannot feed
/// a required one.
void ActivityChecker::checkFeeds(const Flat &parameter, const Node &value) {
  if (!context.workflowInputs || !isRequired(parameter) || !value.isMapping() ||
      value.entries().size() != 1)
    return;
  const auto &[function, argument] = value.entries().front();
  bool isInput =
      function.isScalar() && function.text().ltrim('$') == "get_input";
  if (!isInput || !argument.isScalar())
    return;
  const Flat *source = context.workflowInputs->lookup(argument.text());
  if (source && !isRequired(*source) && !source->find(Key::Default) &&
      !source->find(Key::Value))
    program.diags
        .report(value.range(), diag::OptionalFeedsRequired, argument.text(),
                parameter.name.str())
        .note(source->range(), diag::DeclaredHere, argument.text())
        .note(parameter.range(), diag::DeclaredHere, parameter.name.str());
}

//===----------------------------------------------------------------------===//
// Inlined workflows
//===----------------------------------------------------------------------===//

void ActivityChecker::checkInline(const Entity &call) {
  const Field *name = call.find(Key::Workflow);
  if (!name || !name->valid)
    return;
  const auto &workflows = context.service->workflows;
  auto workflow = workflows.find(name->value->text());
  if (workflow == workflows.end())
    return reportUnknownName(program, "workflow", *name->value,
                             namesOf(workflows));
  auto owner = [&] { return ("workflow '" + workflow->first + "'").str(); };
  Assignments assignments{workflow->second, "input", owner, call.range()};
  checkAssignments(program, context, assignments, inputsOf(call));
  if (const Node *values = inputsOf(call); values && values->isMapping())
    for (const auto &[input, definition] : workflow->second)
      if (const Node *value = values->find(input))
        checkFeeds(*definition, *value);
}

//===----------------------------------------------------------------------===//
// Delegated workflows
//===----------------------------------------------------------------------===//

/// The workflows that interface types have intents for.
static llvm::SetVector<StringRef> intentsOf(const Program &program) {
  llvm::SetVector<StringRef> found;
  for (const TypeDecl &type : program.types) {
    const Node *metadata = type.kind == EntityKind::InterfaceType && type.entity
                               ? type.entity->value(Key::Metadata)
                               : nullptr;
    if (!metadata || !metadata->isMapping())
      continue;
    for (const syntax::Entry &entry : metadata->entries())
      if (StringRef mark = entry.key.isScalar() ? entry.key.text() : "";
          mark.consume_front("intent."))
        found.insert(mark);
  }
  return found;
}

/// What is delegated to a node is an intent, or a workflow of the service that
/// substitutes it, which is not known here.
void ActivityChecker::checkDelegate(const Entity &call,
                                    llvm::ArrayRef<ActivityTarget> targets) {
  const Field *name = call.find(Key::Workflow);
  bool isInside = llvm::any_of(targets, [](const ActivityTarget &target) {
    return !target.node || !target.type->valid ||
           target.node->hasDirective("substitute") ||
           target.node->hasDirective("select");
  });
  if (!name || !name->valid || isInside || targets.empty() ||
      context.scope.isOlder())
    return;
  llvm::SetVector<StringRef> known = intentsOf(program);
  bool hasMachines = !known.empty() && !context.scope.file->isIncomplete;
  for (const auto &[workflow, inputs] : context.service->workflows)
    known.insert(workflow);
  for (const auto &[event, inputs] : context.service->events)
    known.insert(event);
  if (hasMachines && !known.contains(name->value->text()))
    reportUnknownName(program, "workflow", *name->value, known.getArrayRef());
}

void sema::checkActivities(Program &program, const ExprContext &context,
                           llvm::ArrayRef<Entity> activities,
                           llvm::ArrayRef<ActivityTarget> targets) {
  ActivityChecker checker(program, context);
  for (const Entity &activity : activities) {
    if (!activity.valid)
      continue;
    for (const Field &field : activity.fields) {
      if (field.entities.empty())
        continue;
      if (field.key == Key::CallOperation)
        checker.checkCall(field.entities.front(), targets);
      if (field.key == Key::Delegate && context.service)
        checker.checkDelegate(field.entities.front(), targets);
      if (field.key == Key::Inline && context.service)
        checker.checkInline(field.entities.front());
    }
  }
}
