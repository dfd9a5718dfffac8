//===- ServiceScope.h - The templates of a service --------------*- C++ -*-===//
///
/// \file
/// What names mean within a service template.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_SERVICESCOPE_H
#define TOSCAC_LIB_SEMA_TOSCA_SERVICESCOPE_H

#include "Flatten.h"

namespace toscac::sema {

/// A node or relationship template, group or policy with its type.
struct Template {
  /// With all that `copy` brings.
  const Entity *entity = nullptr;
  TypeDecl *type = nullptr;
  /// False if it copies what cannot be copied, which has been reported: what it
  /// lacks is not reported again.
  bool isWhole = true;

  const Flat *flat() const { return type ? type->flat : nullptr; }
  const Field *find(Key key) const { return entity->find(key); }
  bool hasDirective(llvm::StringRef directive) const;
  /// No other directive says that the node may be made.
  bool isOnlySelected() const;
  std::string describe() const {
    return (tosca::rule(entity->kind).noun + " '" + entity->name.str() + "'")
        .str();
  }
};

/// A requirement assignment that takes a relationship template.
struct RelationshipUser {
  const Template *node;
  const Entity *assignment;
};

/// A trigger of a policy, and what it listens to; see PolicyEvents.h.
struct PolicyListener {
  /// `policy.trigger`.
  Name name;
  /// `overload` or `life.overload`.
  llvm::StringRef event;
  llvm::SmallVector<const Template *> targets;
  /// It calls one operation, as an event does.
  bool isOneCall = false;
  /// Set when something is met that sends the event.
  mutable bool isHeard = false;
  SourceRange range;
};

struct ServiceScope {
  const Scope &scope;
  const Entity &entity;
  llvm::MapVector<llvm::StringRef, Template> nodes;
  llvm::MapVector<llvm::StringRef, Template> relationships;
  llvm::MapVector<llvm::StringRef, Template> groups;
  llvm::MapVector<llvm::StringRef, Template> policies;
  /// The requirement that uses each relationship template.
  llvm::StringMap<llvm::SmallVector<RelationshipUser, 1>> users;
  Flat::Members inputs;
  Flat::Members outputs;
  /// The inputs of each workflow.
  llvm::MapVector<llvm::StringRef, Flat::Members> workflows;
  /// The inputs of each event.
  llvm::MapVector<llvm::StringRef, Flat::Members> events;
  std::vector<PolicyListener> listeners;
};

/// The node template called \p name, or null with a report.
const Template *findNodeTemplate(Program &program, const ServiceScope &service,
                                 const syntax::Node &name);

/// Reports that no \p noun is called \p name, with the nearest of \p known.
void reportUnknownName(Program &program, llvm::StringRef noun,
                       const syntax::Node &name,
                       llvm::ArrayRef<llvm::StringRef> known);

/// What to write for `node.attribute`, which is a path as other tools write it;
/// empty if \p text is none.
std::string pathInPlaceOf(llvm::StringRef text,
                          llvm::ArrayRef<llvm::StringRef> known);

/// What operations are called on.
struct ActivityTarget {
  const Flat *type;
  /// The node template; null for a relationship.
  const Template *node = nullptr;
};

/// The node template called \p name, or the members of the group called so;
/// reports what is neither.
llvm::SmallVector<ActivityTarget, 2> findTargets(Program &program,
                                                 const ServiceScope &service,
                                                 const syntax::Node &name);

/// What \p node says of an operation or notification of \p interface; null:
/// nothing.
const Entity *assignedOperation(const Template &node, const Flat &interface,
                                llvm::StringRef operation);

/// Whether \p node assigns a value to \p input of an operation or notification
/// of \p interface, or to one of this name of the interface as a whole.
bool givesInput(const Template &node, const Flat &interface,
                llvm::StringRef operation, llvm::StringRef input);

/// The names in \p map.
template <typename Map>
llvm::SmallVector<llvm::StringRef> namesOf(const Map &map) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &entry : map)
    names.push_back(entry.first);
  return names;
}

} // namespace toscac::sema

#endif
