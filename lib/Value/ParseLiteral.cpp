//===- ParseLiteral.cpp - Versions, bytes and scalars ---------------------===//

#include "toscac/Value/ParseLiteral.h"

#include "Suggest.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include <cmath>

using namespace toscac;
using llvm::StringRef;

/// Reads a number of a version; false if it is none or does not fit.
static bool readNumber(StringRef text, uint64_t &number) {
  return !text.empty() && llvm::all_of(text, llvm::isDigit) &&
         !text.getAsInteger(10, number);
}

OrProblem<Value> toscac::parseVersion(StringRef text, ValueArena &arena) {
  auto fail = [&](StringRef reason) {
    return problem({}, diag::BadVersionValue, text, reason);
  };
  Version version;
  version.text = arena.save(text);
  llvm::SmallVector<StringRef, 4> parts;
  version.text.split(parts, '.', /*MaxSplit=*/3);
  if (parts.size() < 2)
    return fail("it needs a major and a minor number");
  if (!readNumber(parts[0], version.major) ||
      !readNumber(parts[1], version.minor))
    return fail("major and minor must be integers");
  if (parts.size() > 2 && !readNumber(parts[2], version.fix))
    return fail("the third part must be an integer");
  if (parts.size() == 4) {
    auto [qualifier, build] = parts[3].split('-');
    if (qualifier.empty())
      return fail("the qualifier is empty");
    if (parts[3].contains('-') && !readNumber(build, version.build))
      return fail("the build after '-' must be an integer");
    version.qualifier = qualifier;
  }
  return arena.version(version);
}

OrProblem<Value> toscac::parseBytes(StringRef text, ValueArena &arena) {
  // RFC 2045 has lines of at most 76 characters, whose ends mean nothing.
  std::string packed;
  for (char c : text)
    if (!llvm::isSpace(c))
      packed += c;
  std::vector<char> decoded;
  if (llvm::Error error = llvm::decodeBase64(packed, decoded))
    return problem({}, diag::BadBytes, llvm::toString(std::move(error)));
  return arena.bytes({decoded.data(), decoded.size()});
}

/// The number in the canonical unit; null if it does not fit an integer.
/// Decimal fractions such as 0.001 have no exact double, but their reciprocals
/// have: dividing by these rounds only once, so that 3 dm equals 30 cm.
static std::optional<Value> toCanonical(const Value &number,
                                        const Value &multiplier) {
  if (number.isInteger() && multiplier.isInteger()) {
    int64_t product;
    if (__builtin_mul_overflow(number.asInteger(), multiplier.asInteger(),
                               &product))
      return std::nullopt;
    return Value::integer(product);
  }
  double factor = multiplier.asNumber();
  double reciprocal = std::round(1 / factor);
  bool isDecimalFraction = std::abs(factor) < 1 && std::isfinite(reciprocal) &&
                           std::abs(factor * reciprocal - 1) < 1e-14;
  return Value::real(isDecimalFraction ? number.asNumber() / reciprocal
                                       : number.asNumber() * factor);
}

/// The number as the scalar type wants it.
static OrProblem<Value> readScalarNumber(StringRef text, StringRef number,
                                         const Type &type) {
  auto fail = [&](StringRef reason) {
    return problem({}, diag::BadScalar, text, type.name, reason);
  };
  OrProblem<Value> parsed = parseNumber(number);
  if (!parsed && parsed.problem().id == diag::IntegerTooLarge.id)
    return parsed;
  if (!parsed)
    return fail(("'" + number + "' is no number").str());
  if (type.scalar->number->is(TypeKind::Float))
    return Value::real(parsed->asNumber());
  if (!parsed->isInteger())
    return fail("the number must be an integer");
  return parsed;
}

/// `one of B, kB and MB`
static std::string listOfUnits(const ScalarDefinition &scalar) {
  std::vector<StringRef> names;
  for (const Unit &unit : scalar.units)
    names.push_back(unit.name);
  return (names.size() == 1 ? "'" : "one of '") + llvm::join(names, "', '") +
         "'";
}

/// Whether \p type is one of TOSCA 1.x (1.3 §3.3.6), where the blank before the
/// unit may be left out and nobody minds capitals.
static bool isOlderScalar(const Type &type) {
  for (const Type *at = &type; at; at = at->parent)
    if (at->name.starts_with("scalar-unit."))
      return true;
  return false;
}

static const Unit *findUnitInAnyCase(StringRef name,
                                     const ScalarDefinition &scalar) {
  const Unit *found = llvm::find_if(scalar.units, [&](const Unit &unit) {
    return unit.name.equals_insensitive(name);
  });
  return found == scalar.units.end() ? nullptr : found;
}

/// What to write for \p number, which has no unit or no blank before it:
/// `; write '20 GB'`, with the unit that follows the number or with any.
static std::string spelling(StringRef number, const Type &type) {
  StringRef digits =
      number.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  StringRef unit = number.drop_front(digits.size());
  if (digits.empty() || type.scalar->units.empty())
    return "";
  if (!unit.empty())
    return type.scalar->findUnit(unit)
               ? ("; write '" + digits + " " + unit + "'").str()
               : "";
  if (type.scalar->units.size() == 1)
    return ("; write '" + digits + " " + type.scalar->units.front().name + "'")
        .str();
  return "; write '" + digits.str() + " UNIT', where the unit is " +
         listOfUnits(*type.scalar);
}

/// What to write for \p unit, which is none.
static std::string unitInstead(StringRef unit, const ScalarDefinition &scalar) {
  std::string meant = didYouMean(unit, scalar.units);
  return meant.empty() ? "; it is " + listOfUnits(scalar) : meant;
}

OrProblem<Value> toscac::parseScalar(StringRef text, const Type &type,
                                     ValueArena &arena) {
  assert(type.is(TypeKind::Scalar) && "other types have no units");
  if (!type.scalar)
    return problem({}, diag::AbstractScalar, type.name);
  bool isOlder = isOlderScalar(type);
  StringRef rest = text.ltrim(" \t");
  StringRef number = rest.take_until([&](char c) {
    return c == ' ' || c == '\t' || (isOlder && llvm::isAlpha(c));
  });
  StringRef unit = rest.drop_front(number.size()).ltrim(" \t");
  OrProblem<Value> parsed = readScalarNumber(text, number, type);
  if (!parsed && parsed.problem().id == diag::BadScalar.id && unit.empty() &&
      !parseNumber(number) && !spelling(number, type).empty())
    return problem({}, diag::BadScalar, text, type.name,
                   "a blank is missing before the unit" +
                       spelling(number, type));
  if (!parsed)
    return parsed;
  if (unit.empty())
    return problem({}, diag::BadScalar, text, type.name,
                   "it has no unit" + spelling(number, type));
  const Unit *known = type.scalar->findUnit(unit);
  if (!known && isOlder)
    known = findUnitInAnyCase(unit, *type.scalar);
  if (!known)
    return problem({}, diag::UnknownUnit, type.name, unit,
                   unitInstead(unit, *type.scalar));
  std::optional<Value> magnitude = toCanonical(*parsed, known->multiplier);
  if (!magnitude)
    return problem({}, diag::IntegerTooLarge, text);
  return arena.scalar({*parsed, known->name, *magnitude, &type});
}

Value toscac::canonicalScalar(Value magnitude, const Type &type,
                              ValueArena &arena) {
  return arena.scalar(
      {magnitude, type.scalar->canonicalUnit, magnitude, &type});
}
