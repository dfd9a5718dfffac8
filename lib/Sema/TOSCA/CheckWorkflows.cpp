//===- CheckWorkflows.cpp - Imperative workflows --------------------------===//
///
/// \file
/// TOSCA 2.0 §13.2: steps, their targets, what they do and what follows.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "CheckAssignments.h"
#include "CheckDefinitions.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

class WorkflowChecker {
public:
  WorkflowChecker(Program &program, ServiceScope &service,
                  const Entity &workflow)
      : program(program), service(service), workflow(workflow),
        context{service.scope} {
    context.service = &service;
    context.workflowInputs = &inputs;
  }

  void run();

private:
  void checkStep(const Entity &step);
  void checkFollowers(const Entity &step, Key key);
  const Flat *findTarget(const Entity &step);
  void checkActivity(const Entity &activity, const Flat *target);
  void checkCall(const Entity &call, const Flat &target);
  void checkCallInputs(const Entity &call, const Flat &interface,
                       const Flat &operation, StringRef name);
  void checkFeeds(const Flat &parameter, const Node &value);
  void checkWorkflowName(const Entity &call);

  Program &program;
  ServiceScope &service;
  const Entity &workflow;
  Flat::Members inputs;
  ExprContext context;
};

} // namespace

void WorkflowChecker::run() {
  inputs = flattenDefinitions(program, service.scope, workflow, Key::Inputs);
  for (const auto &[name, input] : inputs)
    checkDefinitions(program, *input, context);
  if (const Field *condition = workflow.find(Key::Precondition);
      condition && condition->valid && !condition->value->isSequence())
    checkConditionNode(program, context, *condition->value);
  for (const Entity &step : workflow.entities(Key::Steps))
    if (step.valid)
      checkStep(step);
}

void WorkflowChecker::checkStep(const Entity &step) {
  const Flat *target = findTarget(step);
  for (const Entity &activity : step.entities(Key::Activities))
    if (activity.valid)
      checkActivity(activity, target);
  checkFollowers(step, Key::OnSuccess);
  checkFollowers(step, Key::OnFailure);
}

void WorkflowChecker::checkFollowers(const Entity &step, Key key) {
  const Field *field = step.find(key);
  if (!field || !field->valid)
    return;
  llvm::ArrayRef<Node> names = *field->value;
  if (field->value->isSequence())
    names = field->value->items();
  llvm::SmallVector<StringRef> steps;
  for (const Entity &other : workflow.entities(Key::Steps))
    steps.push_back(other.name.str());
  for (const Node &name : names)
    if (!llvm::is_contained(steps, name.text()))
      reportUnknownName(program, "workflow step", name, steps);
}

/// The type that a step's operations are looked up in: the node's, or that of
/// the relationship which `target_relationship` names.
const Flat *WorkflowChecker::findTarget(const Entity &step) {
  const Field *field = step.find(Key::Target);
  if (!field || !field->valid)
    return nullptr;
  auto node = service.nodes.find(field->value->text());
  if (node == service.nodes.end()) {
    if (!service.groups.contains(field->value->text())) {
      auto known = namesOf(service.nodes);
      llvm::append_range(known, namesOf(service.groups));
      reportUnknownName(program, "node template or group", *field->value,
                        known);
    }
    return nullptr;
  }
  const Flat *type = node->second.flat();
  const Field *relationship = step.find(Key::TargetRelationship);
  if (!type || !relationship || !relationship->valid)
    return type;
  const Flat::Members &requirements = type->members(Key::Requirements);
  const Flat *requirement = requirements.lookup(relationship->value->text());
  if (!requirement) {
    reportUnknownName(program, "requirement", *relationship->value,
                      namesOf(requirements));
    return nullptr;
  }
  return requirement->nested(Key::Relationship);
}

void WorkflowChecker::checkActivity(const Entity &activity,
                                    const Flat *target) {
  for (const Field &field : activity.fields) {
    if (field.entities.empty())
      continue;
    const Entity &call = field.entities.front();
    if (field.key == Key::CallOperation && target)
      checkCall(call, *target);
    if (field.key == Key::Inline)
      checkWorkflowName(call);
  }
}

void WorkflowChecker::checkWorkflowName(const Entity &call) {
  const Field *name = call.find(Key::Workflow);
  llvm::SmallVector<StringRef> known;
  for (const Entity &other : service.entity.entities(Key::Workflows))
    known.push_back(other.name.str());
  if (name && name->valid && !llvm::is_contained(known, name->value->text()))
    reportUnknownName(program, "workflow", *name->value, known);
}

/// `interface.operation`; interface names may contain dots themselves.
void WorkflowChecker::checkCall(const Entity &call, const Flat &target) {
  const Field *field = call.find(Key::Operation);
  if (!field || !field->valid)
    return;
  const Node &name = *field->value;
  auto [interfaceName, operationName] = name.text().rsplit('.');
  const Flat::Members &interfaces = target.members(Key::Interfaces);
  const Flat *interface = findInterface(target, interfaceName);
  if (interface)
    if (const Flat *operation =
            interface->member(Key::Operations, operationName))
      return checkCallInputs(call, *interface, *operation, name.text());
  std::vector<std::string> callable;
  for (const auto &[prefix, members] : interfaces)
    for (const auto &[suffix, operation] : members->members(Key::Operations))
      callable.push_back((prefix + "." + suffix).str());
  llvm::SmallVector<StringRef> known(callable.begin(), callable.end());
  reportUnknownName(program, "operation", name, known);
}

void WorkflowChecker::checkCallInputs(const Entity &call, const Flat &interface,
                                      const Flat &operation, StringRef name) {
  llvm::SmallVector<Flat::Members::Entry> own;
  llvm::append_range(own, operation.members(Key::Inputs));
  Flat::Members declared =
      interface.members(Key::Inputs).with(own, program.memberArena);
  const Field *field = call.find(Key::Inputs);
  const Node *values = field && field->valid ? field->value : nullptr;
  Assignments assignments{declared, "input",
                          ("the call of '" + name + "'").str(), call.range()};
  assignments.open = true;
  // Without `inputs`, the assignments in the node template count.
  assignments.complete = values != nullptr;
  checkAssignments(program, context, assignments, values);
  if (values && values->isMapping())
    for (const auto &[input, definition] : declared)
      if (const Node *value = values->find(input))
        checkFeeds(*definition, *value);
}

/// An optional workflow input may stay without a value, so that it cannot feed
/// a required one.
void WorkflowChecker::checkFeeds(const Flat &parameter, const Node &value) {
  if (!isRequired(parameter) || !value.isMapping() ||
      value.entries().size() != 1)
    return;
  const auto &[function, argument] = value.entries().front();
  bool isInput =
      function.isScalar() && function.text().ltrim('$') == "get_input";
  if (!isInput || !argument.isScalar())
    return;
  const Flat *source = inputs.lookup(argument.text());
  if (source && !isRequired(*source) && !source->find(Key::Default) &&
      !source->find(Key::Value))
    program.diags
        .report(value.range(), diag::OptionalFeedsRequired, argument.text(),
                parameter.name.str())
        .note(source->range(), diag::DeclaredHere, argument.text())
        .note(parameter.range(), diag::DeclaredHere, parameter.name.str());
}

void sema::checkWorkflows(Program &program, ServiceScope &service) {
  for (const Entity &workflow : service.entity.entities(Key::Workflows))
    if (workflow.valid)
      WorkflowChecker(program, service, workflow).run();
}
