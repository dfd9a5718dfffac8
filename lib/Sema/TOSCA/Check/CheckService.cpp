//===- CheckService.cpp - Service templates -------------------------------===//

#include "CheckService.h"

#include "CheckDefinitions.h"
#include "CopyTemplate.h"
#include "TOSCA/Machines/PolicyEvents.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

//===----------------------------------------------------------------------===//
// Entering templates
//===----------------------------------------------------------------------===//

using Templates = llvm::MapVector<StringRef, Template>;

static void enter(Program &program, const ServiceScope &service, Key key,
                  EntityKind typeKind, Templates &into) {
  for (const Entity &entity : service.entity.entities(key)) {
    Template entered{&entity};
    const Field *type = entity.find(Key::Type);
    if (type && type->valid)
      entered.type = resolve(program, service.scope, typeKind, *type->value);
    auto [known, isNew] = into.insert({entity.name.str(), entered});
    // Elsewhere, YAML keeps the names apart.
    if (!isNew && key == Key::Policies)
      program.diags
          .report(entity.range(), diag::RepeatedDefinition,
                  tosca::rule(entity.kind).noun, entity.name.str())
          .note(known->second.entity->range(), diag::FirstDefinedHere,
                entity.name.str());
  }
}

/// `copy` takes everything from another template, which must be complete in
/// itself (TOSCA 2.0 §7.2).
static void resolveCopies(Program &program, StringRef noun,
                          Templates &templates) {
  for (auto &[name, copy] : templates) {
    const Field *field = copy.entity->find(Key::Copy);
    if (!field || !field->valid)
      continue;
    auto source = templates.find(field->value->text());
    copy.isWhole =
        source != templates.end() && !source->second.entity->find(Key::Copy);
    if (source == templates.end())
      reportUnknownName(program, noun, *field->value, namesOf(templates));
    else if (source->second.entity->find(Key::Copy))
      program.diags
          .report(field->value->range(), diag::CopyOfCopy, field->value->text())
          .note(source->second.entity->find(Key::Copy)->range(),
                diag::CopiesHere);
    else {
      program.use(field->value->range(), source->second.entity);
      if (!copy.entity->find(Key::Type))
        copy.type = source->second.type;
      copy.entity =
          copyTemplate(*copy.entity, *source->second.entity, program.arena);
    }
  }
}

/// All but the type and `node_filter` is ignored where a node is selected
/// (TOSCA 2.0 §7.2.1); nobody after this sees it.
static void dropIgnored(Program &program, Templates &nodes) {
  constexpr Key kept[] = {Key::Type, Key::Description, Key::Metadata,
                          Key::Copy, Key::Directives,  Key::NodeFilter,
                          Key::Count};
  for (auto &[name, node] : nodes) {
    if (!node.isOnlySelected())
      continue;
    llvm::SmallVector<Field> fields;
    for (const Field &field : node.entity->fields)
      if (llvm::is_contained(kept, field.key))
        fields.push_back(field);
      else if (!node.find(Key::Copy)) // What a copy brings, nobody wrote here.
        program.diags.report(field.range(), diag::IgnoredBySelect,
                             tosca::word(field.key), node.describe());
    Entity selected = *node.entity;
    selected.fields = program.arena.save(llvm::ArrayRef<Field>(fields));
    node.entity = program.arena.make(selected);
  }
}

static void findUsers(ServiceScope &service) {
  for (const auto &[name, node] : service.nodes)
    if (const Field *field = node.find(Key::Requirements))
      for (const Entity &assignment : field->entities)
        for (const Entity &used : assignment.entities(Key::Relationship)) {
          StringRef wanted = used.text(Key::Type);
          // A type of that name comes first (TOSCA 2.0 §8.5.2).
          if (service.relationships.contains(wanted) &&
              !service.scope.find(EntityKind::RelationshipType, wanted))
            service.users[wanted].push_back({&node, &assignment});
        }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static void checkParameters(Program &program, const ServiceScope &service) {
  for (const Flat::Members *members : {&service.inputs, &service.outputs})
    for (const auto &[name, definition] : *members) {
      ExprContext context{service.scope};
      context.service = &service;
      context.isComplete = true;
      checkDefinitions(program, *definition, context);
    }
  for (const auto &[name, output] : service.outputs) {
    bool hasValue = output->find(Key::Value) || output->find(Key::Default) ||
                    output->find(Key::Mapping);
    if (output->valid && !hasValue)
      program.diags.report(output->range(), diag::OutputWithoutValue, name);
  }
}

ServiceScope sema::checkService(Program &program, const Scope &scope,
                                const Entity &entity) {
  ServiceScope service{scope, entity};
  enter(program, service, Key::NodeTemplates, EntityKind::NodeType,
        service.nodes);
  enter(program, service, Key::RelationshipTemplates,
        EntityKind::RelationshipType, service.relationships);
  enter(program, service, Key::Groups, EntityKind::GroupType, service.groups);
  enter(program, service, Key::Policies, EntityKind::PolicyType,
        service.policies);
  resolveCopies(program, "node template", service.nodes);
  resolveCopies(program, "relationship template", service.relationships);
  dropIgnored(program, service.nodes);
  findUsers(service);
  service.inputs = flattenDefinitions(program, scope, entity, Key::Inputs);
  service.outputs = flattenDefinitions(program, scope, entity, Key::Outputs);
  for (const Entity &workflow : entity.entities(Key::Workflows))
    service.workflows.insert(
        {workflow.name.str(),
         flattenDefinitions(program, scope, workflow, Key::Inputs)});
  for (const Entity &event : entity.entities(Key::Events))
    service.events.insert(
        {event.name.str(),
         flattenDefinitions(program, scope, event, Key::Inputs)});
  checkParameters(program, service);
  for (const auto &[name, node] : service.nodes)
    checkNodeTemplate(program, service, node);
  for (const auto &[name, relationship] : service.relationships)
    checkRelationshipTemplate(program, service, relationship);
  for (const auto &[name, group] : service.groups)
    checkGroup(program, service, group);
  checkGroupNesting(program, service);
  for (const auto &[name, policy] : service.policies)
    checkPolicy(program, service, policy);
  service.listeners = findListeners(program, service);
  ExprContext inService{service.scope};
  inService.service = &service;
  for (const Entity &event : entity.entities(Key::Events))
    checkHandlers(program, inService, event);
  checkWorkflows(program, service);
  checkSubstitution(program, service);
  checkUnused(program, service);
  return service;
}
