//===- StandardTypes.cpp - The types that TOSCA 1.x brings along ----------===//
///
/// \file
/// Types of the standard have three names: `tosca.nodes.Compute`, `Compute` and
/// `tosca:Compute`. What a requirement leaves out is settled by them as well.
///
//===----------------------------------------------------------------------===//

#include "StandardTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

/// The names of \p kind that the standard gives, shortest first.
static std::vector<std::string> standardNames(const Scope &standard,
                                              EntityKind kind) {
  std::vector<std::string> names = standard.names(kind);
  llvm::erase_if(names, [](StringRef name) {
    return name.contains(':') || !name.starts_with("tosca.");
  });
  llvm::stable_sort(names, [](StringRef a, StringRef b) {
    return a.count('.') < b.count('.');
  });
  return names;
}

/// Where two types end alike, as `Compute` and `Abstract.Compute` do, the one
/// with the shorter name is meant.
void sema::declareShortNames(Program &program, Scope &standard) {
  for (auto [key, kind] : typeSections()) {
    auto &into = standard.shortNames[static_cast<size_t>(kind)];
    for (StringRef name : standardNames(standard, kind)) {
      TypeDecl *type = standard.find(kind, name);
      for (StringRef rest = name.split('.').second; !rest.empty();
           rest = rest.split('.').second)
        into.try_emplace(rest, type);
    }
  }
  // The word of YAML for the type of nothing.
  auto &dataTypes =
      standard.shortNames[static_cast<size_t>(EntityKind::DataType)];
  dataTypes["null"] = program.builtIns.ownOf(EntityKind::DataType)["nil"];
}

static bool isNodeType(const Scope &scope, const Node &name) {
  return name.isScalar() &&
         !scope.find(EntityKind::CapabilityType, name.text()) &&
         scope.find(EntityKind::NodeType, name.text());
}

/// \p type with the node types among \p targets in a list of their own.
static const Entity *withSeparateTargets(Program &program, const TypeDecl &type,
                                         const Field &targets) {
  llvm::SmallVector<Node> capabilities, nodes;
  for (const Node &name : targets.value->items())
    (isNodeType(*type.scope, name) ? nodes : capabilities).push_back(name);
  if (nodes.empty())
    return type.entity;
  ValueArena &arena = program.arena;
  SourceRange place = targets.value->range();
  auto list = [&](const llvm::SmallVector<Node> &names) {
    return arena.make(
        Node::sequence(place, arena.save(llvm::ArrayRef<Node>(names))));
  };
  llvm::SmallVector<Field> fields;
  for (Field field : type.entity->fields) {
    if (field.key == Key::ValidCapabilityTypes) {
      Field target = field;
      target.key = Key::ValidTargetNodeTypes;
      target.value = list(nodes);
      fields.push_back(target);
      field.value = list(capabilities);
      if (capabilities.empty())
        continue;
    }
    fields.push_back(field);
  }
  Entity separate = *type.entity;
  separate.fields = arena.save(llvm::ArrayRef<Field>(fields));
  return arena.make(separate);
}

void sema::separateTargets(Program &program) {
  for (TypeDecl &type : program.types)
    if (type.kind == EntityKind::RelationshipType && type.entity &&
        type.scope->isOlder())
      if (const Field *targets = type.entity->find(Key::ValidCapabilityTypes);
          targets && targets->valid && targets->value->isSequence())
        type.entity = withSeparateTargets(program, type, *targets);
}

//===----------------------------------------------------------------------===//
// What requirements leave out
//===----------------------------------------------------------------------===//

/// Whether relationships of \p type are there for capabilities of \p wanted.
static bool leadsTo(const TypeDecl &type, const TypeDecl &wanted) {
  const Field *list =
      type.entity ? type.entity->find(Key::ValidCapabilityTypes) : nullptr;
  return list && list->valid &&
         llvm::any_of(list->value->items(), [&](const Node &name) {
           const TypeDecl *allowed =
               type.scope->find(EntityKind::CapabilityType, name.text());
           return allowed && wanted.isDerivedFrom(*allowed);
         });
}

/// The relationship type of the standard that leads to capabilities of the type
/// that is asked for, or else the one that the profile names for all others.
static std::string defaultRelationship(const Scope &scope,
                                       const Entity &requirement) {
  const TypeDecl *wanted =
      scope.find(EntityKind::CapabilityType, requirement.text(Key::Capability));
  for (const std::string &name :
       scope.standard->names(EntityKind::RelationshipType)) {
    const TypeDecl *type =
        scope.standard->find(EntityKind::RelationshipType, name);
    if (wanted && !StringRef(name).contains(':') && leadsTo(*type, *wanted))
      return name;
  }
  const Node *metadata = scope.standard->file->root.value(Key::Metadata);
  const Node *name = metadata ? metadata->find("relationship") : nullptr;
  return name && name->isScalar() ? name->text().str() : std::string();
}

const Entity *sema::completeRequirement(Program &program, const Scope &scope,
                                        const Entity &requirement) {
  if (!scope.standard || !requirement.valid)
    return &requirement;
  ValueArena &arena = program.arena;
  llvm::SmallVector<Field> fields(requirement.fields);
  SourceRange place = requirement.range();
  auto scalar = [&](StringRef text) {
    return Node::scalar(place, arena.save(text), syntax::ScalarStyle::Plain);
  };
  if (!requirement.find(Key::CountRange)) {
    Node bounds[] = {scalar("1"), scalar("1")};
    Field range{Key::CountRange};
    range.value = arena.make(
        Node::sequence(place, arena.save(llvm::ArrayRef<Node>(bounds))));
    fields.push_back(range);
  }
  std::string name = requirement.find(Key::Relationship)
                         ? std::string()
                         : defaultRelationship(scope, requirement);
  if (!name.empty()) {
    Field type{Key::Type};
    type.value = arena.make(scalar(name));
    Entity relationship{EntityKind::RelationshipDefinition};
    relationship.isShort = true;
    relationship.node = type.value;
    relationship.fields = arena.save(llvm::ArrayRef<Field>(type));
    Field field{Key::Relationship};
    field.value = type.value;
    field.entities = arena.save(llvm::ArrayRef<Entity>(relationship));
    fields.push_back(field);
  }
  Entity complete = requirement;
  complete.fields = arena.save(llvm::ArrayRef<Field>(fields));
  return arena.make(complete);
}
