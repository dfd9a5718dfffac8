//===- CheckRequirements.cpp - Requirement assignments --------------------===//
///
/// \file
/// TOSCA 2.0 §8.5: every assignment belongs to a definition of the node's type,
/// its target can fulfil it, and there are as many as the definition allows.
///
//===----------------------------------------------------------------------===//

#include "ServiceScope.h"

#include "CheckAssignments.h"
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
  void checkTarget(const Entity &assignment, const Flat &definition);
  void checkTargetTemplate(const Node &name, const Entity &assignment,
                           const Flat &definition, const Template &target);
  bool checkNarrower(const Node &place, StringRef keyname,
                     const Entity &assignment, const Flat &definition,
                     const TypeDecl *wanted, const TypeDecl *type);
  void checkOffer(const Node &place, const Entity &assignment,
                  const Flat &definition, const Flat &target,
                  const std::string &targetName);
  void checkRelationship(const Entity &assignment, const Flat &definition);
  void checkAllocation(const Entity &assignment, const Flat &definition);
  void checkCounts();

  /// The type that a keyname of the definition names.
  static TypeDecl *named(const Flat &definition, Key key, EntityKind kind);

  Program &program;
  const ServiceScope &service;
  const Template &node;
  const Flat::Members &declared;
};

} // namespace

TypeDecl *RequirementChecker::named(const Flat &definition, Key key,
                                    EntityKind kind) {
  Flat::Found found = definition.find(key);
  if (!found || !found.field->valid || !found.field->value->isScalar())
    return nullptr;
  return found.scope->find(kind, found.field->value->text());
}

void RequirementChecker::run() {
  const Field *field = node.find(Key::Requirements);
  if (field)
    for (const Entity &assignment : field->entities) {
      if (!assignment.valid)
        continue;
      if (const Flat *definition = declared.lookup(assignment.name.str()))
        check(assignment, *definition);
      else
        reportUnknownName(program, "requirement", *assignment.nameNode,
                          namesOf(declared));
    }
  checkCounts();
}

void RequirementChecker::check(const Entity &assignment,
                               const Flat &definition) {
  checkTarget(assignment, definition);
  checkRelationship(assignment, definition);
  checkAllocation(assignment, definition);
  ExprContext context{service.scope};
  context.service = &service;
  if (const Field *filter = assignment.find(Key::NodeFilter);
      filter && filter->valid)
    checkConditionNode(program, context, *filter->value);
  if (const Field *count = assignment.find(Key::Count); count && count->valid)
    checkValueNode(program, context, *count->value,
                   builtinType(TypeKind::Integer));
}

/// `node` names a node template, one instance of it, or a node type.
void RequirementChecker::checkTarget(const Entity &assignment,
                                     const Flat &definition) {
  const Field *field = assignment.find(Key::Node);
  if (!field || !field->valid)
    return;
  const Node &name =
      field->value->isSequence() ? field->value->items()[0] : *field->value;
  auto target = service.nodes.find(name.text());
  if (target != service.nodes.end())
    return checkTargetTemplate(name, assignment, definition, target->second);
  const TypeDecl *type = service.scope.find(EntityKind::NodeType, name.text());
  if (!type) {
    auto known = namesOf(service.nodes);
    std::vector<std::string> types = service.scope.names(EntityKind::NodeType);
    known.append(types.begin(), types.end());
    reportUnknownName(program, "node template or node type", name, known);
  } else if (type->flat &&
             checkNarrower(name, "node", assignment, definition,
                           named(definition, Key::Node, EntityKind::NodeType),
                           type)) {
    checkOffer(name, assignment, definition, *type->flat,
               ("node type '" + name.text() + "'").str());
  }
}

void RequirementChecker::checkTargetTemplate(const Node &name,
                                             const Entity &assignment,
                                             const Flat &definition,
                                             const Template &target) {
  if (!target.flat())
    return;
  const TypeDecl *wanted = named(definition, Key::Node, EntityKind::NodeType);
  if (wanted && !target.type->isDerivedFrom(*wanted)) {
    program.diags
        .report(name.range(), diag::WrongTargetType, definition.describe(),
                node.describe(), wanted->name.str(), name.text(),
                target.type->name.str())
        .note(definition.find(Key::Node).field->range(), diag::DeclaredHere,
              definition.name.str());
    return;
  }
  checkOffer(name, assignment, definition, *target.flat(), target.describe());
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
      .report(place.range(), diag::NotNarrower, subject, wanted->name.str(),
              type->name.str())
      .note(definition.range(), diag::RefinesThis);
  return false;
}

/// The target must have a capability of the type that is asked for.
void RequirementChecker::checkOffer(const Node &place, const Entity &assignment,
                                    const Flat &definition, const Flat &target,
                                    const std::string &targetName) {
  const Flat::Members &offered = target.members(Key::Capabilities);
  const Field *asked = assignment.find(Key::Capability);
  TypeDecl *wanted =
      named(definition, Key::Capability, EntityKind::CapabilityType);
  if (asked && asked->valid) {
    const Flat *byName = offered.lookup(asked->value->text());
    TypeDecl *type = byName ? byName->type
                            : service.scope.find(EntityKind::CapabilityType,
                                                 asked->value->text());
    if (!byName && !type)
      return reportUnknownName(program, "capability", *asked->value,
                               namesOf(offered));
    if (!checkNarrower(*asked->value, "capability", assignment, definition,
                       wanted, type) ||
        byName)
      return;
    wanted = type;
  }
  // A capability by name is one of the definition's node type, which the target
  // has; what names nothing has been reported there.
  if (!wanted)
    return;
  bool fits = llvm::any_of(offered, [&](const auto &entry) {
    const TypeDecl *type = entry.second->type;
    return !type || type->isDerivedFrom(*wanted);
  });
  if (fits)
    return;
  program.diags
      .report(place.range(), diag::NoSuchCapability, definition.describe(),
              node.describe(), wanted->name.str(), targetName)
      .note(definition.range(), diag::DeclaredHere, definition.name.str());
}

/// A relationship type, or else a relationship template (TOSCA 2.0 §8.5.2).
void RequirementChecker::checkRelationship(const Entity &assignment,
                                           const Flat &definition) {
  const Field *field = assignment.find(Key::Relationship);
  if (!field || field->entities.empty())
    return;
  const Entity &relationship = field->entities.front();
  const Flat *definedRelationship = definition.nested(Key::Relationship);
  TypeDecl *base = definedRelationship ? definedRelationship->type : nullptr;
  TypeDecl *type = base;
  const Flat *flat = definedRelationship;
  if (const Field *named = relationship.find(Key::Type);
      named && named->valid) {
    StringRef name = named->value->text();
    type = service.scope.find(EntityKind::RelationshipType, name);
    auto found = service.relationships.find(name);
    if (!type && relationship.isShort && found != service.relationships.end())
      type = found->second.type;
    else if (!type) {
      std::vector<std::string> types =
          service.scope.names(EntityKind::RelationshipType);
      auto known = namesOf(service.relationships);
      known.append(types.begin(), types.end());
      reportUnknownName(program, "relationship type or template", *named->value,
                        known);
      return;
    }
    checkNarrower(*named->value, "relationship", assignment, definition, base,
                  type);
    if (type && type != base)
      flat = type->flat;
  }
  if (relationship.isShort || !flat)
    return;
  ExprContext context{service.scope, flat};
  context.service = &service;
  std::string owner =
      "the relationship of requirement '" + assignment.name.str().str() + "'";
  Assignments properties{flat->members(Key::Properties), "property", owner,
                         relationship.range()};
  if (const Field *values = relationship.find(Key::Properties))
    checkAssignments(program, context, properties,
                     values->valid ? values->value : nullptr);
  checkInterfaces(program, service, *flat, owner,
                  relationship.find(Key::Interfaces));
}

/// Capacities are properties of the target's capability.
void RequirementChecker::checkAllocation(const Entity &assignment,
                                         const Flat &definition) {
  const Field *field = assignment.find(Key::Allocation);
  TypeDecl *capability =
      named(definition, Key::Capability, EntityKind::CapabilityType);
  if (!field || !field->valid || !capability || !capability->flat)
    return;
  const Flat::Members &properties = capability->flat->members(Key::Properties);
  const Node *values = field->value->find("properties");
  bool isOld =
      values && values->isMapping() && field->value->entries().size() == 1;
  for (const syntax::Entry &entry : (isOld ? *values : *field->value).entries())
    if (entry.key.isScalar() && !properties.contains(entry.key.text()))
      program.diags.report(entry.key.range(), diag::UnknownCapacity,
                           capability->name.str(), entry.key.text());
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
