//===- LowerPolicies.cpp - Triggers of policies ---------------------------===//
///
/// \file
/// TOSCA 2.0 §16.5. SELF in a policy is the policy. Later stages know none, so
/// the values of its properties take the place of queries for them.
///
//===----------------------------------------------------------------------===//

#include "LowerActivities.h"
#include "TOSCA/Machines/PolicyEvents.h"

#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

class PolicyLowering {
public:
  PolicyLowering(Lowering &lowering, const ServiceScope &service,
                 const Template &policy)
      : lowering(lowering), service(service), policy(policy),
        site(siteOf(service, Origin::Service, policy.flat())) {}

  std::vector<ir::PolicyTrigger> run();

private:
  ir::PolicyTrigger lowerTrigger(const Layer &trigger);
  Expr inlined(const Expr &expr);
  std::optional<Expr> propertyAsked(const Expr &query);
  llvm::ArrayRef<ir::Activity> inlined(llvm::SmallVector<ir::Activity> actions);

  Lowering &lowering;
  const ServiceScope &service;
  const Template &policy;
  Site site;
  std::vector<Assignment> properties;
  llvm::SmallVector<Name> targets;
  llvm::SmallVector<const Flat *> targetTypes;
};

} // namespace

std::vector<ir::PolicyTrigger> PolicyLowering::run() {
  if (const Field *field = policy.find(Key::Targets))
    for (const Node &name : field->value->items()) {
      targets.push_back(lowering.intern(name.text()));
      for (const ActivityTarget &target :
           findTargets(lowering.program, service, name))
        targetTypes.push_back(target.type);
    }
  const Field *values = policy.find(Key::Properties);
  properties =
      lowerAssignments(lowering, site, policy.flat()->members(Key::Properties),
                       values ? values->value : nullptr);
  std::vector<ir::PolicyTrigger> result;
  for (const auto &[name, trigger] : triggersOf(service, policy))
    result.push_back(lowerTrigger(trigger));
  return result;
}

ir::PolicyTrigger PolicyLowering::lowerTrigger(const Layer &trigger) {
  const Entity &entity = *trigger.entity;
  ir::PolicyTrigger result;
  result.name = lowering.intern(
      (policy.entity->name.str() + "." + entity.name.str()).str());
  result.event = lowering.intern(entity.text(Key::Event));
  result.targets = lowering.save(targets);
  result.range = entity.range();
  Site inType{{*trigger.scope, policy.flat()}, Origin::Service};
  const Site &here = trigger.scope == &service.scope ? site : inType;
  if (const Field *condition = entity.find(Key::Condition))
    if (const Expr *expr = lowerCondition(lowering, here, *condition->value))
      result.condition = lowering.program.arena.make(inlined(*expr));
  result.actions = inlined(lowerActivities(lowering, here, targetTypes,
                                           entity.entities(Key::Action)));
  return result;
}

llvm::ArrayRef<ir::Activity>
PolicyLowering::inlined(llvm::SmallVector<ir::Activity> actions) {
  for (ir::Activity &action : actions) {
    llvm::SmallVector<ir::Argument> inputs(action.inputs);
    for (ir::Argument &input : inputs)
      if (input.value)
        input.value = lowering.program.arena.make(inlined(*input.value));
    action.inputs = lowering.save(inputs);
  }
  return lowering.save(actions);
}

/// What \p query, with SELF as its first step, asks for, if it is a property
/// of the policy.
std::optional<Expr> PolicyLowering::propertyAsked(const Expr &query) {
  llvm::ArrayRef<Expr> steps = query.children();
  auto isWord = [](const Expr &step, StringRef word) {
    return step.isLiteral() && step.value().isString() &&
           step.value().asString() == word;
  };
  if (steps.size() < 2 || !isWord(steps[0], "SELF"))
    return std::nullopt;
  auto property = llvm::find_if(properties, [&](const Assignment &assignment) {
    return isWord(steps[1], assignment.name.str());
  });
  if (property == properties.end() || !property->value)
    return std::nullopt;
  if (steps.size() == 2)
    return *property->value;
  llvm::SmallVector<Value> keys;
  for (const Expr &key : steps.drop_front(2))
    if (key.isLiteral())
      keys.push_back(key.value());
  if (!property->value->isLiteral() || keys.size() + 2 != steps.size())
    return std::nullopt;
  Evaluation part = select(property->value->value(), keys, query.range());
  if (!part.isKnown())
    return std::nullopt;
  return Expr::literal(part.value(), query.range());
}

Expr PolicyLowering::inlined(const Expr &expr) {
  if (expr.children().empty())
    return expr;
  if (expr.isCall(Function::GetProperty) || expr.isCall(Function::GetAttribute))
    if (std::optional<Expr> value = propertyAsked(expr))
      return *value;
  llvm::SmallVector<Expr> children;
  for (const Expr &child : expr.children())
    children.push_back(inlined(child));
  return withChildren(expr, lowering.save(children));
}

std::vector<ir::PolicyTrigger> sema::lowerPolicy(Lowering &lowering,
                                                 const ServiceScope &service,
                                                 const Template &policy) {
  return PolicyLowering(lowering, service, policy).run();
}

//===----------------------------------------------------------------------===//
// The machine of what policies listen to
//===----------------------------------------------------------------------===//

/// What \p call sends to each of the targets that has the operation.
static llvm::ArrayRef<ir::Trigger> lowerCall(Lowering &lowering,
                                             const PolicyListener &listener,
                                             const ir::Activity &call) {
  llvm::SmallVector<ir::Trigger> triggers;
  for (const Template *target : listener.targets) {
    const Flat *interface =
        findInterface(*target->flat(), call.interface.str());
    if (!interface || !interface->member(Key::Operations, call.operation.str()))
      continue;
    llvm::SmallVector<ir::PathStep, 1> path = {
        {ir::PathStep::Kind::Node, target->entity->name}};
    ir::Trigger trigger;
    trigger.receiver = {lowering.save(path), call.range};
    trigger.interface = interface->name;
    trigger.operation = call.operation;
    trigger.inputs = call.inputs;
    trigger.range = call.range;
    triggers.push_back(trigger);
  }
  return lowering.save(triggers);
}

std::vector<ir::MachineId>
sema::lowerPolicyMachine(Lowering &lowering, const ServiceScope &service,
                         llvm::ArrayRef<ir::PolicyTrigger> triggers) {
  llvm::SmallVector<ir::Operation> operations;
  for (const PolicyListener &listener : service.listeners) {
    const auto *trigger =
        llvm::find_if(triggers, [&](const ir::PolicyTrigger &other) {
          return other.name == listener.name;
        });
    if (!listener.isHeard || trigger == triggers.end())
      continue;
    ir::Operation operation;
    operation.name = trigger->name;
    operation.precondition = trigger->condition;
    if (listener.isOneCall)
      operation.success.triggers =
          lowerCall(lowering, listener, trigger->actions.front());
    operation.range = trigger->range;
    operations.push_back(operation);
  }
  if (operations.empty())
    return {};
  ir::Machine machine;
  machine.interface = machine.type = lowering.intern(policyInterface);
  machine.operations = lowering.save(operations);
  machine.range = service.entity.range();
  lowering.result.machines.push_back(machine);
  return {{static_cast<uint32_t>(lowering.result.machines.size() - 1)}};
}
