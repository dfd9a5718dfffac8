//===- CheckTemplates.cpp - Templates against their types -----------------===//
///
/// \file
/// Node and relationship templates, groups and policies (TOSCA 2.0 §7.2, §7.4,
/// §16.2, §16.4).
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "CheckActivities.h"
#include "CheckDefinitions.h"
#include "EntityGraph.h"
#include "TOSCA/Machines/PolicyEvents.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

static const Node *valuesOf(const Field *field) {
  return field && field->valid ? field->value : nullptr;
}

static ExprContext contextOf(const ServiceScope &service,
                             const Template &self) {
  ExprContext context{service.scope, self.flat()};
  context.service = &service;
  context.isComplete = true;
  if (self.entity->kind == EntityKind::NodeTemplate)
    context.node = &self;
  if (self.entity->kind == EntityKind::RelationshipTemplate)
    context.relationship = &self;
  return context;
}

bool Template::hasDirective(StringRef directive) const {
  const Field *field = find(Key::Directives);
  return field && field->valid &&
         llvm::any_of(field->value->items(), [&](const Node &item) {
           return item.text() == directive;
         });
}

bool Template::isOnlySelected() const {
  const Field *field = find(Key::Directives);
  return field && field->valid && !field->value->items().empty() &&
         llvm::all_of(field->value->items(),
                      [](const Node &item) { return item.text() == "select"; });
}

/// Properties and attributes of anything that has a type.
static void checkValues(Program &program, const ServiceScope &service,
                        const Template &owner, bool complete) {
  const Flat &type = *owner.flat();
  ExprContext context = contextOf(service, owner);
  auto describe = [&] { return owner.describe(); };
  Assignments properties{type.members(Key::Properties), "property", describe,
                         owner.entity->range()};
  properties.complete = complete;
  properties.open = !type.valid;
  properties.around = owner.entity->node;
  checkAssignments(program, context, properties,
                   valuesOf(owner.find(Key::Properties)));
  Assignments attributes{type.members(Key::Attributes), "attribute", describe,
                         owner.entity->range()};
  attributes.complete = false;
  attributes.open = !type.valid;
  checkAssignments(program, context, attributes,
                   valuesOf(owner.find(Key::Attributes)));
}

static void checkCapabilities(Program &program, const ServiceScope &service,
                              const Template &node, bool complete) {
  const Flat &type = *node.flat();
  const Flat::Members &declared = type.members(Key::Capabilities);
  const Field *field = node.find(Key::Capabilities);
  llvm::ArrayRef<Entity> assigned;
  if (field)
    assigned = field->entities;
  llvm::StringMap<const Entity *> byName;
  for (const Entity &entity : assigned) {
    byName.try_emplace(entity.name.str(), &entity);
    program.use(entity.range(), declared.lookup(entity.name.str()));
    if (entity.valid && type.valid && !declared.contains(entity.name.str()))
      reportUnknownName(program, "capability", *entity.nameNode,
                        namesOf(declared));
  }
  for (const auto &[name, capability] : declared) {
    const Entity *entity = byName.lookup(name);
    bool isAssigned = entity != nullptr;
    SourceRange place = isAssigned ? entity->range() : node.entity->range();
    auto owner = [&, name = name] {
      return ("capability '" + name + "' of " + node.describe()).str();
    };
    ExprContext context = contextOf(service, node);
    Assignments properties{capability->members(Key::Properties), "property",
                           owner, place};
    properties.complete = complete && capability->valid;
    properties.open = !capability->valid;
    properties.around = isAssigned ? entity->node : nullptr;
    checkAssignments(program, context, properties,
                     isAssigned ? valuesOf(entity->find(Key::Properties))
                                : nullptr);
    Assignments attributes{capability->members(Key::Attributes), "attribute",
                           owner, place};
    attributes.complete = false;
    attributes.open = !capability->valid;
    checkAssignments(program, context, attributes,
                     isAssigned ? valuesOf(entity->find(Key::Attributes))
                                : nullptr);
  }
}

void sema::checkDirectives(Program &program, const Entity &entity,
                           llvm::ArrayRef<StringRef> known) {
  const Field *field = entity.find(Key::Directives);
  if (!field || !field->valid)
    return;
  for (const Node &directive : field->value->items())
    if (!llvm::is_contained(known, directive.text()))
      reportUnknownName(program, "directive", directive, known);
}

static constexpr StringRef nodeDirectives[] = {"create", "select",
                                               "substitute"};

static void checkFilter(Program &program, const ServiceScope &service,
                        const Template &node) {
  const Field *filter = node.find(Key::NodeFilter);
  if (!filter || !filter->valid)
    return;
  const Field *directives = node.find(Key::Directives);
  // A directive that is unknown may have been meant to be this one.
  bool areKnown =
      !directives || !directives->valid ||
      llvm::all_of(directives->value->items(), [](const Node &directive) {
        return llvm::is_contained(nodeDirectives, directive.text());
      });
  if (areKnown && !node.hasDirective("select"))
    program.diags.report(filter->range(), diag::FilterWithoutSelect,
                         node.describe());
  checkConditionNode(program, contextOf(service, node), *filter->value);
}

void sema::checkNodeTemplate(Program &program, const ServiceScope &service,
                             const Template &node) {
  checkDirectives(program, *node.entity, nodeDirectives);
  if (!node.flat())
    return;
  // A selected node is there already; nothing of it is set here.
  bool complete =
      node.type->valid && node.isWhole && !node.hasDirective("select");
  checkValues(program, service, node, complete);
  checkCapabilities(program, service, node, complete);
  checkFilter(program, service, node);
  if (const Field *interfaces = node.find(Key::Interfaces))
    checkInterfaces(program, contextOf(service, node), node.describe(),
                    *interfaces);
  checkArtifacts(program, contextOf(service, node), *node.entity);
  if (const Field *count = node.find(Key::Count); count && count->valid)
    checkValueNode(program, contextOf(service, node), *count->value,
                   builtinType(TypeKind::Integer));
  if (node.type->valid)
    checkRequirements(program, service, node);
}

void sema::checkRelationshipTemplate(Program &program,
                                     const ServiceScope &service,
                                     const Template &relationship) {
  if (!relationship.flat())
    return;
  checkValues(program, service, relationship,
              relationship.type->valid && relationship.isWhole);
  if (const Field *interfaces = relationship.find(Key::Interfaces))
    checkInterfaces(program, contextOf(service, relationship),
                    relationship.describe(), *interfaces);
  checkArtifacts(program, contextOf(service, relationship),
                 *relationship.entity);
}

//===----------------------------------------------------------------------===//
// Groups and policies
//===----------------------------------------------------------------------===//

/// Members and targets are node templates or groups; the type may restrict
/// their types.
static void checkMembers(Program &program, const ServiceScope &service,
                         const Template &owner, Key key, StringRef noun) {
  const Field *field = owner.find(key);
  if (!field || !field->valid)
    return;
  llvm::SmallVector<const TypeDecl *> allowed;
  Flat::Found list = owner.flat() ? owner.flat()->find(key) : Flat::Found();
  if (list && list.field->valid)
    for (const Node &name : list.field->value->items())
      for (EntityKind kind : {EntityKind::NodeType, EntityKind::GroupType})
        if (const TypeDecl *type = list.scope->find(kind, name.text()))
          allowed.push_back(type);
  for (const Node &name : field->value->items()) {
    auto node = service.nodes.find(name.text());
    auto group = service.groups.find(name.text());
    if (node == service.nodes.end() && group == service.groups.end()) {
      auto known = namesOf(service.nodes);
      llvm::append_range(known, namesOf(service.groups));
      reportUnknownName(program, "node template or group", name, known);
      continue;
    }
    const Template &member =
        node != service.nodes.end() ? node->second : group->second;
    program.use(name.range(), member.entity);
    const TypeDecl *type = member.type;
    bool fits = allowed.empty() || !type || !type->valid ||
                llvm::any_of(allowed, [&](const TypeDecl *parent) {
                  return type->isDerivedFrom(*parent);
                });
    if (!fits)
      program.diags
          .report(name.range(), diag::WrongMemberType, noun, name.text(),
                  displayName(program, service.scope, *type), owner.describe())
          .note(list.field->range(), diag::AllowedHere);
  }
}

void sema::checkGroup(Program &program, const ServiceScope &service,
                      const Template &group) {
  checkMembers(program, service, group, Key::Members, "member");
  if (group.flat())
    checkValues(program, service, group, group.type->valid);
}

/// Deeper than anybody nests groups; those who follow members count on it.
static constexpr size_t maxGroupDepth = 100;

void sema::checkGroupNesting(Program &program, const ServiceScope &service) {
  llvm::ArrayRef<Entity> groups = service.entity.entities(Key::Groups);
  CsrGraph members = graphOf(groups, [&](const Entity &group) {
    std::vector<StringRef> names;
    if (const Field *field = group.find(Key::Members); field && field->valid)
      for (const Node &name : field->value->items())
        if (!service.nodes.contains(name.text()))
          names.push_back(name.text());
    return names;
  });
  for (const Cycle &cycle : findCycles(members))
    program.diags.report(groups[cycle[0]].range(), diag::GroupCycle,
                         describeCycle(groups, cycle));
  if (const Entity *deepest = findDeepest(groups, members, maxGroupDepth))
    program.diags.report(deepest->range(), diag::GroupTooDeep, maxGroupDepth);
}

/// The notifications of \p targets, with and without their interface.
static std::vector<std::string>
notificationsOf(llvm::ArrayRef<ActivityTarget> targets) {
  std::vector<std::string> names;
  for (const ActivityTarget &target : targets)
    for (const auto &[prefix, interface] :
         target.type->members(Key::Interfaces))
      for (const auto &[name, notification] :
           interface->members(Key::Notifications)) {
        names.push_back(name.str());
        names.push_back((prefix + "." + name).str());
      }
  return names;
}

/// Where no target has a notification, events come from elsewhere.
static void checkEvent(Program &program, const ServiceScope &service,
                       const Template &policy, const Entity &trigger,
                       llvm::ArrayRef<ActivityTarget> targets) {
  const Field *event = trigger.find(Key::Event);
  std::vector<std::string> names = notificationsOf(targets);
  if (!event || !event->valid || names.empty() ||
      llvm::is_contained(names, event->value->text()) ||
      service.events.contains(event->value->text()))
    return;
  llvm::SmallVector<StringRef> known(names.begin(), names.end());
  program.diags.report(event->value->range(), diag::UnknownEvent,
                       policy.entity->name.str(), event->value->text(),
                       didYouMean(event->value->text(), known));
}

/// TOSCA 2.0 §16.5: conditions speak of the service, activities of the targets.
static void checkTriggers(Program &program, const ServiceScope &service,
                          const Template &policy) {
  llvm::SmallVector<ActivityTarget, 2> targets;
  if (const Field *field = policy.find(Key::Targets); field && field->valid)
    for (const Node &name : field->value->items())
      if (service.nodes.contains(name.text()) ||
          service.groups.contains(name.text()))
        llvm::append_range(targets, findTargets(program, service, name));
  ExprContext context{service.scope, policy.flat()};
  context.service = &service;
  context.isComplete = true;
  for (const Entity &trigger : policy.entity->entities(Key::Triggers)) {
    if (!trigger.valid)
      continue;
    checkEvent(program, service, policy, trigger, targets);
    if (const Field *condition = trigger.find(Key::Condition);
        condition && condition->valid)
      checkConditionNode(program, context, *condition->value);
    checkActivities(program, context, trigger.entities(Key::Action), targets);
  }
}

/// All activities but `inline` are done on targets.
static void checkHasTargets(Program &program, const ServiceScope &service,
                            const Template &policy) {
  const Field *targets = policy.find(Key::Targets);
  if (targets && (!targets->valid || !targets->value->items().empty()))
    return;
  for (const auto &[name, trigger] : triggersOf(service, policy))
    for (const Entity &action : trigger.entity->entities(Key::Action))
      if (action.valid && !action.find(Key::Inline)) {
        program.diags
            .report(policy.entity->range(), diag::TriggerWithoutTargets,
                    policy.entity->name.str())
            .note(action.range(), diag::ActsOnTargets);
        return;
      }
}

void sema::checkPolicy(Program &program, const ServiceScope &service,
                       const Template &policy) {
  checkMembers(program, service, policy, Key::Targets, "target");
  checkHasTargets(program, service, policy);
  checkTriggers(program, service, policy);
  if (policy.flat())
    checkValues(program, service, policy, policy.type->valid);
}
