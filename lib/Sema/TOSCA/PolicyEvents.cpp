//===- PolicyEvents.cpp - What policies listen to -------------------------===//

#include "PolicyEvents.h"

#include "CheckActivities.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using syntax::Node;

llvm::MapVector<StringRef, Layer> sema::triggersOf(const ServiceScope &service,
                                                   const Template &policy) {
  llvm::MapVector<StringRef, Layer> triggers;
  if (policy.flat())
    for (const auto &[name, trigger] : policy.flat()->members(Key::Triggers))
      triggers[name] = trigger->layers.front();
  for (const Entity &trigger : policy.entity->entities(Key::Triggers))
    triggers[trigger.name.str()] = {&trigger, &service.scope};
  return triggers;
}

/// Calls of one operation are events that plans know; a list of activities is
/// what workflows are for.
static bool isOneCall(const Entity &trigger) {
  ArrayRef<Entity> actions = trigger.entities(Key::Action);
  return actions.size() == 1 && actions.front().fields.size() == 1 &&
         actions.front().find(Key::CallOperation);
}

std::vector<PolicyListener> sema::findListeners(Program &program,
                                                const ServiceScope &service) {
  std::vector<PolicyListener> result;
  for (const auto &[policyName, policy] : service.policies) {
    SmallVector<const Template *> targets;
    if (const Field *field = policy.find(Key::Targets); field && field->valid)
      for (const Node &name : field->value->items())
        if (service.nodes.contains(name.text()) ||
            service.groups.contains(name.text()))
          for (const ActivityTarget &target :
               findTargets(program, service, name))
            if (!llvm::is_contained(targets, target.node))
              targets.push_back(target.node);
    for (const auto &[name, trigger] : triggersOf(service, policy)) {
      if (!trigger.entity->valid)
        continue;
      PolicyListener &listener = result.emplace_back();
      listener.name = program.names.intern((policyName + "." + name).str());
      listener.event = trigger.entity->text(Key::Event);
      listener.targets = targets;
      listener.isOneCall = isOneCall(*trigger.entity);
      listener.range = trigger.entity->range();
    }
  }
  return result;
}

/// Whether \p listener means \p notification of an interface, with or without
/// its name.
static bool means(const PolicyListener &listener, StringRef interface,
                  StringRef notification) {
  StringRef event = listener.event;
  if (event == notification)
    return true;
  return event.consume_front(interface) && event.consume_front(".") &&
         event == notification;
}

/// Sends \p event, which \p listener listens to, if it can act.
static void tell(Program &program, const PolicyListener &listener,
                 StringRef event, ir::Path service, SourceRange range,
                 SmallVectorImpl<ir::Trigger> &into) {
  if (!listener.isOneCall) {
    program.diags.report(listener.range, diag::PolicyOutsidePlans,
                         listener.name.str(), event, listener.event);
    return;
  }
  listener.isHeard = true;
  ir::Trigger trigger;
  trigger.receiver = service;
  trigger.interface = program.names.intern(policyInterface);
  trigger.operation = listener.name;
  trigger.range = range;
  into.push_back(trigger);
}

SmallVector<ir::Trigger>
sema::tellPolicies(Program &program, const ServiceScope &service,
                   const Template &node, StringRef interface,
                   StringRef notification, SourceRange range) {
  SmallVector<ir::PathStep, 1> toService = {{ir::PathStep::Kind::Service}};
  ir::Path path{program.arena.save(ArrayRef<ir::PathStep>(toService)), range};
  SmallVector<ir::Trigger> result;
  for (const PolicyListener &listener : service.listeners)
    if (llvm::is_contained(listener.targets, &node) &&
        means(listener, interface, notification))
      tell(program, listener, notification, path, range, result);
  return result;
}

SmallVector<ir::Trigger> sema::tellPolicies(Program &program,
                                            const ServiceScope &service,
                                            StringRef event, ir::Path sender,
                                            SourceRange range) {
  SmallVector<ir::Trigger> result;
  for (const PolicyListener &listener : service.listeners)
    if (listener.event == event)
      tell(program, listener, event, sender, range, result);
  return result;
}

bool sema::isHeard(const ServiceScope &service, const Template &node) {
  auto hears = [&](const PolicyListener &listener) {
    if (!llvm::is_contained(listener.targets, &node) || !node.flat())
      return false;
    for (const auto &[interface, definition] :
         node.flat()->members(Key::Interfaces))
      for (const auto &[name, notification] :
           definition->members(Key::Notifications))
        if (means(listener, interface, name))
          return true;
    return false;
  };
  return llvm::any_of(service.listeners, hears);
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

/// What \p call sends to each of the targets that has the operation.
static ArrayRef<ir::Trigger> lowerCall(Lowering &lowering,
                                       const PolicyListener &listener,
                                       const ir::Activity &call) {
  SmallVector<ir::Trigger> triggers;
  for (const Template *target : listener.targets) {
    const Flat *interface =
        findInterface(*target->flat(), call.interface.str());
    if (!interface || !interface->member(Key::Operations, call.operation.str()))
      continue;
    SmallVector<ir::PathStep, 1> path = {
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
                         ArrayRef<ir::PolicyTrigger> triggers) {
  SmallVector<ir::Operation> operations;
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
