//===- CheckWorkflows.cpp - Imperative workflows --------------------------===//
///
/// \file
/// TOSCA 2.0 §13.2: steps, their targets and what follows. A workflow starts
/// with the steps that no other leads to.
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "CheckActivities.h"
#include "CheckDefinitions.h"
#include "EntityGraph.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

class WorkflowChecker {
public:
  WorkflowChecker(Program &program, const ServiceScope &service,
                  const Entity &workflow, const Flat::Members &inputs)
      : program(program), service(service), workflow(workflow), inputs(inputs),
        context{service.scope} {
    context.service = &service;
    context.workflowInputs = &inputs;
    context.isComplete = true;
    for (const Entity &step : workflow.entities(Key::Steps))
      steps.insert(step.name.str());
  }

  void run();

private:
  void checkStep(const Entity &step);
  void checkFollowers(const Entity &step, Key key);
  llvm::SmallVector<ActivityTarget, 2> targetsOf(const Entity &step);

  Program &program;
  const ServiceScope &service;
  const Entity &workflow;
  const Flat::Members &inputs;
  ExprContext context;
  /// The names of all steps.
  llvm::SetVector<StringRef> steps;
};

/// The names that a keyname gives, one or several.
llvm::ArrayRef<Node> namesIn(const Field *field) {
  if (!field || !field->valid)
    return {};
  if (field->value->isSequence())
    return field->value->items();
  return *field->value;
}

} // namespace

void WorkflowChecker::run() {
  for (const auto &[name, input] : inputs)
    checkDefinitions(program, *input, context);
  if (const Field *condition = workflow.find(Key::Precondition);
      condition && condition->valid && !condition->value->isSequence())
    checkConditionNode(program, context, *condition->value);
  if (const Field *outputs = workflow.find(Key::Outputs);
      outputs && outputs->valid)
    for (const syntax::Entry &entry : outputs->value->entries())
      checkAttributePath(program, context, entry.value);
  for (const Entity &step : workflow.entities(Key::Steps))
    if (step.valid)
      checkStep(step);
}

void WorkflowChecker::checkStep(const Entity &step) {
  llvm::SmallVector<ActivityTarget, 2> targets = targetsOf(step);
  ExprContext inner = context;
  if (targets.size() == 1) {
    inner.self = targets[0].type;
    inner.node = targets[0].node;
  }
  for (const Node &condition : namesIn(step.find(Key::Filter)))
    if (condition.isMapping())
      checkConditionNode(program, inner, condition);
  checkActivities(program, inner, step.entities(Key::Activities), targets);
  checkFollowers(step, Key::OnSuccess);
  checkFollowers(step, Key::OnFailure);
}

void WorkflowChecker::checkFollowers(const Entity &step, Key key) {
  for (const Node &name : namesIn(step.find(key)))
    if (!steps.contains(name.text()))
      reportUnknownName(program, "workflow step", name, steps.getArrayRef());
}

/// What a step's operations are called on: nodes, or the relationships of the
/// requirement that `target_relationship` names.
llvm::SmallVector<ActivityTarget, 2>
WorkflowChecker::targetsOf(const Entity &step) {
  const Field *field = step.find(Key::Target);
  if (!field || !field->valid)
    return {};
  llvm::SmallVector<ActivityTarget, 2> targets =
      findTargets(program, service, *field->value);
  const Field *relationship = step.find(Key::TargetRelationship);
  if (!relationship || !relationship->valid)
    return targets;
  StringRef name = field->value->text();
  if (service.groups.count(name) && !service.nodes.count(name)) {
    program.diags.report(relationship->range(), diag::RelationshipOfGroup,
                         name);
    return {};
  }
  llvm::SmallVector<ActivityTarget, 2> made;
  for (const ActivityTarget &target : targets) {
    const Flat::Members &requirements = target.type->members(Key::Requirements);
    const Flat *requirement = requirements.lookup(relationship->value->text());
    if (!requirement)
      reportUnknownName(program, "requirement", *relationship->value,
                        namesOf(requirements));
    else if (const Flat *type = requirement->nested(Key::Relationship))
      made.push_back({type});
  }
  return made;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static CsrGraph orderOf(llvm::ArrayRef<Entity> steps,
                        llvm::ArrayRef<Key> keys) {
  return graphOf(steps, [&](const Entity &step) {
    std::vector<StringRef> names;
    for (Key key : keys)
      for (const Node &name : namesIn(step.find(key)))
        names.push_back(name.text());
    return names;
  });
}

/// Where the last of \p steps that leads to the step \p name says so.
static const Node *leadingTo(llvm::ArrayRef<Entity> steps, StringRef name) {
  const Node *found = nullptr;
  for (const Entity &step : steps)
    for (Key key : {Key::OnSuccess, Key::OnFailure})
      for (const Node &follower : namesIn(step.find(key)))
        if (follower.text() == name)
          found = &follower;
  return found;
}

/// Steps in a cycle that nothing leads into never run; those in a cycle of
/// successes never end.
static void checkOrder(Program &program, llvm::ArrayRef<Entity> steps) {
  CsrGraph all = orderOf(steps, {Key::OnSuccess, Key::OnFailure});
  std::vector<bool> isFollower(steps.size()), reached(steps.size());
  for (uint32_t i = 0; i != all.size(); ++i)
    for (uint32_t follower : all.successors(i))
      isFollower[follower] = isFollower[follower] || follower != i;
  for (uint32_t i = 0; i != all.size(); ++i)
    if (!isFollower[i])
      reach(all, i, reached);
  bool allRun = true;
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (reached[i])
      continue;
    // What it leads to is not reported again, nor that it is a cycle.
    reach(all, i, reached);
    allRun = false;
    // What leads back to it closes the circle.
    const Node *back = leadingTo(steps, step.name.str());
    auto report = program.diags.report(back ? back->range() : step.range(),
                                       diag::UnreachableStep, step.name.str());
    if (back)
      report.note(step.range(), diag::DeclaredHere, step.name.str());
  }
  if (!allRun)
    return;
  for (const Cycle &cycle : findCycles(orderOf(steps, {Key::OnSuccess})))
    program.diags.report(steps[cycle[0]].range(), diag::EndlessWorkflow,
                         describeCycle(steps, cycle));
}

/// Deeper than anybody inlines workflows; those who follow them count on it.
static constexpr size_t maxInlining = 100;

/// A workflow that inlines itself never ends.
static void checkInlining(Program &program, llvm::ArrayRef<Entity> workflows) {
  CsrGraph inlined = graphOf(workflows, [](const Entity &workflow) {
    std::vector<StringRef> names;
    for (const Entity &step : workflow.entities(Key::Steps))
      for (const Entity &activity : step.entities(Key::Activities))
        for (const Entity &call : activity.entities(Key::Inline))
          names.push_back(call.text(Key::Workflow));
    return names;
  });
  for (const Cycle &cycle : findCycles(inlined))
    program.diags.report(workflows[cycle[0]].range(), diag::RecursiveWorkflow,
                         describeCycle(workflows, cycle));
  if (const Entity *deepest = findDeepest(workflows, inlined, maxInlining))
    program.diags.report(deepest->range(), diag::InlinedTooDeep, maxInlining);
}

void sema::checkWorkflows(Program &program, const ServiceScope &service) {
  llvm::ArrayRef<Entity> workflows = service.entity.entities(Key::Workflows);
  for (const Entity &workflow : workflows) {
    if (!workflow.valid)
      continue;
    const Flat::Members &inputs =
        service.workflows.find(workflow.name.str())->second;
    WorkflowChecker(program, service, workflow, inputs).run();
    checkArtifacts(program, {service.scope}, workflow);
    checkOrder(program, workflow.entities(Key::Steps));
  }
  checkInlining(program, workflows);
}
