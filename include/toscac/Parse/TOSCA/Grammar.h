//===- toscac/Parse/TOSCA/Grammar.h - The tables of the grammar -*- C++ -*-===//
///
/// \file
/// The tables of Grammar.def as data.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_GRAMMAR_H
#define TOSCAC_PARSE_TOSCA_GRAMMAR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace toscac::tosca {

enum class Key : uint8_t {
#define KEYNAME(NAME, WORD) NAME,
#include "toscac/Parse/TOSCA/Keynames.def"
};
llvm::StringRef word(Key key);

enum class EntityKind : uint8_t {
#define ENTITY(KIND, ...) KIND,
#include "toscac/Parse/TOSCA/Grammar.def"
};

enum class Presence : uint8_t { Mandatory, Inherited, Optional };

/// What a keyname's value looks like.
enum class ShapeKind : uint8_t {
  Text,                ///< a string
  Name,                ///< a string that is not empty
  Names,               ///< a list of names
  NameOrNames,         ///< a name, or a list of names
  Boolean,             ///< true or false
  Version,             ///< a version string
  DefinitionsVersion,  ///< a version of the language
  Metadata,            ///< a map of anything
  Dsl,                 ///< a map of anchored blocks
  Value,               ///< any value or function call
  Values,              ///< a map from names to values
  Condition,           ///< a boolean expression
  Conditions,          ///< a list of conditions
  Constraints,         ///< a condition, or a list of { operator: argument }
  Count,               ///< a number that is not negative, or a function call
  CountRange,          ///< [min, max], where max may be UNBOUNDED
  Numbers,             ///< a map from units or prefixes to numbers
  NodeReference,       ///< a name, or [name, index]
  Allocation,          ///< a map from capability properties to values
  Path,                ///< a list: the way to an attribute
  Paths,               ///< a map from names to paths
  EventPath,           ///< an operation, or the path to one
  Cells,               ///< a map of cells to values, or [cell, value]
  NameMappings,        ///< a map from properties (or paths) to names
  CapabilityMappings,  ///< a map from names to [node, capability]
  RequirementMappings, ///< a list of maps from one requirement to its targets
  InterfaceMappings,   ///< a map from interfaces to maps of operations
  Reaction,            ///< one Reaction, or a list of its parts
  One,                 ///< an entity
  Map,                 ///< a map from names to entities
  List,                ///< a list of entities
  NamedList,           ///< a list of maps from one name to one entity
};

struct Shape {
  ShapeKind kind;
  /// For the last five kinds: the entity.
  EntityKind entity = EntityKind::File;
};

/// How earlier versions write a value, where that is not as today;
/// EarlierVersion brings it into today's form.
enum class Form : uint8_t {
  Same,             ///< as today, up to functions, booleans and versions
  Imports,          ///< files under names, with prefixes
  NamedList,        ///< a list of named entities, or a map of them
  Constraints,      ///< a list of { operator: argument }
  NodeFilter,       ///< constraints on properties and capabilities
  AttributeValues,  ///< values, or { description, value }
  Bounds,           ///< [ min, max ] for how many of something there are
  PropertyMappings, ///< properties to [ input ], values or [ node, property ]
  RequirementMappings, ///< requirements to [ node, requirement ], as list or
                       ///< map
  Directives,          ///< selectable, substitutable
  Conditions,          ///< assertions on attributes
  Activities,          ///< a list of activities, or a map of operations
};

struct KeyRule {
  /// Unused: read without a warning, because earlier versions have it.
  enum class Status : uint8_t { Current, Other, Deprecated, Dropped, Unused };

  Key key;
  Presence presence;
  Status status;
  /// The keyname that this one is another spelling of, or itself.
  Key meaning;
  Shape shape;
  llvm::StringRef section;
  Form form = Form::Same;
};

struct ShortForm {
  enum class Kind : uint8_t { Scalar, Path, Value };
  Kind kind;
  Key key;
};

struct KeyConstraint {
  enum class Kind : uint8_t { OneOf, NotBoth, Needs };
  Kind kind;
  Key first;
  Key second;
};

struct EntityRule {
  EntityKind kind;
  /// The enumerator's spelling.
  llvm::StringRef id;
  /// What messages call it: "node template".
  llvm::StringRef noun;
  llvm::StringRef section;
  llvm::ArrayRef<KeyRule> keys;
  const ShortForm *shortForm;
  llvm::ArrayRef<KeyConstraint> constraints;

  const KeyRule *find(llvm::StringRef keyname) const;
};

/// The tables of all entities of TOSCA 2.0; an EntityKind is an index.
llvm::ArrayRef<EntityRule> allEntities();
const EntityRule &rule(EntityKind kind);

/// A version of the language before 2.0: its tables, and how what it writes
/// otherwise is written today.
struct EarlierVersion {
  /// An EntityKind is an index; kinds that the version lacks have no keynames.
  llvm::ArrayRef<EntityRule> entities;
  /// The profile with the types that every file sees; files of TOSCA 2.0 have
  /// to import theirs.
  llvm::StringRef profile;
  /// Whether it says what a derived type may do to what it inherits.
  bool hasRefinementRules;
};

/// The dialect that `tosca_definitions_version: VERSION` chooses; null for
/// TOSCA 2.0 and for versions that nobody knows.
const EarlierVersion *findEarlierVersion(llvm::StringRef version);

/// The version of TOSCA that a file which says \p version is read as: one that
/// nobody knows is meant to be the nearest.
llvm::StringRef nearestVersion(llvm::StringRef version);

} // namespace toscac::tosca

#endif
