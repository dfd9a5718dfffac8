//===- PolicyEvents.cpp - What policies listen to -------------------------===//

#include "PolicyEvents.h"

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

/// The call of one operation is an event. A longer list of activities is run by
/// the operation that stands for the trigger, as a workflow would be.
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

/// Sends what \p listener listens to.
static void tell(Program &program, const PolicyListener &listener,
                 ir::Path service, SourceRange range,
                 SmallVectorImpl<ir::Trigger> &into) {
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
      tell(program, listener, path, range, result);
  return result;
}

SmallVector<ir::Trigger> sema::tellPolicies(Program &program,
                                            const ServiceScope &service,
                                            StringRef event, ir::Path sender,
                                            SourceRange range) {
  SmallVector<ir::Trigger> result;
  for (const PolicyListener &listener : service.listeners)
    if (listener.event == event)
      tell(program, listener, sender, range, result);
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
