//===- TypedPlaces.h - What may stand along a path --------------*- C++ -*-===//
///
/// \file
/// Which entities a path can lead to, as far as types tell: the ends of a
/// relationship by its lists of valid node types, relationships by the
/// definitions of requirements and capabilities. In a service, templates say
/// more.
///
/// What a type has, all types derived from it have. So a place names the types
/// that a list names, and not all those derived from them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_TYPEDPLACES_H
#define TOSCAC_LIB_SEMA_TOSCA_TYPEDPLACES_H

#include "TOSCA/Types/ServiceScope.h"
#include "TOSCA/Values/CheckExpression.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace toscac::sema {

/// What an expression belongs to: where its paths start.
enum class Origin : uint8_t { Node, Relationship, Service };

/// Something that may stand at a place.
struct Candidate {
  /// A node or relationship type, or the relationship definition of a
  /// requirement; null for a service.
  const Flat *flat = nullptr;
  /// Where it is said that this may stand here.
  SourceRange allowedBy;
  /// A node: its template, in a service. A relationship: its ends, as far as
  /// they are known.
  const Template *node = nullptr;
  const Template *source = nullptr;
  const Template *target = nullptr;
  /// A relationship: what is known of its ends by the way that led to it.
  const Flat *sourceType = nullptr;
  const Flat *targetType = nullptr;
  const Flat *requirement = nullptr;
  const Flat *capability = nullptr;
};

struct TypedPlace {
  Origin kind = Origin::Node;
  llvm::SmallVector<Candidate, 2> candidates;
  /// Others may stand here, too: no list says which.
  bool isOpen = false;

  void add(const Candidate &candidate);
};

/// Follows paths in types, or in \p service if it is not null. To be kept for
/// all paths of a service: what it learns of it is learnt once.
class PlaceFinder {
public:
  PlaceFinder(Program &program, const ServiceScope *service)
      : program(program), service(service) {}

  /// Relationships of the requirement \p name; empty: of all.
  TypedPlace relationships(const TypedPlace &from, llvm::StringRef name) const;
  /// Relationships into the capability \p name; empty: into all.
  TypedPlace incoming(const TypedPlace &from, llvm::StringRef name) const;
  TypedPlace sources(const TypedPlace &from) const;
  TypedPlace targets(const TypedPlace &from) const;
  TypedPlace node(llvm::StringRef name) const;
  /// Types derived from \p type, in order of declaration.
  llvm::ArrayRef<const Flat *> derivedFrom(const Flat &type) const;
  /// Whether this is the first time that \p trigger is compared with \p type.
  bool isNew(const Entity &trigger, const Flat &type) const {
    return compared.insert({&trigger, &type}).second;
  }

private:
  void addRelationship(const Candidate &node, const Flat &requirement,
                       TypedPlace &to) const;
  void addAssigned(const Candidate &node, const Flat &requirement,
                   const Entity &assignment, TypedPlace &to) const;
  void addIncoming(const Candidate &node, const Flat &capability,
                   TypedPlace &to) const;
  void addIncomingInService(const Candidate &node, TypedPlace &to) const;
  void indexService() const;
  void addTypes(llvm::ArrayRef<Flat::Found> lists, TypedPlace &to) const;

  Program &program;
  const ServiceScope *service;

  /// Relationships of a service: those that name their target, by it, and one
  /// of each kind that will find its target by type.
  struct Index {
    llvm::DenseMap<const Template *, std::vector<Candidate>> byTarget;
    TypedPlace others;
  };
  mutable std::optional<Index> index;
  mutable llvm::DenseMap<const Flat *, std::vector<const Flat *>> derived;
  mutable llvm::DenseSet<std::pair<const Entity *, const Flat *>> compared;
};

/// The nearest definition of \p key, in \p flat or else in its type.
Flat::Found findWithType(const Flat &flat, Key key);

} // namespace toscac::sema

#endif
