//===- Arithmetic.cpp - Arithmetic functions ------------------------------===//
///
/// \file
/// TOSCA 2.0 §10.2.5. Integers never wrap around; a number mixed of integers
/// and floats is a float. Scalars are computed in their canonical unit; those
/// of integers stay integers, fractions are cut off.
///
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "toscac/Value/ParseLiteral.h"
#include <cmath>

using namespace toscac;
using llvm::ArrayRef;

static Problem overflow(const CallSite &site) {
  return problem(site.range(), diag::ArithmeticOverflow, site.name());
}

/// \p value as an integer, if it fits.
static std::optional<int64_t> toInteger(double value) {
  if (std::isnan(value) || value < -0x1p63 || value >= 0x1p63)
    return std::nullopt;
  return static_cast<int64_t>(value);
}

static Evaluation integerOrOverflow(const CallSite &site, double value) {
  if (std::optional<int64_t> integer = toInteger(value))
    return Value::integer(*integer);
  return overflow(site);
}

namespace {
enum class Operation { Add, Subtract, Multiply };
}

static bool overflows(Operation operation, int64_t a, int64_t b,
                      int64_t &result) {
  switch (operation) {
  case Operation::Add:
    return __builtin_add_overflow(a, b, &result);
  case Operation::Subtract:
    return __builtin_sub_overflow(a, b, &result);
  case Operation::Multiply:
    return __builtin_mul_overflow(a, b, &result);
  }
  llvm_unreachable("all operations are handled");
}

static double apply(Operation operation, double a, double b) {
  switch (operation) {
  case Operation::Add:
    return a + b;
  case Operation::Subtract:
    return a - b;
  case Operation::Multiply:
    return a * b;
  }
  llvm_unreachable("all operations are handled");
}

static Evaluation combine(const CallSite &site, Operation operation,
                          const Value &a, const Value &b) {
  if (!a.isInteger() || !b.isInteger())
    return Value::real(apply(operation, a.asNumber(), b.asNumber()));
  int64_t result;
  if (overflows(operation, a.asInteger(), b.asInteger(), result))
    return overflow(site);
  return Value::integer(result);
}

/// A scalar like \p model with another magnitude.
static Evaluation scalarLike(const CallSite &site, const Scalar &model,
                             const Value &magnitude) {
  const Type &type = *model.type;
  bool wantsInteger = type.scalar->number->is(TypeKind::Integer);
  if (!wantsInteger || magnitude.isInteger())
    return canonicalScalar(wantsInteger ? magnitude
                                        : Value::real(magnitude.asNumber()),
                           type, site.arena);
  std::optional<int64_t> whole = toInteger(magnitude.asFloat());
  if (!whole)
    return overflow(site);
  return canonicalScalar(Value::integer(*whole), type, site.arena);
}

/// Folds \p arguments, all numbers or all scalars of one family.
static Evaluation fold(const CallSite &site, Operation operation,
                       ArrayRef<Value> arguments) {
  const Value &first = arguments.front();
  Value result = first.isScalar() ? first.asScalar().magnitude : first;
  for (auto [i, argument] : llvm::enumerate(arguments.drop_front())) {
    if (argument.isScalar() != first.isScalar() ||
        !areComparable(first, argument))
      return problem(site.range(i + 1), diag::ArgumentsDiffer, site.name(),
                     describe(first.kind()), describe(argument.kind()));
    const Value &operand =
        argument.isScalar() ? argument.asScalar().magnitude : argument;
    Evaluation next = combine(site, operation, result, operand);
    if (next.isFailed())
      return next;
    result = next.value();
  }
  return first.isScalar() ? scalarLike(site, first.asScalar(), result)
                          : Evaluation(result);
}

Evaluation toscac::callSum(const CallSite &site, ArrayRef<Value> arguments) {
  return fold(site, Operation::Add, arguments);
}

Evaluation toscac::callDifference(const CallSite &site,
                                  ArrayRef<Value> arguments) {
  return fold(site, Operation::Subtract, arguments);
}

Evaluation toscac::callProduct(const CallSite &site,
                               ArrayRef<Value> arguments) {
  const Value &first = arguments.front();
  if (!first.isScalar())
    return fold(site, Operation::Multiply, arguments);
  if (arguments.size() != 2)
    return problem(site.range(), diag::WrongArgumentCount, site.name(),
                   "2 arguments after a scalar",
                   std::to_string(arguments.size()));
  Evaluation product = combine(site, Operation::Multiply,
                               first.asScalar().magnitude, arguments[1]);
  if (product.isFailed())
    return product;
  return scalarLike(site, first.asScalar(), product.value());
}

Evaluation toscac::callQuotient(const CallSite &site,
                                ArrayRef<Value> arguments) {
  double divisor = arguments[1].asNumber();
  if (divisor == 0)
    return problem(site.range(1), diag::DivisionByZero, site.name());
  const Value &first = arguments[0];
  if (!first.isScalar())
    return Value::real(first.asNumber() / divisor);
  const Value &magnitude = first.asScalar().magnitude;
  bool whole = magnitude.isInteger() && arguments[1].isInteger() &&
               arguments[1].asInteger() != -1;
  // Large integers would lose digits as floats; only -1 can overflow.
  Value result =
      whole ? Value::integer(magnitude.asInteger() / arguments[1].asInteger())
            : Value::real(magnitude.asNumber() / divisor);
  return scalarLike(site, first.asScalar(), result);
}

static Value remainder(const Value &dividend, int64_t divisor) {
  if (dividend.isFloat())
    return Value::real(
        std::fmod(dividend.asFloat(), static_cast<double>(divisor)));
  // INT64_MIN % -1 overflows in the machine although its value is 0.
  return Value::integer(divisor == -1 ? 0 : dividend.asInteger() % divisor);
}

Evaluation toscac::callRemainder(const CallSite &site,
                                 ArrayRef<Value> arguments) {
  int64_t divisor = arguments[1].asInteger();
  if (divisor == 0)
    return problem(site.range(1), diag::DivisionByZero, site.name());
  const Value &first = arguments[0];
  if (!first.isScalar())
    return remainder(first, divisor);
  return scalarLike(site, first.asScalar(),
                    remainder(first.asScalar().magnitude, divisor));
}

/// Halves are rounded down, as §10.2.5.6 says: 3.5 to 3, -3.5 to -4.
Evaluation toscac::callRound(const CallSite &site, ArrayRef<Value> arguments) {
  double value = arguments[0].asFloat();
  double below = std::floor(value);
  return integerOrOverflow(site, value - below > 0.5 ? below + 1 : below);
}

Evaluation toscac::callFloor(const CallSite &site, ArrayRef<Value> arguments) {
  return integerOrOverflow(site, std::floor(arguments[0].asFloat()));
}

Evaluation toscac::callCeil(const CallSite &site, ArrayRef<Value> arguments) {
  return integerOrOverflow(site, std::ceil(arguments[0].asFloat()));
}
