//===- LowerAssignments.cpp - Values with defaults merged in --------------===//

#include "Lower.h"

#include "SpellPaths.h"
#include "TOSCA/Values/CheckAssignments.h"

using namespace toscac;
using namespace toscac::sema;
using syntax::Node;

Site sema::siteOf(const ServiceScope &service, Origin origin,
                  const Flat *self) {
  Site site{{service.scope, self}, origin};
  site.context.service = &service;
  return site;
}

const Expr *sema::lowerValue(Lowering &lowering, const Site &site,
                             const Node &node, const Type &type) {
  const Expr *checked =
      checkValueNode(lowering.program, site.context, node, type);
  return checked ? spellPaths(lowering, site, *checked) : nullptr;
}

const Expr *sema::lowerCondition(Lowering &lowering, const Site &site,
                                 const Node &node) {
  return lowerValue(lowering, site, node, builtinType(TypeKind::Boolean));
}

/// The nearest layer that has an opinion decides.
/// The value \p found that \p definition gives itself. Most are literals, which
/// are the same for all that have the definition.
static const Expr *valueOfDefinition(Lowering &lowering, const Site &site,
                                     const Flat &definition, Flat::Found found,
                                     const Type &type) {
  if (const Expr *known = lowering.literals.lookup({&definition, found.field}))
    return known;
  Site inDefinition{{*found.scope, site.context.self}, site.origin};
  const Expr *value =
      lowerValue(lowering, inDefinition, *found.field->value, type);
  if (value && value->isLiteral())
    lowering.literals[{&definition, found.field}] = value;
  return value;
}

static Assignment lowerAssignment(Lowering &lowering, const Site &site,
                                  const Flat &definition, const Node *value) {
  const Type &type = typeOf(lowering.program, definition);
  Assignment result{definition.name, &type};
  result.required = isRequired(definition);
  result.sensitive = isSensitive(definition);
  result.range = definition.range();
  Flat::Found own = definition.find(Key::Value);
  if (!own && !value)
    own = definition.find(Key::Default);
  if (own) {
    result.value = valueOfDefinition(lowering, site, definition, own, type);
    result.range = own.field->value->range();
  } else if (value) {
    result.value = lowerValue(lowering, site, *value, type);
    result.range = value->range();
  }
  return result;
}

std::vector<Assignment> sema::lowerAssignments(Lowering &lowering,
                                               const Site &site,
                                               const Flat::Members &definitions,
                                               const Node *values) {
  bool readable = values && values->isMapping();
  std::vector<Assignment> result;
  for (const auto &[name, definition] : definitions)
    result.push_back(lowerAssignment(lowering, site, *definition,
                                     readable ? values->find(name) : nullptr));
  return result;
}
