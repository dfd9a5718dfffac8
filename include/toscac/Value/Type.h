//===- toscac/Value/Type.h - Types of values --------------------*- C++ -*-===//
///
/// \file
/// What kinds of values a property, attribute or parameter may have: TOSCA's
/// built-in types and what is derived from them or made of properties (TOSCA
/// 2.0 §9.1, §9.2).
///
/// Types are plain structs in a ValueArena, complete once Sema has made them,
/// and refer to each other. A definition that narrows a type in place (a
/// property with its own `validation` or `entry_schema`) is an anonymous type
/// with the same name as its parent.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_TYPE_H
#define TOSCAC_VALUE_TYPE_H

#include "toscac/Basic/LayeredMap.h"
#include "toscac/Basic/SourceManager.h"
#include "toscac/Value/Value.h"
#include <string>

namespace toscac {

class Expr;

/// The first kinds are those of values, in the same order.
enum class TypeKind : uint8_t {
  Nil,
  Boolean,
  Integer,
  Float,
  String,
  Bytes,
  Timestamp,
  Version,
  Scalar,
  List,
  Map,
  /// Named properties; its values are maps.
  Record,
  /// No statement about the value.
  Any
};

/// "an integer", "a value": how messages call a kind.
llvm::StringRef describe(TypeKind kind);
TypeKind typeKind(ValueKind kind);

/// A unit of a scalar type, prefix included.
struct Unit {
  llvm::StringRef name;
  /// Integer or float; the unit expressed in the canonical one.
  Value multiplier;
};

/// What a scalar type says about numbers and units, with all that is inherited.
struct ScalarDefinition {
  /// Integer, float or derived from these.
  const Type *number;
  /// Every unit that may be written.
  llvm::ArrayRef<Unit> units;
  llvm::StringRef canonicalUnit;

  const Unit *findUnit(llvm::StringRef name) const;
};

/// All units that \p prefixes (may be none) and \p units make: prefixed units
/// only, where there are prefixes; the empty prefix gives the bare unit.
/// Products that do not fit an integer become floats.
llvm::ArrayRef<Unit> combineUnits(llvm::ArrayRef<Unit> units,
                                  llvm::ArrayRef<Unit> prefixes,
                                  ValueArena &arena);

struct Property {
  llvm::StringRef name;
  const Type *type;
  bool required = true;
  /// The value where none is assigned, or null.
  const Expr *defaultValue = nullptr;
  /// The only value it can have (keyname `value`), or null.
  const Expr *fixedValue = nullptr;
  SourceRange range;
};

struct Type {
  llvm::StringRef name;
  TypeKind kind = TypeKind::Any;
  const Type *parent = nullptr;
  /// Of lists and maps, inherited ones included; null: any.
  const Type *entry = nullptr;
  /// Of maps; null: string.
  const Type *key = nullptr;
  /// Of records, inherited ones included.
  LayeredMap<const Property *> properties;
  /// Of scalar types; null for the abstract `scalar`.
  const ScalarDefinition *scalar = nullptr;
  /// Boolean expressions over `$value`. Those of the parent apply as well and
  /// are not repeated here.
  llvm::ArrayRef<const Expr *> validations;
  /// Narrows its parent in place, under the same name.
  bool anonymous = false;
  SourceRange range;

  bool is(TypeKind other) const { return kind == other; }
  const Property *findProperty(llvm::StringRef name) const {
    return properties.lookup(name);
  }
};

/// The built-in type of a kind other than Record.
const Type &builtinType(TypeKind kind);
/// By its name in TOSCA (`integer`, `list`), or null.
const Type *findBuiltinType(llvm::StringRef name);
/// A list of \p entry.
const Type &listOf(const Type &entry, ValueArena &arena);
/// The type of \p value itself; entries of a list or map have a common type
/// or Any.
const Type &typeOf(const Value &value, ValueArena &arena);

/// Whether \p type is \p ancestor or derived from it in any number of steps.
bool isDerivedFrom(const Type &type, const Type &ancestor);
/// The scalar type that introduced the units of \p type. Scalars can be
/// compared and added if they share it.
const Type &scalarFamily(const Type &type);

/// Whether a value of one type may stand where another is wanted.
enum class Fit : uint8_t {
  Never,
  /// Some values do; checkValue() decides when the value is known.
  Perhaps,
  Always
};
Fit compatible(const Type &from, const Type &to);

/// `integer`, `list of Port`: how messages call \p type.
std::string typeName(const Type &type);

} // namespace toscac

#endif
