//===- LowerTemplates.cpp - Node templates --------------------------------===//

#include "Lower.h"

#include "LowerMachines.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

static const Node *valuesOf(const Field *field) {
  return field ? field->value : nullptr;
}

static std::vector<Directive> lowerDirectives(const Template &node) {
  std::vector<Directive> result;
  if (const Field *field = node.find(Key::Directives))
    for (const Node &word : field->value->items())
      result.push_back(llvm::StringSwitch<Directive>(word.text())
                           .Case("select", Directive::Select)
                           .Case("substitute", Directive::Substitute)
                           .Default(Directive::Create));
  return result;
}

NodeTemplate sema::lowerNodeTemplate(Lowering &lowering,
                                     const ServiceScope &service,
                                     const Template &node) {
  const Flat &type = *node.flat();
  Site site{{service.scope, &type}, Origin::Node};
  site.context.service = &service;
  NodeTemplate result;
  result.name = node.entity->name;
  result.type = lowerType(lowering, node.type);
  result.range = node.entity->range();
  result.directives = lowerDirectives(node);
  if (const Field *count = node.find(Key::Count))
    result.count = lowerValue(lowering, site, *count->value,
                              builtinType(TypeKind::Integer));
  if (const Field *filter = node.find(Key::NodeFilter))
    result.filter = lowerCondition(lowering, site, *filter->value);
  result.properties =
      lowerAssignments(lowering, site, type.members(Key::Properties),
                       valuesOf(node.find(Key::Properties)));
  result.attributes =
      lowerAssignments(lowering, site, type.members(Key::Attributes),
                       valuesOf(node.find(Key::Attributes)));
  InterfaceOwner owner{service, Origin::Node, type};
  if (const Field *interfaces = node.find(Key::Interfaces))
    owner.assignments.push_back(interfaces);
  owner.artifacts = node.find(Key::Artifacts);
  owner.node = &node;
  result.machines = lowerInterfaces(lowering, owner);
  return result;
}
