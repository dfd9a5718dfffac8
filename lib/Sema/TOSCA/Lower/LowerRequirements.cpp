//===- LowerRequirements.cpp - Requirement assignments --------------------===//
///
/// \file
/// Each assignment with what its definition adds (TOSCA 2.0 §8.5), and the
/// implicit assignments of definitions that nobody assigned to (§8.5.4).
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "LowerMachines.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class RequirementLowering {
public:
  RequirementLowering(Lowering &lowering, const ServiceScope &service,
                      const Template &node)
      : lowering(lowering), service(service), node(node),
        relationshipSite(siteOf(service, Origin::Relationship)) {}

  std::vector<Requirement> run();
  Requirement lowerImplicit(const Flat &definition);
  Requirement lowerObsolete(const Flat &definition, TypeDecl *type);

private:
  Requirement lowerDefinition(const Flat &definition);
  Requirement lowerAssignment(const Entity &assignment, const Flat &definition);
  void setCountRange(const Flat &definition, Requirement &result);
  void setCapability(const Flat &definition, Requirement &result);
  void setTarget(const Entity &assignment, Requirement &result);
  void setAskedCapability(const Entity &assignment, Requirement &result);
  void setDirectives(const Entity &assignment, Requirement &result);
  void addFilters(const Flat &definition, Requirement &result);
  void addAllocations(const Entity &assignment, Requirement &result);
  const Type &amountType(StringRef property);

  Relationship lowerRelationship(const Flat &definition,
                                 const Entity *assignment);
  Relationship lowerRelationship(const Flat &flat, const Template *fromTemplate,
                                 const Entity *assigned);
  Relationship lowerUntyped(const Flat &definition, const Entity *assigned);
  const Flat &narrowed(const Flat &definition, TypeDecl &type);

  Lowering &lowering;
  const ServiceScope &service;
  const Template &node;
  Site relationshipSite;
  // Of the assignment at hand: its place, its target, the type of that and of
  // the capability there, as far as they are known.
  SourceRange range;
  const Template *target = nullptr;
  const TypeDecl *targetType = nullptr;
  const TypeDecl *capabilityType = nullptr;
};

} // namespace

std::vector<Requirement> RequirementLowering::run() {
  std::vector<Requirement> result;
  llvm::SmallPtrSet<const Flat *, 8> assigned;
  const Flat::Members &declared = node.flat()->members(Key::Requirements);
  if (const Field *field = node.find(Key::Requirements))
    for (const Entity &assignment : field->entities) {
      const Flat &definition = *declared.lookup(assignment.name.str());
      result.push_back(lowerAssignment(assignment, definition));
      assigned.insert(&definition);
    }
  for (const auto &[name, definition] : declared) {
    if (assigned.contains(definition))
      continue;
    Requirement implicit = lowerImplicit(*definition);
    if (implicit.minCount > 0)
      result.push_back(std::move(implicit));
  }
  return result;
}

Requirement RequirementLowering::lowerImplicit(const Flat &definition) {
  Requirement result = lowerDefinition(definition);
  result.implicit = true;
  result.relationship = lowerRelationship(definition, nullptr);
  return result;
}

/// \p type: of the relationship, where it is known.
Requirement RequirementLowering::lowerObsolete(const Flat &definition,
                                               TypeDecl *type) {
  Requirement result;
  result.name = definition.name;
  result.isObsolete = true;
  result.minCount = 0;
  const Flat *defined = definition.nested(Key::Relationship);
  if (!type)
    return result;
  const Flat &flat =
      defined && defined->type ? narrowed(*defined, *type) : *type->flat;
  result.relationship = lowerRelationship(flat, nullptr, nullptr);
  result.relationship.type = lowerType(lowering, type);
  return result;
}

//===----------------------------------------------------------------------===//
// What the definition says
//===----------------------------------------------------------------------===//

Requirement RequirementLowering::lowerDefinition(const Flat &definition) {
  Requirement result;
  result.name = definition.name;
  result.range = range = node.entity->range();
  target = nullptr;
  targetType = capabilityType = nullptr;
  if (Flat::Found type = definition.find(Key::Node))
    targetType =
        type.scope->find(EntityKind::NodeType, type.field->value->text());
  result.nodeType = lowerType(lowering, targetType);
  setCountRange(definition, result);
  setCapability(definition, result);
  addFilters(definition, result);
  return result;
}

/// [ 0, UNBOUNDED ] where nothing is said.
void RequirementLowering::setCountRange(const Flat &definition,
                                        Requirement &result) {
  result.minCount = 0;
  Flat::Found range = definition.find(Key::CountRange);
  if (!range)
    return;
  llvm::ArrayRef<Node> bounds = range.field->value->items();
  bounds[0].text().getAsInteger(0, result.minCount);
  bounds[1].text().getAsInteger(0, result.maxCount);
}

/// A capability of the node type that the definition names, or a type.
void RequirementLowering::setCapability(const Flat &definition,
                                        Requirement &result) {
  Flat::Found found = definition.find(Key::Capability);
  if (!found)
    return;
  StringRef name = found.field->value->text();
  const Flat *byName =
      targetType ? targetType->flat->member(Key::Capabilities, name) : nullptr;
  if (byName)
    result.capability = byName->name;
  capabilityType = byName ? byName->type
                          : found.scope->find(EntityKind::CapabilityType, name);
  result.capabilityType = lowerType(lowering, capabilityType);
}

/// Those of all layers must hold.
void RequirementLowering::addFilters(const Flat &definition,
                                     Requirement &result) {
  for (const Layer &layer : llvm::reverse(definition.layers))
    if (const Field *filter = layer.entity->find(Key::NodeFilter)) {
      Site site{{*layer.scope}, Origin::Relationship};
      result.filters.push_back(lowerCondition(lowering, site, *filter->value));
    }
}

//===----------------------------------------------------------------------===//
// What the assignment says
//===----------------------------------------------------------------------===//

Requirement RequirementLowering::lowerAssignment(const Entity &assignment,
                                                 const Flat &definition) {
  Requirement result = lowerDefinition(definition);
  result.range = range = assignment.range();
  if (const Field *count = assignment.find(Key::Count))
    result.count = lowerValue(lowering, siteOf(service, Origin::Node),
                              *count->value, builtinType(TypeKind::Integer));
  result.optional = assignment.text(Key::Optional).starts_with_insensitive("t");
  setTarget(assignment, result);
  setAskedCapability(assignment, result);
  setDirectives(assignment, result);
  if (const Field *filter = assignment.find(Key::NodeFilter))
    result.filters.push_back(
        lowerCondition(lowering, relationshipSite, *filter->value));
  addAllocations(assignment, result);
  result.relationship = lowerRelationship(definition, &assignment);
  return result;
}

/// `node` names a node template, one instance of it, or a node type.
void RequirementLowering::setTarget(const Entity &assignment,
                                    Requirement &result) {
  const Field *field = assignment.find(Key::Node);
  if (!field)
    return;
  bool isPair = field->value->isSequence();
  const Node &name = isPair ? field->value->items()[0] : *field->value;
  auto found = service.nodes.find(name.text());
  if (found == service.nodes.end()) {
    targetType = service.scope.find(EntityKind::NodeType, name.text());
    result.nodeType = lowerType(lowering, targetType);
    return;
  }
  result.node = found - service.nodes.begin();
  target = &found->second;
  targetType = target->type;
  if (isPair && field->value->items().size() > 1)
    result.nodeIndex =
        lowerValue(lowering, relationshipSite, field->value->items()[1],
                   builtinType(TypeKind::Integer));
}

/// `capability` names a capability of the target, or a type.
void RequirementLowering::setAskedCapability(const Entity &assignment,
                                             Requirement &result) {
  const Field *asked = assignment.find(Key::Capability);
  if (!asked)
    return;
  StringRef name = asked->value->text();
  const Flat *byName =
      targetType ? targetType->flat->member(Key::Capabilities, name) : nullptr;
  const TypeDecl *type =
      byName ? byName->type
             : service.scope.find(EntityKind::CapabilityType, name);
  if (byName || !type)
    result.capability = lowering.intern(name);
  if (!type)
    return;
  capabilityType = type;
  result.capabilityType = lowerType(lowering, type);
}

void RequirementLowering::setDirectives(const Entity &assignment,
                                        Requirement &result) {
  const Field *field = assignment.find(Key::Directives);
  if (!field || field->value->items().empty())
    return;
  auto says = [&](StringRef word) {
    return llvm::any_of(field->value->items(),
                        [&](const Node &item) { return item.text() == word; });
  };
  result.mayBeExternal = says("external");
  result.mayBeInternal = says("internal") || !result.mayBeExternal;
  result.prefersExternal =
      result.mayBeInternal && field->value->items()[0].text() == "external";
}

/// What is taken is measured like the capacity, but need not be one: the
/// property's validation clauses do not apply to it.
const Type &RequirementLowering::amountType(StringRef property) {
  const Flat *definition =
      capabilityType ? capabilityType->flat->member(Key::Properties, property)
                     : nullptr;
  if (!definition)
    return builtinType(TypeKind::Any);
  const Type &type = typeOf(lowering.program, *definition);
  return type.is(TypeKind::Scalar) ? scalarFamily(type)
         : type.is(TypeKind::Integer) || type.is(TypeKind::Float)
             ? builtinType(type.kind)
             : builtinType(TypeKind::Any);
}

/// A map of properties; earlier versions had it under `properties`.
void RequirementLowering::addAllocations(const Entity &assignment,
                                         Requirement &result) {
  const Field *field = assignment.find(Key::Allocation);
  if (!field)
    return;
  const Node *older = field->value->find("properties");
  bool isOld =
      older && older->isMapping() && field->value->entries().size() == 1;
  for (const Entry &entry : (isOld ? *older : *field->value).entries()) {
    StringRef property = entry.key.text();
    const Expr *amount = lowerValue(lowering, relationshipSite, entry.value,
                                    amountType(property));
    result.allocations.push_back(
        {lowering.intern(property), amount, entry.value.range()});
  }
}

//===----------------------------------------------------------------------===//
// Relationships
//===----------------------------------------------------------------------===//

const Flat &RequirementLowering::narrowed(const Flat &definition,
                                          TypeDecl &type) {
  if (definition.type == &type)
    return definition;
  const Flat *&known = lowering.narrowed[{&definition, &type}];
  if (!known)
    known = narrowDefinition(lowering.program, definition, type);
  return *known;
}

/// Nothing, unless a binding says what relationships without a type are like.
Relationship RequirementLowering::lowerUntyped(const Flat &definition,
                                               const Entity *assigned) {
  for (const Program::Untyped &untyped : lowering.program.untyped) {
    if (!untyped.requirement.empty() &&
        untyped.requirement != definition.name.str())
      continue;
    Relationship result =
        lowerRelationship(*untyped.type->flat, nullptr, assigned);
    result.type = lowerType(lowering, untyped.type);
    return result;
  }
  return Relationship();
}

/// `relationship` names a type, or else a template, or assigns values to what
/// the definition says (TOSCA 2.0 §8.5.2).
Relationship RequirementLowering::lowerRelationship(const Flat &definition,
                                                    const Entity *assignment) {
  const Flat *defined = definition.nested(Key::Relationship);
  const Entity *assigned = nullptr;
  if (assignment && !assignment->entities(Key::Relationship).empty())
    assigned = &assignment->entities(Key::Relationship).front();
  const Template *fromTemplate = nullptr;
  TypeDecl *type = defined ? defined->type : nullptr;
  if (const Field *named = assigned ? assigned->find(Key::Type) : nullptr) {
    StringRef name = named->value->text();
    TypeDecl *byName = service.scope.find(EntityKind::RelationshipType, name);
    auto found = service.relationships.find(name);
    if (!byName && found != service.relationships.end()) {
      fromTemplate = &found->second;
      byName = fromTemplate->type;
    }
    type = byName;
  }
  if (!type)
    return lowerUntyped(definition, assigned);
  const Flat &flat =
      defined && defined->type ? narrowed(*defined, *type) : *type->flat;
  Relationship result = lowerRelationship(flat, fromTemplate, assigned);
  result.type = lowerType(lowering, type);
  auto addList = [&](auto &lists, Key key, EntityKind kind) {
    auto list = lowerTypeList(lowering, *type->flat, key, kind);
    if (!list.empty())
      lists.push_back(std::move(list));
  };
  addList(result.validTargets, Key::ValidTargetNodeTypes, EntityKind::NodeType);
  addList(result.validSources, Key::ValidSourceNodeTypes, EntityKind::NodeType);
  addList(result.validCapabilities, Key::ValidCapabilityTypes,
          EntityKind::CapabilityType);
  return result;
}

/// The type itself where \p flat, a definition, refines none of its interfaces:
/// machines are shared by all that have them from one place.
static const Flat &interfacesOf(const Flat &flat) {
  if (!flat.type)
    return flat;
  const Flat::Members &own = flat.members(Key::Interfaces);
  const Flat::Members &inherited = flat.type->flat->members(Key::Interfaces);
  bool same = llvm::equal(llvm::make_second_range(own),
                          llvm::make_second_range(inherited));
  return same ? *flat.type->flat : flat;
}

Relationship RequirementLowering::lowerRelationship(
    const Flat &flat, const Template *fromTemplate, const Entity *assigned) {
  auto find = [&](Key key) -> const Field * {
    if (fromTemplate)
      return fromTemplate->find(key);
    return assigned ? assigned->find(key) : nullptr;
  };
  auto values = [&](Key key) -> const Node * {
    const Field *field = find(key);
    return field ? field->value : nullptr;
  };
  Site site = siteOf(service, Origin::Relationship, &flat);
  Relationship result;
  result.properties = lowerAssignments(
      lowering, site, flat.members(Key::Properties), values(Key::Properties));
  result.attributes = lowerAssignments(
      lowering, site, flat.members(Key::Attributes), values(Key::Attributes));
  InterfaceOwner owner{service, Origin::Relationship, interfacesOf(flat)};
  owner.node = &node;
  owner.target = target;
  owner.range = range;
  if (const Field *interfaces = find(Key::Interfaces))
    owner.assignments.push_back(interfaces);
  result.machines = lowerInterfaces(lowering, owner);
  result.machineOrigin = machineOrigin(owner);
  return result;
}

std::vector<Requirement> sema::lowerRequirements(Lowering &lowering,
                                                 const ServiceScope &service,
                                                 const Template &node) {
  return RequirementLowering(lowering, service, node).run();
}

std::vector<Requirement>
sema::lowerModelRequirements(Lowering &lowering, const ServiceScope &service,
                             const Template &node) {
  std::vector<Requirement> result;
  for (const auto &[name, definition] :
       node.flat()->members(Key::Requirements)) {
    result.push_back(RequirementLowering(lowering, service, node)
                         .lowerImplicit(*definition));
    result.back().implicit = false;
  }
  return result;
}

Requirement sema::lowerObsoleteRequirement(Lowering &lowering,
                                           const ServiceScope &service,
                                           const Template &node,
                                           const Flat &definition,
                                           TypeDecl *relationship) {
  return RequirementLowering(lowering, service, node)
      .lowerObsolete(definition, relationship);
}

void sema::addMappedRequirements(Lowering &lowering,
                                 const ServiceScope &service, Service &result) {
  for (const MappedRequirement &mapping : result.substitution->requirements)
    for (const MappedRequirement::Target &target : mapping.targets) {
      NodeTemplate &node = result.nodes[target.node];
      bool isThere = !target.requirement ||
                     llvm::any_of(node.requirements, [&](const Requirement &r) {
                       return r.name == target.requirement;
                     });
      if (isThere)
        continue;
      const Template &written = (service.nodes.begin() + target.node)->second;
      const Flat &definition =
          *written.flat()->member(Key::Requirements, target.requirement.str());
      node.requirements.push_back(
          RequirementLowering(lowering, service, written)
              .lowerImplicit(definition));
    }
}
