//===- Flatten.h - Types with all they inherit ------------------*- C++ -*-===//
///
/// \file
/// A Flat is an entity with its history: the layers in which it was defined and
/// refined, nearest first, and its named parts, which are Flats themselves. One
/// mechanism makes them for all entities, by the table Refinement.def.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_FLATTEN_H
#define TOSCAC_LIB_SEMA_TOSCA_FLATTEN_H

#include "Scope.h"
#include "toscac/Basic/LayeredMap.h"
#include "llvm/ADT/MapVector.h"

namespace toscac::sema {

/// One definition of an entity; names in it mean what they mean in its file.
struct Layer {
  const Entity *entity;
  const Scope *scope;
  /// Of a template, not of a type.
  bool inTemplate = false;
};

struct Flat {
  EntityKind kind;
  Name name;
  /// An operation that a machine from a binding drives: what it is called
  /// there, if that is another name.
  Name machineName;
  llvm::SmallVector<Layer, 2> layers;
  /// What the nearest layer refines; null if nothing.
  const Flat *base = nullptr;
  /// What the nearest `type` names; null if none does.
  TypeDecl *type = nullptr;
  /// False if something in a layer has been reported: what follows from it is
  /// not reported again.
  bool valid = true;
  /// An interface that a binding gave and that no type has refined yet.
  bool isFromBinding = false;
  /// Set when what it defines has been checked: parts are shared by types.
  mutable bool checked = false;

  using Members = LayeredMap<Flat *>;
  struct Group {
    Key key;
    Members members;
  };
  /// The parts by keyname. A part without a name (`entry_schema`,
  /// `relationship`) is the member "".
  llvm::SmallVector<Group, 4> groups;

  /// A keyname with the layer it stands in.
  struct Found {
    const Field *field = nullptr;
    const Scope *scope = nullptr;
    explicit operator bool() const { return field; }
  };
  /// The nearest definition of \p key.
  Found find(Key key) const;
  const Members &members(Key key) const;
  Flat *member(Key key, llvm::StringRef name) const {
    return members(key).lookup(name);
  }
  Flat *nested(Key key) const { return member(key, ""); }

  SourceRange range() const { return layers.front().entity->range(); }
  std::string describe() const;
};

/// The interface \p name of \p owner; metadata `other_name` of its definition
/// may give it a second name, and one that a binding gave has the names under
/// which types refine it. Null if there is none.
Flat *findInterface(const Flat &owner, llvm::StringRef name);

/// The type of \p kind that the keyname \p key of \p definition names; null if
/// it names none.
TypeDecl *typeNamedBy(const Flat &definition, Key key, EntityKind kind);

/// Whether the metadata of a property, attribute or parameter say `key: true`.
bool isMarked(const Flat &definition, llvm::StringRef key);
inline bool isSensitive(const Flat &definition) {
  return isMarked(definition, "sensitive");
}

/// How many relationships a requirement makes (TOSCA 2.0 §8.4).
struct CountRange {
  uint64_t min = 0;
  uint64_t max = UINT64_MAX;
};
CountRange countRangeOf(const Flat &requirement);

/// Whether values of \p definition are required; they are if nobody says
/// otherwise.
bool isRequired(const Flat &definition);
/// Whether it has to be assigned: no default or fixed value fills the gap.
bool needsValue(const Flat &definition);

/// Flattens every type of the program. Reports refinements that the rules do
/// not allow and names of types that are unknown.
void flattenTypes(Program &program);

/// Enters what is refined as used by what refines it.
void useRefined(Program &program);

/// Definitions that stand by themselves under \p key of \p owner: the inputs
/// and outputs of a service or workflow.
Flat::Members flattenDefinitions(Program &program, const Scope &scope,
                                 const Entity &owner, Key key);

/// \p definition, a capability or relationship, with the type \p type instead
/// of its own, from which that one is derived. What it refines stays refined.
Flat *narrowDefinition(Program &program, const Flat &definition,
                       TypeDecl &type);

} // namespace toscac::sema

#endif
