//===- ParseWorkflow.cpp - Workflows in the graph's text form -------------===//

#include "WorkflowParser.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

bool WorkflowParser::parseWorkflow(Subgraph &subgraph) {
  Workflow workflow;
  workflow.range = text.here();
  SmallVector<Argument> inputs;
  SmallVector<Handler> handlers;
  SmallVector<OutputMapping> outputs;
  SmallVector<WorkflowStep> steps;
  pendingSteps.clear();
  if (!text.readName(workflow.name) ||
      !machines.readCondition(workflow.precondition))
    return false;
  workflow.othersRest = text.consume("alone");
  if (text.consume("after")) {
    bool isSource = text.consume("source");
    if (!isSource && !text.consume("target"))
      return text.fail("source or target");
    workflow.order =
        isSource ? Workflow::Order::Source : Workflow::Order::Target;
  }
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("input"))
      return machines.parseArgument(inputs);
    if (text.consume("handler"))
      return machines.parseHandler(handlers);
    if (text.consume("output"))
      return machines.parseMapping(outputs);
    if (text.consume("step"))
      return parseStep(steps);
    return text.fail("input, handler, output or step");
  });
  if (!good || !linkSteps(steps))
    return false;
  workflow.inputs = save(inputs);
  workflow.handlers = save(handlers);
  workflow.outputs = save(outputs);
  workflow.steps = save(steps);
  subgraph.workflows.push_back(workflow);
  return true;
}

bool WorkflowParser::parseStep(SmallVectorImpl<WorkflowStep> &steps) {
  WorkflowStep step;
  uint32_t number = steps.size();
  step.range = text.here();
  SmallVector<uint32_t> instances;
  auto readInstance = [&] { return text.readNumber(instances.emplace_back()); };
  if (!text.readName(step.name) ||
      (text.consume("target") && !text.readName(step.target)) ||
      (text.consume("instances") && !text.readList(readInstance)) ||
      (text.consume("relationship") &&
       !text.readName(step.targetRelationship)) ||
      !machines.readCondition(step.filter))
    return false;
  auto readNext = [&](llvm::StringRef keyword, bool onSuccess) {
    if (!text.consume(keyword))
      return true;
    PendingStep &pending = pendingSteps.emplace_back();
    pending.step = number;
    pending.onSuccess = onSuccess;
    return text.readList(
        [&] { return text.readLabel(pending.next.emplace_back()); });
  };
  if (!readNext("success", /*onSuccess=*/true) ||
      !readNext("failure", /*onSuccess=*/false))
    return false;
  SmallVector<Activity> activities;
  if (text.isAt("{") &&
      !text.readBlock([&] { return parseActivity(activities); }))
    return false;
  step.instances = save(instances);
  step.activities = save(activities);
  steps.push_back(step);
  return true;
}

bool WorkflowParser::linkSteps(llvm::MutableArrayRef<WorkflowStep> steps) {
  Labels labels;
  for (auto [i, step] : llvm::enumerate(steps))
    labels.add(step.name, i);
  for (const PendingStep &pending : pendingSteps) {
    SmallVector<uint32_t> next;
    for (const Label &label : pending.next) {
      auto found = labels.find(label);
      if (!found)
        return unknown("step", label);
      next.push_back(*found);
    }
    WorkflowStep &step = steps[pending.step];
    (pending.onSuccess ? step.onSuccess : step.onFailure) = save(next);
  }
  return true;
}

bool WorkflowParser::parseActivity(SmallVectorImpl<Activity> &activities) {
  using Kind = Activity::Kind;
  Activity activity{};
  activity.range = text.here();
  bool good;
  if (text.consume("call")) {
    activity.kind = Kind::CallOperation;
    good =
        text.readName(activity.interface) && text.readName(activity.operation);
  } else if (text.consume("set")) {
    activity.kind = Kind::SetState;
    good = text.readName(activity.interface) &&
           text.readName(activity.operation) && text.expect("=") &&
           text.readLiteral(activity.value);
  } else if (text.consume("delegate")) {
    activity.kind = Kind::Delegate;
    good = text.readName(activity.workflow);
  } else if (text.consume("inline")) {
    activity.kind = Kind::Inline;
    good = text.readName(activity.workflow);
  } else {
    return text.fail("call, set, delegate or inline");
  }
  if (!good || !machines.parseArguments(activity.inputs))
    return false;
  activities.push_back(activity);
  return true;
}

bool WorkflowParser::parsePolicy(Subgraph &subgraph) {
  PolicyTrigger policy;
  policy.range = text.here();
  SmallVector<Name> targets;
  SmallVector<Activity> actions;
  if (!text.readName(policy.name) || !text.expect("event") ||
      !text.readName(policy.event) ||
      (text.consume("targets") && !text.readNames(targets)) ||
      !machines.readCondition(policy.condition) ||
      (text.isAt("{") &&
       !text.readBlock([&] { return parseActivity(actions); })))
    return false;
  policy.targets = save(targets);
  policy.actions = save(actions);
  subgraph.policies.push_back(policy);
  return true;
}
