//===- TypedPlaces.cpp - What may stand along a path ----------------------===//

#include "TypedPlaces.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

void TypedPlace::add(const Candidate &candidate) {
  bool known = llvm::any_of(candidates, [&](const Candidate &other) {
    return other.flat == candidate.flat && other.node == candidate.node &&
           other.source == candidate.source &&
           other.target == candidate.target &&
           other.requirement == candidate.requirement &&
           other.capability == candidate.capability;
  });
  if (!known)
    candidates.push_back(candidate);
}

Flat::Found sema::findWithType(const Flat &flat, Key key) {
  Flat::Found found = flat.find(key);
  bool inType = !found && flat.type && flat.type->flat;
  found = inType ? flat.type->flat->find(key) : found;
  return found && found.field->valid ? found : Flat::Found();
}

/// Whether every entity of type \p type is one of type \p ancestor, too.
static bool derives(const Flat &type, const Flat &ancestor) {
  return llvm::any_of(type.layers, [&](const Layer &layer) {
    return layer.entity == ancestor.layers.front().entity;
  });
}

//===----------------------------------------------------------------------===//
// Relationships
//===----------------------------------------------------------------------===//

void PlaceFinder::addRelationship(const Candidate &node,
                                  const Flat &requirement,
                                  TypedPlace &to) const {
  const Field *assigned =
      node.node ? node.node->find(Key::Requirements) : nullptr;
  bool isAssigned = false;
  if (assigned)
    for (const Entity &assignment : assigned->entities)
      if (assignment.name == requirement.name) {
        addAssigned(node, requirement, assignment, to);
        isAssigned = true;
      }
  // Nobody asked for it; it will be there only if there must be one.
  if (isAssigned || (node.node && countRangeOf(requirement).min == 0))
    return;
  const Flat *relationship = requirement.nested(Key::Relationship);
  if (!relationship || !relationship->type) {
    to.isOpen = true;
    return;
  }
  Candidate candidate{relationship, requirement.range()};
  candidate.source = node.node;
  candidate.sourceType = node.flat;
  candidate.requirement = &requirement;
  to.add(candidate);
}

/// The node template that an assignment's `node` names; null if it names none.
static const Template *findTarget(const ServiceScope &service,
                                  const Entity &assignment) {
  const Field *field = assignment.find(Key::Node);
  if (!field || !field->valid)
    return nullptr;
  const Node &name =
      field->value->isSequence() ? field->value->items()[0] : *field->value;
  auto found = service.nodes.find(name.text());
  return found == service.nodes.end() ? nullptr : &found->second;
}

/// The type of relationship that an assignment asks for itself: that of a
/// relationship template, or one that it names.
static const Flat *assignedRelationship(const ServiceScope &service,
                                        const Entity &assignment) {
  llvm::ArrayRef<Entity> relationship = assignment.entities(Key::Relationship);
  StringRef name = relationship.empty() ? assignment.text(Key::Relationship)
                                        : relationship.front().text(Key::Type);
  auto found = service.relationships.find(name);
  if (found != service.relationships.end())
    return found->second.flat();
  const TypeDecl *type = service.scope.find(EntityKind::RelationshipType, name);
  return type ? type->flat : nullptr;
}

void PlaceFinder::addAssigned(const Candidate &node, const Flat &requirement,
                              const Entity &assignment, TypedPlace &to) const {
  const Flat *relationship = requirement.nested(Key::Relationship);
  if (const Flat *assigned = assignedRelationship(*service, assignment))
    relationship = assigned;
  if (!relationship ||
      (relationship->kind == EntityKind::RelationshipDefinition &&
       !relationship->type)) {
    to.isOpen = true;
    return;
  }
  Candidate candidate{relationship, assignment.range()};
  candidate.source = node.node;
  candidate.sourceType = node.flat;
  candidate.target = findTarget(*service, assignment);
  candidate.requirement = &requirement;
  to.add(candidate);
}

TypedPlace PlaceFinder::relationships(const TypedPlace &from,
                                      StringRef name) const {
  TypedPlace to;
  to.kind = Origin::Relationship;
  to.isOpen = from.isOpen;
  for (const Candidate &node : from.candidates)
    for (const auto &[requirementName, requirement] :
         node.flat->members(Key::Requirements))
      if (name.empty() || name == requirementName)
        addRelationship(node, *requirement, to);
  return to;
}

void PlaceFinder::addIncoming(const Candidate &node, const Flat &capability,
                              TypedPlace &to) const {
  Flat::Found list = findWithType(capability, Key::ValidRelationshipTypes);
  if (!list) {
    to.isOpen = true;
    return;
  }
  for (const Node &name : list.field->value->items())
    if (const TypeDecl *type =
            list.scope->find(EntityKind::RelationshipType, name.text());
        type && type->flat) {
      Candidate candidate{type->flat, name.range()};
      candidate.target = node.node;
      candidate.targetType = node.flat;
      candidate.capability = &capability;
      to.add(candidate);
    }
}

void PlaceFinder::indexService() const {
  index.emplace();
  index->others.kind = Origin::Relationship;
  for (const auto &[name, node] : service->nodes) {
    if (!node.flat())
      continue;
    TypedPlace start;
    start.candidates.push_back({node.flat(), node.entity->range(), &node});
    TypedPlace leaving = relationships(start, "");
    index->others.isOpen |= leaving.isOpen;
    for (Candidate &candidate : leaving.candidates) {
      if (candidate.target) {
        index->byTarget[candidate.target].push_back(candidate);
        continue;
      }
      candidate.source = nullptr;
      index->others.add(candidate);
    }
  }
}

/// In a service, those who use the node are its other templates.
void PlaceFinder::addIncomingInService(const Candidate &node,
                                       TypedPlace &to) const {
  if (!index)
    indexService();
  if (auto found = index->byTarget.find(node.node);
      found != index->byTarget.end())
    for (const Candidate &candidate : found->second)
      to.add(candidate);
  for (const Candidate &candidate : index->others.candidates) {
    TypedPlace alone;
    alone.candidates.push_back(candidate);
    TypedPlace ends = targets(alone);
    bool fits =
        ends.isOpen || llvm::any_of(ends.candidates, [&](const Candidate &end) {
          return derives(*node.flat, *end.flat);
        });
    if (fits)
      to.add(candidate);
  }
}

TypedPlace PlaceFinder::incoming(const TypedPlace &from, StringRef name) const {
  TypedPlace to;
  to.kind = Origin::Relationship;
  to.isOpen = from.isOpen;
  for (const Candidate &node : from.candidates) {
    if (node.node) {
      addIncomingInService(node, to);
      continue;
    }
    for (const auto &[capabilityName, capability] :
         node.flat->members(Key::Capabilities))
      if (name.empty() || name == capabilityName)
        addIncoming(node, *capability, to);
  }
  return to;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The node types that \p list names, each with its place.
static llvm::SmallVector<Candidate, 2> namedTypes(Flat::Found list) {
  llvm::SmallVector<Candidate, 2> result;
  auto add = [&](const Node &name) {
    const TypeDecl *type = list.scope->find(EntityKind::NodeType, name.text());
    if (type && type->flat)
      result.push_back({type->flat, name.range()});
  };
  if (list.field->value->isSequence())
    for (const Node &name : list.field->value->items())
      add(name);
  else if (list.field->value->isScalar())
    add(*list.field->value);
  return result;
}

/// The types that satisfy all \p lists; open if there is no list.
void PlaceFinder::addTypes(llvm::ArrayRef<Flat::Found> lists,
                           TypedPlace &to) const {
  std::optional<llvm::SmallVector<Candidate, 2>> allowed;
  for (const Flat::Found &list : lists) {
    if (!list)
      continue;
    auto named = namedTypes(list);
    // An empty list restricts nothing.
    if (named.empty())
      continue;
    if (!allowed) {
      allowed = named;
      continue;
    }
    llvm::SmallVector<Candidate, 2> both;
    for (const Candidate &first : *allowed)
      for (const Candidate &second : named)
        if (derives(*first.flat, *second.flat))
          both.push_back(first);
        else if (derives(*second.flat, *first.flat))
          both.push_back(second);
    allowed = both;
  }
  if (!allowed) {
    to.isOpen = true;
    return;
  }
  for (const Candidate &candidate : *allowed)
    to.add(candidate);
}

static void addTemplate(const Template &node, SourceRange allowedBy,
                        TypedPlace &to) {
  if (node.flat())
    to.add({node.flat(), allowedBy, &node});
}

TypedPlace PlaceFinder::sources(const TypedPlace &from) const {
  TypedPlace to;
  to.isOpen = from.isOpen;
  for (const Candidate &relationship : from.candidates) {
    if (relationship.source) {
      addTemplate(*relationship.source, relationship.allowedBy, to);
    } else if (relationship.sourceType) {
      to.add({relationship.sourceType, relationship.allowedBy});
    } else {
      Flat::Found lists[] = {
          findWithType(*relationship.flat, Key::ValidSourceNodeTypes),
          relationship.capability ? findWithType(*relationship.capability,
                                                 Key::ValidSourceNodeTypes)
                                  : Flat::Found()};
      addTypes(lists, to);
    }
  }
  return to;
}

TypedPlace PlaceFinder::targets(const TypedPlace &from) const {
  TypedPlace to;
  to.isOpen = from.isOpen;
  for (const Candidate &relationship : from.candidates) {
    if (relationship.target) {
      addTemplate(*relationship.target, relationship.allowedBy, to);
    } else if (relationship.targetType) {
      to.add({relationship.targetType, relationship.allowedBy});
    } else {
      Flat::Found lists[] = {
          relationship.requirement ? relationship.requirement->find(Key::Node)
                                   : Flat::Found(),
          findWithType(*relationship.flat, Key::ValidTargetNodeTypes)};
      addTypes(lists, to);
    }
  }
  return to;
}

TypedPlace PlaceFinder::node(StringRef name) const {
  TypedPlace to;
  if (!service) {
    to.isOpen = true;
    return to;
  }
  for (const auto &[templateName, node] : service->nodes)
    if (name.empty() || name == templateName)
      addTemplate(node, node.entity->range(), to);
  return to;
}

llvm::ArrayRef<const Flat *> PlaceFinder::derivedFrom(const Flat &type) const {
  if (derived.empty())
    for (const TypeDecl &decl : program.types)
      for (const TypeDecl *at = decl.parent; at && decl.flat; at = at->parent)
        if (at->flat)
          derived[at->flat].push_back(decl.flat);
  auto found = derived.find(&type);
  if (found == derived.end())
    return {};
  return found->second;
}
