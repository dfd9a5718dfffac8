//===- FollowPath.cpp - TOSCA Paths over types ----------------------------===//
///
/// \file
/// TOSCA 2.0 §10.3. A step must exist for every type that can stand where it is
/// taken: at the end of a relationship, that is the type which its definition
/// names, or those that the relationship type allows; where a template assigns
/// a target, its type. Where any type can stand, nothing is said.
///
//===----------------------------------------------------------------------===//

#include "FollowPath.h"

#include "TOSCA/Types/ServiceScope.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

StringRef sema::wordOf(const Expr &step) {
  bool isWord = step.isLiteral() && step.value().isString();
  return isWord ? step.value().asString() : StringRef();
}

void sema::reportUnknownStep(Program &program, StringRef noun, const Expr &step,
                             llvm::ArrayRef<StringRef> known) {
  StringRef name = wordOf(step);
  Suggestion meant(name, known);
  std::string path = meant.name ? "" : pathInPlaceOf(name, known);
  auto report = program.diags.report(step.range(), diag::UnknownName, noun,
                                     name, meant.clause() + path);
  if (!meant.name && path.empty())
    noteKnown(report, known);
}

Place::Types sema::findInAll(Program &program, const Place &place, Key key,
                             StringRef noun, const Expr &step) {
  Place::Types found;
  const Flat *lacking = nullptr;
  for (const Flat *type : place.types) {
    if (const Flat *member = type->member(key, wordOf(step))) {
      program.use(step.range(), member);
      found.push_back(member);
    } else if (type->valid) {
      lacking = type;
    }
  }
  bool isThere = !lacking || (place.isChoice && !found.empty());
  if (isThere)
    return found;
  Key other = key == Key::Properties ? Key::Attributes : Key::Properties;
  bool isOther = (key == Key::Properties || key == Key::Attributes) &&
                 lacking->member(other, wordOf(step));
  if (found.empty() && isOther)
    program.diags.report(step.range(), diag::UnknownName, noun, wordOf(step),
                         key == Key::Properties
                             ? "; it is an attribute: ask '$get_attribute'"
                             : "; it is a property: ask '$get_property'");
  else if (found.empty())
    reportUnknownStep(program, noun, step, namesOf(lacking->members(key)));
  else
    program.diags.report(step.range(), diag::NotInEveryType, noun, wordOf(step),
                         lacking->name.str());
  return {};
}

namespace {

class PathFollower {
public:
  PathFollower(Program &program, const ExprContext &context,
               llvm::ArrayRef<Expr> steps)
      : program(program), context(context), steps(steps) {}

  FollowedPath follow();

private:
  Place start();
  Place self();
  bool startsAtTemplate(Place &place);
  bool leadsToNode() const;
  Place node();
  Place step(const Place &at);
  Place throughRequirement(const Place &at);
  Place throughCapability(const Place &at);
  Place throughInterface(const Place &at);
  Place wrongStep(const Place &at);
  /// Enters what is known of the relationships that \p requirement makes.
  void enterRequirement(Place &into, const Flat &requirement,
                        const Template *node, const Entity *assignment);
  /// Enters what is known of the relationships that are made from a template.
  void enterUsers(Place &into, const Template &relationship);
  void enterTarget(Place &into, const Flat &requirement, const Node *name);
  void enterCapabilities(Place &into, const Flat &requirement,
                         const Entity *assignment);

  StringRef word() const {
    return steps.empty() ? StringRef() : wordOf(steps.front());
  }
  void take() { steps = steps.drop_front(); }
  /// An index stands where something follows that it leads to.
  void takeIndex() {
    bool isAll = word() == "ALL";
    bool isIndex = steps.size() > 1 && (isAll || !steps.front().isLiteral() ||
                                        steps.front().value().isInteger());
    takesAll |= isAll;
    if (isIndex)
      take();
  }

  Program &program;
  const ExprContext &context;
  llvm::ArrayRef<Expr> steps;
  bool takesAll = false;
};

Place::Kind placeKindOf(EntityKind kind) {
  switch (kind) {
  case EntityKind::NodeType:
    return Place::Node;
  case EntityKind::RelationshipType:
  case EntityKind::RelationshipDefinition:
    return Place::Relationship;
  case EntityKind::GroupType:
  case EntityKind::PolicyType:
  case EntityKind::DataType:
  case EntityKind::ArtifactType:
    return Place::Other;
  default:
    // Interfaces and capabilities belong to entities that types do not tell.
    return Place::Unknown;
  }
}

/// The types that the list \p key names; none if there is no list.
Place::Types typesListed(const Flat &owner, Key key, EntityKind kind) {
  Flat::Found list = owner.find(key);
  if (!list && owner.type && owner.type->flat)
    list = owner.type->flat->find(key);
  Place::Types result;
  if (!list || !list.field->valid)
    return result;
  for (const Node &name : list.field->value->items()) {
    const TypeDecl *type = list.scope->find(kind, name.text());
    if (!type || !type->flat)
      return {};
    result.push_back(type->flat);
  }
  return result;
}

} // namespace

//===----------------------------------------------------------------------===//
// Where paths start
//===----------------------------------------------------------------------===//

Place PathFollower::self() {
  Place place;
  if (!context.self)
    return place;
  place.kind = placeKindOf(context.self->kind);
  place.types = {context.self};
  if (place.kind == Place::Node)
    place.node = context.node;
  if (place.kind != Place::Relationship)
    return place;
  if (context.requirement) {
    if (context.source)
      place.sources = {context.source};
    place.source = context.node;
    enterRequirement(place, *context.requirement, context.node,
                     context.assignment);
  } else if (context.relationship) {
    enterUsers(place, *context.relationship);
  } else if (!context.service) {
    place.sources = typesListed(*context.self, Key::ValidSourceNodeTypes,
                                EntityKind::NodeType);
    place.targets = typesListed(*context.self, Key::ValidTargetNodeTypes,
                                EntityKind::NodeType);
    place.capabilities = typesListed(*context.self, Key::ValidCapabilityTypes,
                                     EntityKind::CapabilityType);
  }
  return place;
}

bool PathFollower::startsAtTemplate(Place &place) {
  if (!context.service)
    return false;
  auto node = context.service->nodes.find(word());
  auto relationship = context.service->relationships.find(word());
  const Template *found = nullptr;
  if (node != context.service->nodes.end()) {
    found = &node->second;
    place.kind = Place::Node;
    place.node = found;
  } else if (relationship != context.service->relationships.end()) {
    found = &relationship->second;
    place.kind = Place::Relationship;
    enterUsers(place, *found);
    size_t users = context.service->users.lookup(word()).size();
    if (users != 1)
      program.diags.report(steps.front().range(), diag::AmbiguousRelationship,
                           word(), users);
  } else {
    return false;
  }
  program.use(steps.front().range(), found->entity);
  if (found->flat())
    place.types = {found->flat()};
  else
    place.kind = Place::Unknown;
  return true;
}

/// Whether `NODE name` follows, from the service or whatever is in it.
bool PathFollower::leadsToNode() const {
  llvm::ArrayRef<Expr> rest = steps;
  for (StringRef start : {"SELF", "SERVICE"})
    if (!rest.empty() && wordOf(rest.front()) == start)
      rest = rest.drop_front();
  return context.service && rest.size() > 2 && wordOf(rest.front()) == "NODE" &&
         !context.service->nodes.contains("NODE");
}

Place PathFollower::node() {
  while (word() != "NODE")
    take();
  take();
  Place place;
  if (word() == "ALL")
    takesAll = true;
  else if (!context.service->nodes.contains(word()))
    reportUnknownStep(program, "node template", steps.front(),
                      namesOf(context.service->nodes));
  else
    startsAtTemplate(place);
  take();
  takeIndex();
  return place;
}

Place PathFollower::start() {
  if (leadsToNode())
    return node();
  if (word() == "SELF") {
    take();
    return self();
  }
  Place place;
  if (startsAtTemplate(place)) {
    take();
    takeIndex();
    return place;
  }
  // In TOSCA 1.x, types name templates of the services that they are made for.
  if (context.scope.isOlder() && !context.service)
    return place;
  // A property of the entity itself: SELF may be left out.
  if (context.self || !context.service || word().empty())
    return self();
  auto known = namesOf(context.service->nodes);
  llvm::append_range(known, namesOf(context.service->relationships));
  reportUnknownStep(program, "node or relationship template", steps.front(),
                    known);
  return place;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The target that an assignment names, or else the definition.
void PathFollower::enterTarget(Place &into, const Flat &requirement,
                               const Node *name) {
  if (name && name->isSequence())
    name = &name->items()[0];
  if (name && context.service) {
    auto node = context.service->nodes.find(name->text());
    if (node != context.service->nodes.end()) {
      into.target = &node->second;
      if (node->second.flat())
        into.targets.push_back(node->second.flat());
      return;
    }
    const TypeDecl *type =
        context.service->scope.find(EntityKind::NodeType, name->text());
    if (type && type->flat) {
      into.targets.push_back(type->flat);
      return;
    }
  }
  const TypeDecl *type =
      typeNamedBy(requirement, Key::Node, EntityKind::NodeType);
  if (type && type->flat)
    into.targets.push_back(type->flat);
}

/// Those of the target that fit, or the type that is asked for.
void PathFollower::enterCapabilities(Place &into, const Flat &requirement,
                                     const Entity *assignment) {
  const Node *asked = assignment ? assignment->value(Key::Capability) : nullptr;
  Flat::Found defined = requirement.find(Key::Capability);
  if (!asked && defined && defined.field->valid)
    asked = defined.field->value;
  const TypeDecl *wanted =
      typeNamedBy(requirement, Key::Capability, EntityKind::CapabilityType);
  for (const Flat *target : into.targets) {
    const Flat *byName = asked && asked->isScalar()
                             ? target->member(Key::Capabilities, asked->text())
                             : nullptr;
    if (byName)
      into.capabilities.push_back(byName);
    else if (wanted)
      for (const auto &[name, offered] : target->members(Key::Capabilities))
        if (offered->type && offered->type->isDerivedFrom(*wanted))
          into.capabilities.push_back(offered);
  }
  if (into.capabilities.empty() && wanted && wanted->flat)
    into.capabilities.push_back(wanted->flat);
}

void PathFollower::enterRequirement(Place &into, const Flat &requirement,
                                    const Template *node,
                                    const Entity *assignment) {
  const Field *field = node ? node->find(Key::Requirements) : nullptr;
  llvm::SmallVector<const Entity *, 2> assignments;
  if (assignment)
    assignments.push_back(assignment);
  else if (field)
    for (const Entity &other : field->entities)
      if (other.name == requirement.name)
        assignments.push_back(&other);
  for (const Entity *each : assignments)
    enterTarget(into, requirement, each->value(Key::Node));
  if (assignments.empty())
    enterTarget(into, requirement, nullptr);
  if (into.targets.size() < assignments.size())
    into.targets.clear();
  if (assignments.size() != 1)
    into.target = nullptr;
  into.isChoice |= assignments.size() > 1;
  enterCapabilities(into, requirement,
                    assignments.size() == 1 ? assignments[0] : nullptr);
}

void PathFollower::enterUsers(Place &into, const Template &relationship) {
  auto users = context.service->users.lookup(relationship.entity->name.str());
  Place all;
  for (const RelationshipUser &user : users) {
    const Flat *node = user.node->flat();
    const Flat *requirement =
        node ? node->member(Key::Requirements, user.assignment->name.str())
             : nullptr;
    Place one;
    if (requirement)
      enterRequirement(one, *requirement, user.node, user.assignment);
    // Where one end can be anything, nothing is known of all.
    if (one.targets.empty())
      return;
    all.sources.push_back(node);
    llvm::append_range(all.targets, one.targets);
    llvm::append_range(all.capabilities, one.capabilities);
    all.target = one.target;
  }
  into.sources = all.sources;
  into.targets = all.targets;
  into.capabilities = all.capabilities;
  if (users.size() == 1) {
    into.source = users.front().node;
    into.target = all.target;
  }
}

/// RELATIONSHIP name [index] at a node.
Place PathFollower::throughRequirement(const Place &at) {
  take();
  if (steps.empty() || word().empty() || word() == "ALL") {
    takesAll |= word() == "ALL";
    return {};
  }
  Place place;
  place.kind = Place::Relationship;
  place.isChoice = at.isChoice;
  place.sources = at.types;
  place.source = at.node;
  Place::Types requirements =
      findInAll(program, at, Key::Requirements, "requirement", steps.front());
  take();
  takeIndex();
  if (requirements.empty())
    return {};
  for (const Flat *requirement : requirements) {
    // An assignment may choose a relationship of a type of its own.
    if (const Flat *made = requirement->nested(Key::Relationship);
        made && !at.node)
      place.types.push_back(made);
    enterRequirement(place, *requirement, at.node, nullptr);
  }
  return place;
}

/// CAPABILITY name at a node, CAPABILITY at a relationship.
Place PathFollower::throughCapability(const Place &at) {
  take();
  Place place;
  place.kind = Place::Capability;
  place.isChoice = at.isChoice;
  if (at.kind == Place::Relationship) {
    place.types = at.capabilities;
    place.isChoice |= at.capabilities.size() > 1;
  } else if (!steps.empty() && !word().empty() && word() != "ALL") {
    place.types =
        findInAll(program, at, Key::Capabilities, "capability", steps.front());
    take();
  } else {
    takesAll |= word() == "ALL";
    return {};
  }
  if (place.types.empty())
    return {};
  if (word() != "RELATIONSHIP")
    return place;
  take();
  takeIndex();
  Place incoming;
  incoming.kind = Place::Relationship;
  if (place.types.size() == 1) {
    incoming.sources = typesListed(*place.types[0], Key::ValidSourceNodeTypes,
                                   EntityKind::NodeType);
    incoming.types = typesListed(*place.types[0], Key::ValidRelationshipTypes,
                                 EntityKind::RelationshipType);
    incoming.capabilities = place.types;
    incoming.targets = at.kind == Place::Node ? at.types : at.targets;
  }
  return incoming;
}

Place PathFollower::throughInterface(const Place &at) {
  take();
  if (steps.empty())
    return {};
  Place place;
  place.kind = Place::Interface;
  place.isChoice = at.isChoice;
  place.types =
      findInAll(program, at, Key::Interfaces, "interface", steps.front());
  take();
  return place.types.empty() ? Place() : place;
}

Place PathFollower::wrongStep(const Place &at) {
  StringRef noun = at.kind == Place::Node           ? "a node"
                   : at.kind == Place::Relationship ? "a relationship"
                                                    : "a capability";
  program.diags.report(steps.front().range(), diag::WrongPathStep, word(),
                       noun);
  steps = {};
  return {};
}

Place PathFollower::step(const Place &at) {
  bool isNode = at.kind == Place::Node;
  bool isRelationship = at.kind == Place::Relationship;
  if (word() == "INTERFACE" && at.kind != Place::Capability)
    return throughInterface(at);
  if (word() == "CAPABILITY" && at.kind != Place::Capability)
    return throughCapability(at);
  if (word() == "RELATIONSHIP" && isNode)
    return throughRequirement(at);
  if (word() == "SOURCE" && isRelationship) {
    take();
    Place place{Place::Node, at.sources, at.isChoice, at.source};
    return at.sources.empty() ? Place() : place;
  }
  if (word() == "TARGET" && isRelationship) {
    take();
    Place place{Place::Node, at.targets, at.isChoice, at.target};
    return at.targets.empty() ? Place() : place;
  }
  return wrongStep(at);
}

FollowedPath PathFollower::follow() {
  Place at = start();
  auto isStep = [](StringRef word) {
    return llvm::StringSwitch<bool>(word)
        .Cases("RELATIONSHIP", "CAPABILITY", "SOURCE", "TARGET", "INTERFACE",
               true)
        .Default(false);
  };
  bool isFirst = true;
  while (at.kind != Place::Unknown && at.kind != Place::Other &&
         at.kind != Place::Interface && steps.size() > 1 && isStep(word())) {
    bool leaves = !isFirst || word() == "RELATIONSHIP" || word() == "SOURCE" ||
                  word() == "TARGET";
    if (leaves && !context.isComplete) {
      at = Place();
      break;
    }
    isFirst = false;
    at = step(at);
  }
  takesAll |= llvm::any_of(
      steps, [](const Expr &step) { return wordOf(step) == "ALL"; });
  return {at, steps, takesAll};
}

FollowedPath sema::followPath(Program &program, const ExprContext &context,
                              llvm::ArrayRef<Expr> steps) {
  return PathFollower(program, context, steps).follow();
}
