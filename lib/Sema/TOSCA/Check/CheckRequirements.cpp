//===- CheckRequirements.cpp - Requirement assignments --------------------===//
///
/// \file
/// TOSCA 2.0 §8.5: every assignment belongs to a definition of the node's type,
/// its target can fulfil it, and there are as many as the definition allows.
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;
using syntax::ScalarType;

namespace {

class RequirementChecker {
public:
  RequirementChecker(Program &program, const ServiceScope &service,
                     const Template &node)
      : program(program), service(service), node(node),
        declared(node.flat()->members(Key::Requirements)) {}

  void run();

private:
  void check(const Entity &assignment, const Flat &definition);
  /// The relationship that an assignment makes.
  struct Made {
    /// Null if something is wrong with it.
    const Flat *flat;
    const Entity *entity = nullptr;
    bool isTemplate = false;
  };
  /// A list of types that \p type should be in; empty if there is none.
  struct Violation {
    const Flat *owner = nullptr;
    const Field *list = nullptr;
    const TypeDecl *type = nullptr;
    explicit operator bool() const { return list; }
  };

  using NameOfTarget = llvm::function_ref<std::string()>;

  ExprContext contextOf(const Flat *relationship, const Flat &definition,
                        const Entity *assignment);
  Made findRelationship(const Entity &assignment, const Flat &definition);
  void checkTarget(const Entity &assignment, const Flat &definition,
                   const Made &made);
  void checkTargetTemplate(const Node &name, const Entity &assignment,
                           const Flat &definition, const Template &target,
                           const Made &made);
  bool checkNarrower(const Node &place, StringRef keyname,
                     const Entity &assignment, const Flat &definition,
                     const TypeDecl *wanted, const TypeDecl *type);
  llvm::SmallVector<const Flat *, 2> checkOffer(const Node &place,
                                                const Entity &assignment,
                                                const Flat &definition,
                                                const Flat &target,
                                                NameOfTarget targetName);
  bool checkSameCapability(const Node &asked, const Flat &definition,
                           const TypeDecl *wantedType);
  void checkRelationship(const Entity &assignment, const Flat &definition,
                         const Made &made);
  void checkImplicit(const Flat &definition);
  static Violation findViolation(const Flat &owner, Key key, EntityKind kind,
                                 const TypeDecl *type);
  Violation findViolation(const Flat &relationship, const TypeDecl *target,
                          const Flat &capability);
  static const TypeDecl *typeOfFlat(const Flat &flat);
  void checkEnds(const Node &place, const Made &made, const TypeDecl *target,
                 llvm::ArrayRef<const Flat *> capabilities);
  void checkAllocation(const Entity &assignment, const Flat &definition);
  void checkAllocated(const syntax::Entry &entry, const TypeDecl &capability,
                      const ExprContext &context);
  void checkCounts();

  std::string nameOf(const TypeDecl &type) const {
    return displayName(program, service.scope, type);
  }

  Program &program;
  const ServiceScope &service;
  const Template &node;
  const Flat::Members &declared;
};

} // namespace

void RequirementChecker::run() {
  const Field *field = node.find(Key::Requirements);
  if (field)
    for (const Entity &assignment : field->entities) {
      if (!assignment.valid)
        continue;
      const Flat *definition = declared.lookup(assignment.name.str());
      program.use(assignment.range(), definition);
      if (definition)
        check(assignment, *definition);
      else if (node.type->valid)
        reportUnknownName(program, "requirement", *assignment.nameNode,
                          namesOf(declared));
    }
  for (const auto &[name, definition] : declared) {
    bool isAssigned =
        field && llvm::any_of(field->entities, [&](const Entity &assignment) {
          return assignment.name == definition->name;
        });
    if (!isAssigned)
      checkImplicit(*definition);
  }
  checkCounts();
}

/// Where what belongs to the relationship stands.
ExprContext RequirementChecker::contextOf(const Flat *relationship,
                                          const Flat &definition,
                                          const Entity *assignment) {
  ExprContext context{service.scope, relationship};
  context.service = &service;
  context.node = &node;
  context.requirement = &definition;
  context.assignment = assignment;
  context.source = node.flat();
  context.isComplete = true;
  return context;
}

void RequirementChecker::check(const Entity &assignment,
                               const Flat &definition) {
  Made made = findRelationship(assignment, definition);
  checkTarget(assignment, definition, made);
  checkRelationship(assignment, definition, made);
  checkAllocation(assignment, definition);
  checkDirectives(program, assignment, {"internal", "external"});
  ExprContext context = contextOf(made.flat, definition, &assignment);
  if (const Field *target = assignment.find(Key::Node);
      target && target->valid && target->value->isSequence())
    checkValueNode(program, context, target->value->items().back(),
                   builtinType(TypeKind::Integer));
  if (const Field *filter = assignment.find(Key::NodeFilter);
      filter && filter->valid) {
    context.isFilter = true;
    checkConditionNode(program, context, *filter->value);
  }
  // How many relationships there are is asked before there is one.
  context.self = node.flat();
  if (const Field *count = assignment.find(Key::Count); count && count->valid)
    checkValueNode(program, context, *count->value,
                   builtinType(TypeKind::Integer));
}

/// `node` names a node template, one instance of it, or a node type.
void RequirementChecker::checkTarget(const Entity &assignment,
                                     const Flat &definition, const Made &made) {
  const Field *field = assignment.find(Key::Node);
  if (!field || !field->valid)
    return;
  const Node &name =
      field->value->isSequence() ? field->value->items()[0] : *field->value;
  auto target = service.nodes.find(name.text());
  if (target != service.nodes.end()) {
    program.use(name.range(), target->second.entity);
    return checkTargetTemplate(name, assignment, definition, target->second,
                               made);
  }
  if (field->value->isSequence())
    return reportUnknownName(program, "node template", name,
                             namesOf(service.nodes));
  const TypeDecl *type = service.scope.find(EntityKind::NodeType, name.text());
  program.use(name.range(), type ? type->entity : nullptr);
  if (!type) {
    auto known = namesOf(service.nodes);
    std::vector<std::string> types = service.scope.names(EntityKind::NodeType);
    known.append(types.begin(), types.end());
    reportUnknownName(program, "node template or node type", name, known);
  } else if (type->flat && checkNarrower(name, "node", assignment, definition,
                                         typeNamedBy(definition, Key::Node,
                                                     EntityKind::NodeType),
                                         type)) {
    checkEnds(name, made, type,
              checkOffer(name, assignment, definition, *type->flat, [&] {
                return ("node type '" + name.text() + "'").str();
              }));
  }
}

void RequirementChecker::checkTargetTemplate(const Node &name,
                                             const Entity &assignment,
                                             const Flat &definition,
                                             const Template &target,
                                             const Made &made) {
  if (!target.flat())
    return;
  const TypeDecl *wanted =
      typeNamedBy(definition, Key::Node, EntityKind::NodeType);
  bool isOther = wanted && !target.type->isDerivedFrom(*wanted);
  if (isOther && service.scope.isOlder()) {
    program.diags.report(name.range(), diag::OtherTargetType,
                         definition.describe(), node.describe(),
                         nameOf(*wanted), name.text(), nameOf(*target.type));
  } else if (isOther) {
    program.diags
        .report(name.range(), diag::WrongTargetType, definition.describe(),
                node.describe(), nameOf(*wanted), name.text(),
                nameOf(*target.type))
        .note(definition.find(Key::Node).field->range(), diag::DeclaredHere,
              definition.name.str());
    return;
  }
  checkEnds(name, made, target.type,
            checkOffer(name, assignment, definition, *target.flat(),
                       [&] { return target.describe(); }));
}

/// What an assignment names is of the type that the definition names, or of one
/// derived from it (TOSCA 2.0 §8.5.2); either is null if it is not known.
bool RequirementChecker::checkNarrower(const Node &place, StringRef keyname,
                                       const Entity &assignment,
                                       const Flat &definition,
                                       const TypeDecl *wanted,
                                       const TypeDecl *type) {
  if (!wanted || !type || type->isDerivedFrom(*wanted))
    return true;
  std::string subject =
      ("'" + keyname + "' of requirement '" + assignment.name.str() + "'")
          .str();
  program.diags
      .report(place.range(), diag::NotNarrower, subject, nameOf(*wanted),
              nameOf(*type))
      .note(definition.range(), diag::RefinesThis);
  return false;
}

/// The target must have a capability of the type that is asked for. Gives those
/// that may be meant.
llvm::SmallVector<const Flat *, 2>
RequirementChecker::checkOffer(const Node &place, const Entity &assignment,
                               const Flat &definition, const Flat &target,
                               NameOfTarget targetName) {
  const Flat::Members &offered = target.members(Key::Capabilities);
  const Field *asked = assignment.find(Key::Capability);
  TypeDecl *wanted =
      typeNamedBy(definition, Key::Capability, EntityKind::CapabilityType);
  if (asked && asked->valid) {
    const Flat *byName = offered.lookup(asked->value->text());
    TypeDecl *type = byName ? byName->type
                            : service.scope.find(EntityKind::CapabilityType,
                                                 asked->value->text());
    if (byName)
      program.use(asked->value->range(), byName);
    else if (type)
      program.use(asked->value->range(), type->entity);
    if (!byName && !type) {
      reportUnknownName(program, "capability", *asked->value, namesOf(offered));
      return {};
    }
    if (!checkNarrower(*asked->value, "capability", assignment, definition,
                       wanted, type) ||
        !checkSameCapability(*asked->value, definition, wanted))
      return {};
    if (byName)
      return {byName};
    wanted = type;
  }
  // A capability by name is one of the definition's node type, which the target
  // has; what names nothing has been reported there.
  if (!wanted) {
    Flat::Found name = definition.find(Key::Capability);
    const Flat *byName = name && name.field->valid
                             ? offered.lookup(name.field->value->text())
                             : nullptr;
    if (byName)
      return {byName};
    return {};
  }
  llvm::SmallVector<const Flat *, 2> fitting;
  for (const auto &[name, capability] : offered)
    if (!capability->type || capability->type->isDerivedFrom(*wanted))
      fitting.push_back(capability);
  if (fitting.empty())
    program.diags
        .report(place.range(), diag::NoSuchCapability, definition.describe(),
                node.describe(), nameOf(*wanted), targetName())
        .note(definition.range(), diag::DeclaredHere, definition.name.str());
  return fitting;
}

/// TOSCA 2.0 §8.5.2: a capability that the definition names stays.
bool RequirementChecker::checkSameCapability(const Node &asked,
                                             const Flat &definition,
                                             const TypeDecl *wantedType) {
  Flat::Found defined = definition.find(Key::Capability);
  if (wantedType || !defined || !defined.field->valid ||
      defined.field->value->text() == asked.text())
    return true;
  program.diags
      .report(asked.range(), diag::FrozenCapability,
              defined.field->value->text(), definition.name.str())
      .note(defined.field->range(), diag::RefinesThis);
  return false;
}

/// A relationship type, or else a relationship template (TOSCA 2.0 §8.5.2).
RequirementChecker::Made
RequirementChecker::findRelationship(const Entity &assignment,
                                     const Flat &definition) {
  Made made{definition.nested(Key::Relationship)};
  TypeDecl *base = made.flat ? made.flat->type : nullptr;
  const Field *field = assignment.find(Key::Relationship);
  if (field && !field->entities.empty())
    made.entity = &field->entities.front();
  const Field *named = made.entity ? made.entity->find(Key::Type) : nullptr;
  if (!named || !named->valid)
    return made;
  StringRef name = named->value->text();
  TypeDecl *type = service.scope.find(EntityKind::RelationshipType, name);
  auto found = service.relationships.find(name);
  made.isTemplate =
      !type && made.entity->isShort && found != service.relationships.end();
  if (made.isTemplate)
    program.use(named->value->range(), found->second.entity);
  else if (type)
    program.use(named->value->range(), type->entity);
  if (made.isTemplate) {
    type = found->second.type;
  } else if (!type) {
    std::vector<std::string> types =
        service.scope.names(EntityKind::RelationshipType);
    auto known = namesOf(service.relationships);
    known.append(types.begin(), types.end());
    reportUnknownName(program, "relationship type or template", *named->value,
                      known);
    made.flat = nullptr;
  }
  if (type && !checkNarrower(*named->value, "relationship", assignment,
                             definition, base, type))
    made.flat = nullptr;
  else if (type && type != base)
    made.flat = type->flat;
  return made;
}

/// The values of a relationship; those of a template are checked with it.
void RequirementChecker::checkRelationship(const Entity &assignment,
                                           const Flat &definition,
                                           const Made &made) {
  if (!made.flat || !made.flat->valid || made.isTemplate)
    return;
  auto valuesOf = [&](Key key) -> const Node * {
    const Field *field = made.entity ? made.entity->find(key) : nullptr;
    return field && field->valid ? field->value : nullptr;
  };
  ExprContext context = contextOf(made.flat, definition, &assignment);
  auto owner = [&] {
    return "the relationship of requirement '" + assignment.name.str().str() +
           "'";
  };
  SourceRange place = made.entity && !made.entity->isShort
                          ? made.entity->range()
                          : assignment.range();
  Assignments properties{made.flat->members(Key::Properties), "property", owner,
                         place};
  properties.complete = !node.hasDirective("select");
  checkAssignments(program, context, properties, valuesOf(Key::Properties));
  Assignments attributes{made.flat->members(Key::Attributes), "attribute",
                         owner, place};
  attributes.complete = false;
  checkAssignments(program, context, attributes, valuesOf(Key::Attributes));
  const Field *interfaces =
      made.entity ? made.entity->find(Key::Interfaces) : nullptr;
  if (interfaces)
    checkInterfaces(program, context, owner(), *interfaces);
}

/// Without an assignment there is an implicit one for the minimum (TOSCA 2.0
/// §8.5.4), which gives its relationships no values.
void RequirementChecker::checkImplicit(const Flat &definition) {
  const Flat *made = definition.nested(Key::Relationship);
  if (!made || !made->valid || countRangeOf(definition).min == 0 ||
      node.hasDirective("select"))
    return;
  auto owner = [&] {
    return "the relationship of requirement '" + definition.name.str().str() +
           "'";
  };
  Assignments properties{made->members(Key::Properties), "property", owner,
                         node.entity->range()};
  checkAssignments(program, contextOf(made, definition, nullptr), properties,
                   nullptr);
}

//===----------------------------------------------------------------------===//
// What relationships and capabilities allow
//===----------------------------------------------------------------------===//

RequirementChecker::Violation
RequirementChecker::findViolation(const Flat &owner, Key key, EntityKind kind,
                                  const TypeDecl *type) {
  Flat::Found list = owner.find(key);
  if (!list && owner.type && owner.type->flat)
    return findViolation(*owner.type->flat, key, kind, type);
  bool isRestricted = type && type->valid && list && list.field->valid &&
                      !list.field->value->items().empty();
  if (!isRestricted)
    return {};
  bool isAllowed =
      llvm::any_of(list.field->value->items(), [&](const Node &name) {
        const TypeDecl *allowed = list.scope->find(kind, name.text());
        return !allowed || type->isDerivedFrom(*allowed);
      });
  return isAllowed ? Violation() : Violation{&owner, list.field, type};
}

/// The first list of \p relationship or \p capability that forbids the other
/// end (TOSCA 2.0 §7.3, §8.1, §8.2).
RequirementChecker::Violation RequirementChecker::findViolation(
    const Flat &relationship, const TypeDecl *target, const Flat &capability) {
  Violation found = findViolation(relationship, Key::ValidTargetNodeTypes,
                                  EntityKind::NodeType, target);
  if (!found)
    found = findViolation(relationship, Key::ValidSourceNodeTypes,
                          EntityKind::NodeType, node.type);
  if (!found)
    found = findViolation(relationship, Key::ValidCapabilityTypes,
                          EntityKind::CapabilityType, capability.type);
  if (!found)
    found = findViolation(capability, Key::ValidSourceNodeTypes,
                          EntityKind::NodeType, node.type);
  if (!found)
    found = findViolation(
        capability, Key::ValidRelationshipTypes, EntityKind::RelationshipType,
        relationship.type ? relationship.type : typeOfFlat(relationship));
  return found;
}

/// The declaration of a type that stands for itself.
const TypeDecl *RequirementChecker::typeOfFlat(const Flat &flat) {
  return flat.layers.front().scope->find(flat.kind, flat.name.str());
}

/// One of \p capabilities must be allowed.
void RequirementChecker::checkEnds(const Node &place, const Made &made,
                                   const TypeDecl *target,
                                   llvm::ArrayRef<const Flat *> capabilities) {
  if (!made.flat || !made.flat->valid)
    return;
  Violation first;
  for (const Flat *capability : capabilities) {
    Violation found = findViolation(*made.flat, target, *capability);
    if (!found)
      return;
    if (!first)
      first = found;
  }
  if (!first)
    return;
  program.diags
      .report(place.range(), diag::EndNotAllowed, nameOf(*first.type),
              tosca::word(first.list->key), first.owner->describe())
      .note(first.list->range(), diag::AllowedHere);
}

/// Capacities are properties of the target's capability.
void RequirementChecker::checkAllocation(const Entity &assignment,
                                         const Flat &definition) {
  const Field *field = assignment.find(Key::Allocation);
  TypeDecl *capability =
      typeNamedBy(definition, Key::Capability, EntityKind::CapabilityType);
  if (!field || !field->valid || !capability || !capability->flat)
    return;
  const Node *values = field->value->find("properties");
  bool isOld =
      values && values->isMapping() && field->value->entries().size() == 1;
  ExprContext context =
      contextOf(definition.nested(Key::Relationship), definition, &assignment);
  for (const syntax::Entry &entry : (isOld ? *values : *field->value).entries())
    if (entry.key.isScalar())
      checkAllocated(entry, *capability, context);
}

/// A number, or part of one, of the same type as what it is taken from.
void RequirementChecker::checkAllocated(const syntax::Entry &entry,
                                        const TypeDecl &capability,
                                        const ExprContext &context) {
  const Flat *property =
      capability.flat->member(Key::Properties, entry.key.text());
  if (!property) {
    program.diags.report(entry.key.range(), diag::UnknownCapacity,
                         capability.name.str(), entry.key.text());
    checkValueNode(program, context, entry.value, builtinType(TypeKind::Any));
    return;
  }
  program.use(entry.key.range(), property);
  if (!property->valid)
    return;
  const Type &type = typeOf(program, *property);
  bool isNumber = type.is(TypeKind::Any) || type.is(TypeKind::Integer) ||
                  type.is(TypeKind::Float) || type.is(TypeKind::Scalar);
  if (!isNumber)
    program.diags
        .report(entry.key.range(), diag::NotAllocatable, entry.key.text(),
                typeName(type))
        .note(property->range(), diag::DeclaredHere, entry.key.text());
  else
    checkValueNode(program, context, entry.value,
                   property->type ? typeOf(program, *property->type) : type);
}

/// Sums of counts, with and without optional assignments, must lie within the
/// range (TOSCA 2.0 §8.5.4). Counts that are only known with the inputs are
/// left to expansion.
void RequirementChecker::checkCounts() {
  const Field *field = node.find(Key::Requirements);
  for (const auto &[name, definition] : declared) {
    Flat::Found range = definition->find(Key::CountRange);
    if (!range || !range.field->valid || !definition->valid)
      continue;
    auto [min, max] = countRangeOf(*definition);
    uint64_t sum = 0, firm = 0;
    const Entity *last = nullptr;
    bool known = true;
    for (const Entity &assignment :
         field ? field->entities : llvm::ArrayRef<Entity>()) {
      if (assignment.name.str() != name)
        continue;
      last = &assignment;
      uint64_t count = 1;
      const Node *node = assignment.value(Key::Count);
      if (node && (!node->isScalar() || node->text().getAsInteger(0, count)))
        known = false;
      sum += count;
      if (!assignment.text(Key::Optional).starts_with_insensitive("t"))
        firm += count;
    }
    // Without an assignment there is an implicit one for the minimum.
    if (!last || !known || (firm >= min && sum <= max))
      continue;
    std::string bound = max == UINT64_MAX ? "UNBOUNDED" : std::to_string(max);
    program.diags
        .report(last->range(), diag::WrongRequirementCount, name,
                node.describe(), sum > max ? sum : firm,
                "[" + std::to_string(min) + ", " + bound + "]")
        .note(range.field->range(), diag::DeclaredHere, name);
  }
}

void sema::checkRequirements(Program &program, const ServiceScope &service,
                             const Template &node) {
  RequirementChecker(program, service, node).run();
}
