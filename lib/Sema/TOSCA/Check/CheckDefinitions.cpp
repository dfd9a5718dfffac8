//===- CheckDefinitions.cpp - Properties, attributes, parameters ----------===//
///
/// \file
/// What the definitions of values say about themselves: schemas, defaults,
/// fixed values and validation clauses (TOSCA 2.0 §9.3 to §9.10). Each layer is
/// checked once, where it is the nearest.
///
//===----------------------------------------------------------------------===//

#include "CheckDefinitions.h"

#include "TOSCA/Types/CheckRefinement.h"
#include "TOSCA/Types/Expressions.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/DiagnosticsValue.h"
#include "toscac/Value/CheckValue.h"
#include "toscac/Value/Environment.h"
#include "toscac/Value/Evaluate.h"

using namespace toscac;
using namespace toscac::sema;

static bool isCollection(const Type &type) {
  return type.is(TypeKind::List) || type.is(TypeKind::Map);
}

static const Field *nearest(const Flat &flat, Key key) {
  const Field *field = flat.layers.front().entity->find(key);
  return field && field->valid ? field : nullptr;
}

static void checkSchemas(Program &program, const Flat &definition,
                         const Type &type) {
  if (type.is(TypeKind::Any))
    return;
  const Field *entry = nearest(definition, Key::EntrySchema);
  const Field *key = nearest(definition, Key::KeySchema);
  if (entry && !isCollection(type))
    program.diags.report(entry->range(), diag::MisplacedSchema,
                         definition.describe(), "entry_schema",
                         "a list or map");
  if (key && !type.is(TypeKind::Map))
    program.diags.report(key->range(), diag::MisplacedSchema,
                         definition.describe(), "key_schema", "a map");
  bool declares =
      nearest(definition, Key::Type) || definition.kind == EntityKind::DataType;
  if (declares && isCollection(type) && !type.entry)
    program.diags.report(definition.range(), diag::MissingEntrySchema,
                         definition.describe(),
                         type.is(TypeKind::List) ? "list" : "map");
  const Flat *schema = key ? definition.nested(Key::KeySchema) : nullptr;
  if (!schema)
    return;
  const Type &keyType = typeOf(program, *schema);
  if (!keyType.is(TypeKind::String) && !keyType.is(TypeKind::Any))
    program.diags.report(schema->range(), diag::KeyNotString,
                         typeName(keyType));
}

/// `scalar` is only there to be derived from.
static void checkNotAbstract(Program &program, const Flat &definition,
                             const Type &type) {
  const Field *field = nearest(definition, Key::Type);
  if (field && type.is(TypeKind::Scalar) && !type.scalar)
    program.diags.report(field->value->range(), diag::AbstractScalar,
                         typeName(type));
}

/// Each clause must be a condition over `$value`. What is wrong with it is
/// reported once, at its definition.
static void checkValidation(Program &program, const Flat &definition,
                            ExprContext context, const Type &type) {
  context.value = &type;
  const Field *field = nearest(definition, Key::Validation);
  if (!field)
    return;
  for (const Expr *clause : toConditions(program, context.scope, *field->value))
    checkTyped(program, context, *clause, builtinType(TypeKind::Boolean));
}

/// Whether \p value is one of \p type, without a report.
static bool fits(Program &program, const Value &value, const Type &type) {
  Environment nothing;
  auto ignore = [](llvm::ArrayRef<PathStep>, const Problem &) {};
  return checkValue(value, type, nothing, program.arena, ignore).has_value();
}

/// A default that was right before must still be so.
static void checkInheritedDefault(Program &program, const Flat &definition,
                                  const Type &type) {
  Flat::Found found = definition.find(Key::Default);
  bool isInherited = definition.base && found &&
                     !nearest(definition, Key::Default) &&
                     !definition.find(Key::Value);
  if (!isInherited || !found.field->valid)
    return;
  const Expr *expr = toExpr(program, *found.scope, *found.field->value);
  Environment nothing;
  Evaluation result =
      expr ? evaluate(*expr, nothing, program.arena) : Evaluation::nothing();
  if (result.isKnown() &&
      fits(program, result.value(), typeOf(program, *definition.base)) &&
      !fits(program, result.value(), type))
    program.diags
        .report(definition.range(), diag::InheritedDefault,
                definition.describe(), toText(result.value()))
        .note(found.field->value->range(), diag::DefaultHere);
}

static void checkDefinition(Program &program, const Flat &definition,
                            ExprContext context) {
  const Type &type = typeOf(program, definition);
  checkSchemas(program, definition, type);
  checkNotAbstract(program, definition, type);
  checkValidation(program, definition, context, type);
  // Scripts of TOSCA 1.x get text, whatever type their inputs are said to have.
  bool isText = context.inMachine && context.scope.isOlder();
  for (Key key : {Key::Default, Key::Value})
    if (const Field *field = nearest(definition, key)) {
      if (isSensitive(definition))
        hideLiterals(program, *field->value);
      checkValueNode(program, context, *field->value,
                     isText ? builtinType(TypeKind::Any) : type);
    }
  checkInheritedDefault(program, definition, type);
  if (const Field *mapping = nearest(definition, Key::Mapping))
    checkAttributePath(program, context, *mapping->value, &definition);
}

/// Where the expressions of \p part stand, a part of what stands in \p outer.
static ExprContext contextOf(const ExprContext &outer, const Layer &layer,
                             const Flat &part) {
  ExprContext inner{*layer.scope, outer.self};
  inner.service = outer.service;
  inner.requirement = outer.requirement;
  inner.source = outer.source;
  inner.isComplete = outer.isComplete;
  // In a requirement, SELF is the relationship that it makes (TOSCA 2.0 §10.3).
  if (part.kind == EntityKind::RequirementDefinition) {
    inner.source = outer.self;
    inner.requirement = &part;
    inner.self = part.nested(Key::Relationship);
  }
  return inner;
}

/// TOSCA 2.0 §8.6: a condition over the relationship and its target.
static void checkNodeFilter(Program &program, const Flat &requirement,
                            ExprContext context) {
  context.isFilter = true;
  if (const Field *filter = nearest(requirement, Key::NodeFilter))
    checkConditionNode(program, context, *filter->value);
}

/// A condition over what the policy will be part of, which no type knows.
static void checkTriggerCondition(Program &program, const Flat &trigger) {
  const Field *condition = nearest(trigger, Key::Condition);
  ExprContext anywhere{*trigger.layers.front().scope};
  if (condition)
    checkConditionNode(program, anywhere, *condition->value);
}

void sema::checkDefinitions(Program &program, const Flat &definition,
                            const ExprContext &context) {
  if (definition.checked)
    return;
  definition.checked = true;
  if (typeOfDefinition(definition.kind) == EntityKind::DataType &&
      definition.valid)
    checkDefinition(program, definition, context);
  if (definition.kind == EntityKind::RequirementDefinition)
    checkNodeFilter(program, definition, context);
  if (definition.kind == EntityKind::PolicyTrigger)
    checkTriggerCondition(program, definition);
  if (definition.kind == EntityKind::OperationDefinition ||
      definition.kind == EntityKind::NotificationDefinition)
    checkHandlers(program, context, *definition.layers.front().entity);
  // Other parts belong to the parent, or to the type of the definition.
  const Layer &nearest = definition.layers.front();
  for (const Field &field : nearest.entity->fields)
    for (const Entity &entity : field.entities)
      if (const Flat *part = definition.member(field.key, entity.name.str())) {
        ExprContext inner = contextOf(context, nearest, *part);
        inner.inMachine = definition.kind == EntityKind::InterfaceType ||
                          definition.kind == EntityKind::InterfaceDefinition;
        checkDefinitions(program, *part, inner);
      }
}

/// TOSCA 2.0 §8.4.1: the node type must have what is asked of it.
static void checkNodeHasCapability(Program &program, const Flat &requirement,
                                   const Entity &entity) {
  if (!entity.find(Key::Node) && !entity.find(Key::Capability))
    return;
  const TypeDecl *node =
      typeNamedBy(requirement, Key::Node, EntityKind::NodeType);
  const TypeDecl *wanted =
      typeNamedBy(requirement, Key::Capability, EntityKind::CapabilityType);
  if (!node || !node->flat || !node->valid || !wanted || !wanted->valid)
    return;
  for (const auto &[name, capability] : node->flat->members(Key::Capabilities))
    if (!capability->type || capability->type->isDerivedFrom(*wanted))
      return;
  const Field *place = entity.find(Key::Node);
  const Scope &scope = *requirement.layers.front().scope;
  program.diags
      .report((place ? place : entity.find(Key::Capability))->value->range(),
              diag::NodeLacksCapability, displayName(program, scope, *node),
              displayName(program, scope, *wanted), requirement.name.str())
      .note(node->range(), diag::DeclaredHere, node->name.str());
}

/// Whether \p type may be, or become by derivation, one of the types that
/// \p owner lists under \p key.
static bool mayBeListed(const Flat &owner, Key key, EntityKind kind,
                        const TypeDecl &type) {
  Flat::Found list = owner.find(key);
  if (!list || !list.field->valid || list.field->value->items().empty())
    return true;
  return llvm::any_of(
      list.field->value->items(), [&](const syntax::Node &name) {
        const TypeDecl *listed = list.scope->find(kind, name.text());
        return !listed || type.isDerivedFrom(*listed) ||
               listed->isDerivedFrom(type);
      });
}

/// TOSCA 1.3 §3.7.10 and §3.7.7: what relationship and capability are for. In
/// 2.0 a template says it again, and is checked.
static void checkFitsTogether(Program &program, const TypeDecl &decl,
                              const Flat &requirement, const Entity &entity) {
  const TypeDecl *wanted =
      typeNamedBy(requirement, Key::Capability, EntityKind::CapabilityType);
  const Field *asked = entity.find(Key::Capability);
  if (!decl.scope->isOlder() || !asked || !wanted || !wanted->flat)
    return;
  if (!mayBeListed(*wanted->flat, Key::ValidSourceNodeTypes,
                   EntityKind::NodeType, decl))
    program.diags.report(asked->value->range(), diag::UnfitSource,
                         wanted->name.str(), decl.name.str());
  const Flat *relationship = requirement.nested(Key::Relationship);
  const Field *named = entity.find(Key::Relationship);
  if (!named || !relationship || !relationship->type ||
      !relationship->type->flat)
    return;
  if (!mayBeListed(*relationship->type->flat, Key::ValidCapabilityTypes,
                   EntityKind::CapabilityType, *wanted))
    program.diags.report(named->value->range(), diag::UnfitRelationship,
                         relationship->type->name.str(), wanted->name.str(),
                         requirement.name.str());
}

/// TOSCA 2.0 §8.4: `capability` names a type, or a capability of `node`.
static void checkAskedCapabilities(Program &program, const TypeDecl &decl) {
  for (const Entity &entity : decl.entity->entities(Key::Requirements)) {
    const Field *asked = entity.find(Key::Capability);
    const Flat *requirement =
        decl.flat->member(Key::Requirements, entity.name.str());
    if (requirement && requirement->valid)
      checkNodeHasCapability(program, *requirement, entity);
    if (requirement && requirement->valid)
      checkFitsTogether(program, decl, *requirement, entity);
    if (!asked || !asked->valid || !requirement)
      continue;
    Flat::Found node = requirement->find(Key::Node);
    if (node && node.field->valid) {
      const TypeDecl *target =
          node.scope->find(EntityKind::NodeType, node.field->value->text());
      bool open = !target || !target->flat || !target->valid;
      if (open || target->flat->member(Key::Capabilities, asked->value->text()))
        continue;
    }
    resolve(program, *decl.scope, EntityKind::CapabilityType, *asked->value);
  }
}

/// The data types that a signature of a function names (TOSCA 2.0 §10.4).
static void checkSchemaTypes(Program &program, const Scope &scope,
                             const Entity &entity) {
  const Field *type = entity.find(Key::Type);
  if (entity.kind == EntityKind::SchemaDefinition && type && type->valid)
    resolve(program, scope, EntityKind::DataType, *type->value);
  for (const Field &field : entity.fields)
    for (const Entity &part : field.entities)
      checkSchemaTypes(program, scope, part);
}

void sema::checkTypes(Program &program) {
  for (TypeDecl &decl : program.types) {
    if (!decl.flat)
      continue;
    ExprContext inType{*decl.scope, decl.flat};
    inType.isComplete = true;
    checkDefinitions(program, *decl.flat, inType);
    checkArtifacts(program, inType, *decl.entity);
    if (decl.kind == EntityKind::Function) {
      checkFunctionRefinement(program, decl);
      checkSchemaTypes(program, *decl.scope, *decl.entity);
    }
    if (decl.kind == EntityKind::NodeType || decl.kind == EntityKind::GroupType)
      checkAskedCapabilities(program, decl);
    if (decl.kind == EntityKind::InterfaceType)
      checkInterfaceType(program, decl);
    if (decl.kind == EntityKind::DataType) {
      const Type &type = typeOf(program, decl);
      ExprContext context{*decl.scope, decl.flat};
      if (decl.valid)
        checkSchemas(program, *decl.flat, type);
      checkValidation(program, *decl.flat, context, type);
    }
  }
}
