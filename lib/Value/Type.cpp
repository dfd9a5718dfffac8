//===- Type.cpp - Types of values -----------------------------------------===//

#include "toscac/Value/Type.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

StringRef toscac::describe(TypeKind kind) {
  if (kind == TypeKind::Record)
    return "a complex value";
  if (kind == TypeKind::Any)
    return "a value";
  return describe(static_cast<ValueKind>(kind));
}

TypeKind toscac::typeKind(ValueKind kind) {
  return static_cast<TypeKind>(kind);
}

const Unit *ScalarDefinition::findUnit(StringRef name) const {
  const auto *found =
      llvm::find_if(units, [&](const Unit &unit) { return unit.name == name; });
  return found == units.end() ? nullptr : found;
}

static Value multiply(const Value &a, const Value &b) {
  int64_t product;
  if (a.isInteger() && b.isInteger() &&
      !__builtin_mul_overflow(a.asInteger(), b.asInteger(), &product))
    return Value::integer(product);
  return Value::real(a.asNumber() * b.asNumber());
}

ArrayRef<Unit> toscac::combineUnits(ArrayRef<Unit> units,
                                    ArrayRef<Unit> prefixes,
                                    ValueArena &arena) {
  if (prefixes.empty())
    return arena.save(units);
  llvm::SmallVector<Unit> all;
  for (const Unit &unit : units)
    for (const Unit &prefix : prefixes)
      all.push_back({arena.save(prefix.name.str() + unit.name.str()),
                     multiply(prefix.multiplier, unit.multiplier)});
  return arena.save(ArrayRef<Unit>(all));
}

static const std::array<Type, 13> &builtinTypes() {
  static const std::array<Type, 13> types = {{
      {"nil", TypeKind::Nil},
      {"boolean", TypeKind::Boolean},
      {"integer", TypeKind::Integer},
      {"float", TypeKind::Float},
      {"string", TypeKind::String},
      {"bytes", TypeKind::Bytes},
      {"timestamp", TypeKind::Timestamp},
      {"version", TypeKind::Version},
      {"scalar", TypeKind::Scalar},
      {"list", TypeKind::List},
      {"map", TypeKind::Map},
      {"", TypeKind::Record},
      {"any", TypeKind::Any},
  }};
  return types;
}

const Type &toscac::builtinType(TypeKind kind) {
  assert(kind != TypeKind::Record && "records have properties");
  return builtinTypes()[static_cast<size_t>(kind)];
}

const Type *toscac::findBuiltinType(StringRef name) {
  // Any is no word of TOSCA, and records have names of their own.
  for (const Type &type : ArrayRef(builtinTypes()).drop_back(2))
    if (type.name == name)
      return &type;
  return nullptr;
}

static const Type &anonymousCollection(const Type &base, const Type &entry,
                                       ValueArena &arena) {
  Type type = base;
  type.parent = &base;
  type.entry = &entry;
  type.anonymous = true;
  return *arena.make(type);
}

const Type &toscac::listOf(const Type &entry, ValueArena &arena) {
  const Type &list = builtinType(TypeKind::List);
  if (entry.is(TypeKind::Any))
    return list;
  return anonymousCollection(list, entry, arena);
}

/// The type that all of \p values have, or Any.
template <typename Range>
static const Type &commonType(const Range &values, ValueArena &arena) {
  const Type *common = nullptr;
  for (const Value &value : values) {
    const Type &type = typeOf(value, arena);
    if (common && common != &type)
      return builtinType(TypeKind::Any);
    common = &type;
  }
  return common ? *common : builtinType(TypeKind::Any);
}

static const Type &typeOfMap(const Value &value, ValueArena &arena) {
  const Type &map = builtinType(TypeKind::Map);
  auto values =
      llvm::map_range(value.entries(), [](const MapEntry &e) -> const Value & {
        return e.value;
      });
  const Type &entry = commonType(values, arena);
  if (entry.is(TypeKind::Any))
    return map;
  return anonymousCollection(map, entry, arena);
}

const Type &toscac::typeOf(const Value &value, ValueArena &arena) {
  if (value.isScalar())
    return *value.asScalar().type;
  if (value.isList())
    return listOf(commonType(value.items(), arena), arena);
  if (value.isMap())
    return typeOfMap(value, arena);
  return builtinType(typeKind(value.kind()));
}

bool toscac::isDerivedFrom(const Type &type, const Type &ancestor) {
  for (const Type *t = &type; t; t = t->parent)
    if (t == &ancestor)
      return true;
  return false;
}

const Type &toscac::scalarFamily(const Type &type) {
  const Type *family = &type;
  while (family->parent && family->parent->scalar)
    family = family->parent;
  return *family;
}

/// Whether integers or strings are converted to \p to; see checkValue().
static Fit convertible(const Type &from, const Type &to) {
  if (from.is(TypeKind::Integer) && to.is(TypeKind::Float))
    return to.parent ? Fit::Perhaps : Fit::Always;
  switch (to.kind) {
  case TypeKind::Bytes:
  case TypeKind::Timestamp:
  case TypeKind::Version:
  case TypeKind::Scalar:
    return from.is(TypeKind::String) ? Fit::Perhaps : Fit::Never;
  case TypeKind::Record:
    return from.is(TypeKind::Map) ? Fit::Perhaps : Fit::Never;
  default:
    return Fit::Never;
  }
}

static const Type &orAny(const Type *type) {
  return type ? *type : builtinType(TypeKind::Any);
}

static const Type &keyOf(const Type &map) {
  return map.key ? *map.key : builtinType(TypeKind::String);
}

/// The named type that \p type narrows, or itself.
static const Type &named(const Type &type) {
  const Type *result = &type;
  while (result->anonymous && result->parent)
    result = result->parent;
  return *result;
}

/// By the types of entries and keys alone.
static Fit fitParts(const Type &from, const Type &to) {
  Fit entries = compatible(orAny(from.entry), orAny(to.entry));
  if (to.is(TypeKind::Map))
    entries = std::min(entries, compatible(keyOf(from), keyOf(to)));
  return to.validations.empty() ? entries : std::min(entries, Fit::Perhaps);
}

Fit toscac::compatible(const Type &from, const Type &to) {
  if (to.is(TypeKind::Any) || isDerivedFrom(from, to))
    return Fit::Always;
  if (from.is(TypeKind::Any))
    return Fit::Perhaps;
  if (from.kind != to.kind)
    return convertible(from, to);
  bool related =
      isDerivedFrom(from, named(to)) || isDerivedFrom(to, named(from));
  switch (to.kind) {
  case TypeKind::List:
  case TypeKind::Map:
    return fitParts(from, to);
  case TypeKind::Scalar:
    related |= &scalarFamily(from) == &scalarFamily(to);
    return related ? Fit::Perhaps : Fit::Never;
  case TypeKind::Record:
    return related ? Fit::Perhaps : Fit::Never;
  default:
    // Both narrow the same built-in type; a value may satisfy both.
    return Fit::Perhaps;
  }
}

std::string toscac::typeName(const Type &type) {
  if (type.anonymous && type.entry)
    return type.name.str() + " of " + typeName(*type.entry);
  return type.name.str();
}
