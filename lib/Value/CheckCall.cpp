//===- CheckCall.cpp - Calls against signatures ---------------------------===//

#include "Builtins.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

bool toscac::contains(KindSet kinds, TypeKind kind) {
  return kinds >> static_cast<unsigned>(kind) & 1;
}

std::string toscac::describeKinds(KindSet kinds) {
  std::vector<StringRef> words;
  // Records are maps to those who call functions.
  for (unsigned kind = 0; kind < static_cast<unsigned>(TypeKind::Record);
       ++kind)
    if (contains(kinds, static_cast<TypeKind>(kind)))
      words.push_back(describe(static_cast<TypeKind>(kind)));
  if (words.size() == 1)
    return words.front().str();
  StringRef last = words.back();
  words.pop_back();
  return llvm::join(words, ", ") + " or " + last.str();
}

/// Kinds whose literals are written as strings.
static bool isWrittenAsString(TypeKind kind) {
  return kind == TypeKind::Timestamp || kind == TypeKind::Version ||
         kind == TypeKind::Scalar || kind == TypeKind::Bytes;
}

static bool isNumber(TypeKind kind) {
  return kind == TypeKind::Integer || kind == TypeKind::Float;
}

static bool areComparableKinds(TypeKind a, TypeKind b) {
  bool aIsMap = a == TypeKind::Map || a == TypeKind::Record;
  bool bIsMap = b == TypeKind::Map || b == TypeKind::Record;
  return a == b || (aIsMap && bIsMap) || a == TypeKind::Nil ||
         b == TypeKind::Nil || a == TypeKind::Any || b == TypeKind::Any ||
         (isNumber(a) && (isNumber(b) || b == TypeKind::Scalar)) ||
         (isNumber(b) && a == TypeKind::Scalar) ||
         (a == TypeKind::String && isWrittenAsString(b)) ||
         (b == TypeKind::String && isWrittenAsString(a));
}

bool toscac::areComparable(const Type &a, const Type &b) {
  if (!areComparableKinds(a.kind, b.kind))
    return false;
  if (a.is(TypeKind::Scalar) && b.is(TypeKind::Scalar))
    return &scalarFamily(a) == &scalarFamily(b);
  bool collections = a.kind == b.kind && a.entry && b.entry;
  return !collections || areComparable(*a.entry, *b.entry);
}

bool toscac::areComparable(const Value &a, const Value &b) {
  if (a.isScalar() && b.isScalar())
    return areComparable(*a.asScalar().type, *b.asScalar().type);
  return areComparableKinds(typeKind(a.kind()), typeKind(b.kind()));
}

/// "2 arguments", "at least 1 argument", "1 or 2 arguments".
static std::string describeArity(const FunctionInfo &function) {
  auto plural = [](unsigned count) {
    return std::to_string(count) + (count == 1 ? " argument" : " arguments");
  };
  unsigned min = function.minArguments, max = function.maxArguments;
  if (max == FunctionInfo::unbounded)
    return "at least " + plural(min);
  if (max == 0)
    return "no arguments";
  return (min == max ? "" : std::to_string(min) + " or ") + plural(max);
}

/// Whether validations are made of \p function (TOSCA 2.0 §10.2.2.2).
static bool isComparison(const FunctionInfo &function) {
  return function.section.starts_with("10.2.2.2.");
}

static std::optional<Problem> checkArity(const FunctionInfo &function,
                                         SourceRange range,
                                         ArrayRef<Argument> arguments) {
  size_t count = arguments.size();
  bool tooMany = function.maxArguments != FunctionInfo::unbounded &&
                 count > function.maxArguments;
  if (count >= function.minArguments && !tooMany)
    return std::nullopt;
  SourceRange place = tooMany ? arguments[function.maxArguments].range : range;
  // The clauses of TOSCA 1.x left out the value that they are about.
  bool lacksValue =
      count == 1 && function.minArguments == 2 && isComparison(function);
  return problem(place, diag::WrongArgumentCount, function.name,
                 describeArity(function),
                 std::to_string(count) +
                     (lacksValue ? "; in a validation the first is '$value': "
                                   "[ $value, … ]"
                                 : ""));
}

/// A string may stand for a scalar, timestamp or version next to one.
static bool isLiteralOfOther(const FunctionInfo &function, const Type &type,
                             ArrayRef<Argument> arguments) {
  bool converts = function.relation == Relation::Comparable ||
                  function.relation == Relation::SameQuantity;
  return converts && type.is(TypeKind::String) &&
         llvm::any_of(arguments, [](const Argument &other) {
           return isWrittenAsString(other.type->kind) ||
                  other.type->is(TypeKind::Any);
         });
}

static std::optional<Problem> checkKinds(const FunctionInfo &function,
                                         ArrayRef<Argument> arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const Type &type = *argument.type;
    if (type.is(TypeKind::Any) || contains(function.argument(i), type.kind) ||
        isLiteralOfOther(function, type, arguments))
      continue;
    return problem(argument.range, diag::WrongArgumentType, function.name,
                   std::to_string(i + 1), describeKinds(function.argument(i)),
                   describe(type.kind));
  }
  return std::nullopt;
}

/// "an integer", or "an integer ('Port')" if the type has a name of its own.
static std::string describeType(const Type &type) {
  std::string kind = describe(type.kind).str();
  bool isBuiltin =
      !type.is(TypeKind::Record) && &type == &builtinType(type.kind);
  return isBuiltin ? kind : kind + " ('" + typeName(type) + "')";
}

static std::optional<Problem> checkComparable(const FunctionInfo &function,
                                              ArrayRef<Argument> arguments) {
  const Argument &first = arguments.front();
  for (const Argument &argument : arguments.drop_front())
    if (!areComparable(*first.type, *argument.type))
      return problem(argument.range, diag::ArgumentsDiffer, function.name,
                     describeType(*first.type), describeType(*argument.type));
  return std::nullopt;
}

/// Whether \p wanted may be found in something whose parts are of type
/// \p parts (null: any).
static std::optional<Problem> checkAmong(const FunctionInfo &function,
                                         SourceRange range, const Type *wanted,
                                         const Type *parts) {
  if (!wanted || !parts || areComparable(*wanted, *parts))
    return std::nullopt;
  return problem(range, diag::NoSuchEntryType, function.name,
                 describeType(*wanted), describeType(*parts));
}

/// The keys of \p type; null if it is not known to be a map.
static const Type *keysOf(const Type &type) {
  if (type.is(TypeKind::Record))
    return &builtinType(TypeKind::String);
  if (!type.is(TypeKind::Map))
    return nullptr;
  return type.key ? type.key : &builtinType(TypeKind::String);
}

/// Sums mix no scalars with numbers, unlike comparisons.
static std::optional<Problem> checkQuantities(const FunctionInfo &function,
                                              ArrayRef<Argument> arguments) {
  const Argument &first = arguments.front();
  for (const Argument &argument : arguments.drop_front()) {
    bool mixed =
        (first.type->is(TypeKind::Scalar) && isNumber(argument.type->kind)) ||
        (argument.type->is(TypeKind::Scalar) && isNumber(first.type->kind));
    if (mixed)
      return problem(argument.range, diag::ArgumentsDiffer, function.name,
                     describeType(*first.type), describeType(*argument.type));
  }
  return checkComparable(function, arguments);
}

static std::optional<Problem> checkFactors(const FunctionInfo &function,
                                           SourceRange range,
                                           ArrayRef<Argument> arguments) {
  if (!arguments.front().type->is(TypeKind::Scalar) || arguments.size() == 2)
    return std::nullopt;
  return problem(range, diag::WrongArgumentCount, function.name,
                 "2 arguments after a scalar",
                 std::to_string(arguments.size()));
}

static std::optional<Problem> checkRelation(const FunctionInfo &function,
                                            SourceRange range,
                                            ArrayRef<Argument> arguments) {
  auto type = [&](size_t i) -> const Type & { return *arguments[i].type; };
  switch (function.relation) {
  case Relation::None:
    return std::nullopt;
  case Relation::Comparable:
    return checkComparable(function, arguments);
  case Relation::AmongEntries:
    return checkAmong(function, arguments[0].range, &type(0), type(1).entry);
  case Relation::HasEntry:
    return checkAmong(function, arguments[1].range, &type(1), type(0).entry);
  case Relation::HasKey:
    return checkAmong(function, arguments[1].range, &type(1), keysOf(type(0)));
  case Relation::HasEntries:
    return checkAmong(function, arguments[1].range, type(1).entry,
                      type(0).entry);
  case Relation::HasKeys:
    return checkAmong(function, arguments[1].range, type(1).entry,
                      keysOf(type(0)));
  case Relation::SameQuantity:
    return checkQuantities(function, arguments);
  case Relation::Factors:
    return checkFactors(function, range, arguments);
  }
  llvm_unreachable("all relations are handled");
}

std::optional<Problem> toscac::checkCall(Function function, SourceRange range,
                                         ArrayRef<Argument> arguments) {
  const FunctionInfo &row = info(function);
  if (std::optional<Problem> wrong = checkArity(row, range, arguments))
    return wrong;
  if (std::optional<Problem> wrong = checkKinds(row, arguments))
    return wrong;
  return checkRelation(row, range, arguments);
}

/// The first argument of kind Scalar, or null.
static const Type *firstScalar(ArrayRef<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (argument.type->is(TypeKind::Scalar))
      return &scalarFamily(*argument.type);
  return nullptr;
}

static bool anyOf(ArrayRef<Argument> arguments, TypeKind kind) {
  return llvm::any_of(arguments, [kind](const Argument &argument) {
    return argument.type->is(kind);
  });
}

static const Type &quantityType(ArrayRef<Argument> arguments) {
  if (const Type *scalar = firstScalar(arguments))
    return *scalar;
  if (anyOf(arguments, TypeKind::Any))
    return builtinType(TypeKind::Any);
  return builtinType(anyOf(arguments, TypeKind::Float) ? TypeKind::Float
                                                       : TypeKind::Integer);
}

static const Type &quotientType(const Type &dividend) {
  if (dividend.is(TypeKind::Scalar))
    return scalarFamily(dividend);
  return builtinType(dividend.is(TypeKind::Any) ? TypeKind::Any
                                                : TypeKind::Float);
}

/// By the first argument whose type is known.
static const Type &sequenceType(ArrayRef<Argument> arguments,
                                ValueArena &arena) {
  for (const Argument &argument : arguments) {
    const Type &type = *argument.type;
    if (type.is(TypeKind::List) && type.entry)
      return listOf(*type.entry, arena);
    if (!type.is(TypeKind::Any))
      return builtinType(type.kind);
  }
  return builtinType(TypeKind::Any);
}

const Type &toscac::resultType(Function function, ArrayRef<Argument> arguments,
                               ValueArena &arena) {
  switch (info(function).result) {
  case ResultRule::Any:
    return builtinType(TypeKind::Any);
  case ResultRule::Boolean:
    return builtinType(TypeKind::Boolean);
  case ResultRule::Integer:
    return builtinType(TypeKind::Integer);
  case ResultRule::String:
    return builtinType(TypeKind::String);
  case ResultRule::Sequence:
    return sequenceType(arguments, arena);
  case ResultRule::Quantity:
    return quantityType(arguments);
  case ResultRule::Quotient:
    return quotientType(*arguments.front().type);
  }
  llvm_unreachable("all rules are handled");
}
