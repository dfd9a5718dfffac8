//===- ParseNumber.cpp - Integers and floats ------------------------------===//
///
/// \file
/// The numbers of YAML 1.2's core schema (§10.3.2 there).
///
//===----------------------------------------------------------------------===//

#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <charconv>
#include <limits>

using namespace toscac;
using llvm::StringRef;

/// Whether \p digits are all digits of \p radix, and at least one.
static bool areDigits(StringRef digits, unsigned radix) {
  return !digits.empty() && llvm::all_of(digits, [radix](char c) {
    return llvm::hexDigitValue(c) < radix;
  });
}

static StringRef withoutSign(StringRef text) {
  if (!text.consume_front("-"))
    text.consume_front("+");
  return text;
}

static OrProblem<Value> parseDigits(StringRef text, StringRef digits,
                                    unsigned radix, bool negative) {
  if (!areDigits(digits, radix))
    return problem({}, diag::NotAnInteger, text);
  uint64_t magnitude;
  uint64_t limit = uint64_t(INT64_MAX) + negative;
  if (digits.getAsInteger(radix, magnitude) || magnitude > limit)
    return problem({}, diag::IntegerTooLarge, text);
  return Value::integer(
      static_cast<int64_t>(negative ? 0 - magnitude : magnitude));
}

OrProblem<Value> toscac::parseInteger(StringRef text) {
  StringRef digits = text;
  if (digits.consume_front("0o"))
    return parseDigits(text, digits, 8, /*negative=*/false);
  if (digits.consume_front("0x"))
    return parseDigits(text, digits, 16, /*negative=*/false);
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  return parseDigits(text, digits, 10, negative);
}

/// `.inf` and `.nan` in the three spellings of the core schema.
static std::optional<double> parseSpecial(StringRef text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return llvm::StringSwitch<std::optional<double>>(text)
      .Cases(".nan", ".NaN", ".NAN", nan)
      .Cases(".inf", ".Inf", ".INF", infinity)
      .Cases("+.inf", "+.Inf", "+.INF", infinity)
      .Cases("-.inf", "-.Inf", "-.INF", -infinity)
      .Default(std::nullopt);
}

/// ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
static bool isDecimal(StringRef text) {
  StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  StringRef fraction;
  if (text.consume_front(".")) {
    fraction = text.take_while(llvm::isDigit);
    text = text.drop_front(fraction.size());
  }
  if (whole.empty() && fraction.empty())
    return false;
  if (text.empty())
    return true;
  if (!text.consume_front("e") && !text.consume_front("E"))
    return false;
  return areDigits(withoutSign(text), 10);
}

bool toscac::isInteger(StringRef text) {
  if (text.consume_front("0o"))
    return areDigits(text, 8);
  if (text.consume_front("0x"))
    return areDigits(text, 16);
  return areDigits(withoutSign(text), 10);
}

bool toscac::isFloat(StringRef text) {
  return isDecimal(withoutSign(text)) || parseSpecial(text);
}

/// What from_chars leaves alone when a number is out of range: too large
/// numbers are infinite, too small ones zero. A number is large if its first
/// digit that is not zero stands before the point once the exponent has moved
/// it; one this far out needs no closer look.
static double roundOutOfRange(StringRef unsignedText) {
  size_t mark = unsignedText.find_first_of("eE");
  StringRef mantissa = unsignedText.take_front(mark);
  bool negativeExponent = mark != StringRef::npos &&
                          unsignedText.drop_front(mark + 1).starts_with("-");
  if (mark != StringRef::npos)
    return negativeExponent ? 0 : std::numeric_limits<double>::infinity();
  return mantissa.find_first_of("123456789") < mantissa.find('.')
             ? std::numeric_limits<double>::infinity()
             : 0;
}

OrProblem<Value> toscac::parseFloat(StringRef text) {
  if (std::optional<double> special = parseSpecial(text))
    return Value::real(*special);
  if (text.starts_with("0x") || text.starts_with("0o")) {
    OrProblem<Value> integer = parseInteger(text);
    if (!integer)
      return integer;
    return Value::real(integer->asNumber());
  }
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  if (!isDecimal(digits))
    return problem({}, diag::NotAFloat, text);
  double result;
  if (std::from_chars(digits.begin(), digits.end(), result).ec != std::errc())
    result = roundOutOfRange(digits);
  return Value::real(negative ? -result : result);
}

OrProblem<Value> toscac::parseNumber(StringRef text) {
  bool integer =
      isInteger(text) || text.starts_with("0x") || text.starts_with("0o");
  return integer ? parseInteger(text) : parseFloat(text);
}
