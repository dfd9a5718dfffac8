//===- OldScalars.cpp - Scalars as older loaders take them ----------------===//
///
/// \file
/// The implicit types of PyYAML (YAML 1.1 with numbers to the base of 60,
/// floats only with a point) and of go-yaml v2 (which takes numbers as Go
/// does). A letter alone, `y` or `n`, is a string in both.
///
//===----------------------------------------------------------------------===//

#include "OldScalars.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

/// The spelling of \p text in the core schema if it is a boolean.
static StringRef spellBoolean(StringRef text) {
  return llvm::StringSwitch<StringRef>(text)
      .Cases("yes", "Yes", "YES", "true")
      .Cases("on", "On", "ON", "true")
      .Cases("no", "No", "NO", "false")
      .Cases("off", "Off", "OFF", "false")
      .Default("");
}

static bool isDigits(StringRef text) {
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

/// The digits of a number and the base that its prefix names.
static unsigned takeBase(StringRef &digits, YAMLDialect dialect) {
  bool go = dialect == YAMLDialect::GoYAML;
  if (digits.consume_front("0x") || (go && digits.consume_front("0X")))
    return 16;
  if (digits.consume_front("0b") || (go && digits.consume_front("0B")))
    return 2;
  if (go && (digits.consume_front("0o") || digits.consume_front("0O")))
    return 8;
  return digits.size() > 1 && digits.front() == '0' ? 8 : 10;
}

/// \p digits, without sign and underscores, in decimal; empty if they are no
/// integer.
static std::string spellInteger(StringRef digits, YAMLDialect dialect) {
  unsigned base = takeBase(digits, dialect);
  llvm::APInt number;
  if (digits.empty() || !llvm::isAlnum(digits.front()) ||
      digits.getAsInteger(base, number))
    return "";
  return llvm::toString(number, 10, /*Signed=*/false);
}

/// Whether \p digits, without sign and underscores, are a float of \p dialect.
static bool isOldFloat(StringRef digits, YAMLDialect dialect) {
  if (digits == ".inf" || digits == ".Inf" || digits == ".INF")
    return true;
  bool go = dialect == YAMLDialect::GoYAML;
  auto take = [&] {
    StringRef taken = digits.take_while(llvm::isDigit);
    digits = digits.drop_front(taken.size());
    return !taken.empty();
  };
  bool whole = take();
  bool point = digits.consume_front(".");
  bool fraction = point && take();
  if (!(whole || fraction) || !(point || go))
    return false;
  if (digits.empty())
    return true;
  if (!digits.consume_front_insensitive("e"))
    return false;
  bool sign = digits.consume_front("+") || digits.consume_front("-");
  return (sign || go) && isDigits(digits);
}

/// A number to the base of 60, such as `1:30`, in decimal, or nothing.
static std::string spellBase60(StringRef text) {
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, ':');
  auto [last, fraction] = parts.back().split('.');
  bool isFloat = parts.back().contains('.');
  if (parts.size() < 2 || !isDigits(parts[0]) ||
      (!isFloat && parts[0].front() == '0') ||
      (isFloat && !fraction.empty() && !isDigits(fraction)))
    return "";
  parts.back() = last;
  uint64_t number = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    uint64_t digit;
    bool isPart = isDigits(part) && (i == 0 || part.size() <= 2);
    if (!isPart || part.getAsInteger(10, digit) || (i && digit > 59) ||
        number > UINT32_MAX)
      return "";
    number = number * 60 + digit;
  }
  std::string result = llvm::utostr(number);
  return isFloat ? result + "." + fraction.str() : result;
}

/// The spelling of \p text in the core schema if it is a number.
static std::string spellNumber(StringRef text, YAMLDialect dialect) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN")
    return text.str();
  StringRef rest = text;
  std::string sign;
  if (rest.consume_front("-"))
    sign = "-";
  else
    rest.consume_front("+");
  if (rest.empty() || !(llvm::isDigit(rest[0]) || rest[0] == '.'))
    return "";
  std::string digits = rest.str();
  llvm::erase(digits, '_');
  std::string number = spellInteger(digits, dialect);
  if (number.empty() && isOldFloat(digits, dialect))
    number = digits;
  if (number.empty() && dialect == YAMLDialect::PyYAML)
    number = spellBase60(digits);
  return number.empty() ? "" : sign + number;
}

void syntax::respellScalar(Node &node, YAMLDialect dialect,
                           llvm::BumpPtrAllocator &arena) {
  StringRef text = node.text();
  std::string spelling = spellBoolean(text).str();
  if (spelling.empty())
    spelling = spellNumber(text, dialect);
  ScalarType type = resolvePlain(text);
  if (!spelling.empty() && spelling != text) {
    StringRef stored = StringRef(spelling).copy(arena);
    Node respelt = Node::scalar(node.range(), stored, node.style());
    respelt.setTag(node.tag());
    node = respelt;
  } else if (spelling.empty() && node.tag() == Tag::None &&
             (type == ScalarType::Integer || type == ScalarType::Float)) {
    node.setTag(Tag::Str);
  }
}
