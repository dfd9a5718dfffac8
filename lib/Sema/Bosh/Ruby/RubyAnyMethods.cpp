//===- RubyAnyMethods.cpp - Methods of numbers and of all values --------===//

#include "RubyMethods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static RubyValue numberOperator(const RubyCall &call) {
  const RubyValue &a = call.self;
  RubyValue b = argument(call, 0);
  if (!a.isNumber())
    return call.in.raise(
        call.node, "NoMethodError",
        ("undefined method '" + call.name + "' for " + inspect(a)).str());
  if (!b.isNumber())
    return call.in.raise(call.node, "TypeError",
                         classOf(b) + " can't be coerced into " + classOf(a));
  char sign = call.name.front();
  if (call.name == "**")
    sign = '^';
  if (a.isInteger() && b.isInteger()) {
    int64_t x = a.asInteger(), y = b.asInteger(), result = 0;
    bool isTooLarge = false;
    switch (sign) {
    case '+':
      isTooLarge = llvm::AddOverflow(x, y, result);
      break;
    case '-':
      isTooLarge = llvm::SubOverflow(x, y, result);
      break;
    case '*':
      isTooLarge = llvm::MulOverflow(x, y, result);
      break;
    case '^':
      result = 1;
      isTooLarge = y < 0 || y > 64;
      for (int64_t i = 0; i < y && !isTooLarge; ++i)
        isTooLarge = llvm::MulOverflow(result, x, result);
      break;
    default: {
      if (y == 0)
        return call.in.raise(call.node, "ZeroDivisionError", "divided by 0");
      if (x == INT64_MIN)
        return wrongUse(call);
      int64_t rest = x % y;
      bool isBelow = rest != 0 && (rest < 0) != (y < 0);
      result = sign == '%' ? rest + (isBelow ? y : 0) : x / y - isBelow;
    }
    }
    return isTooLarge ? wrongUse(call) : RubyValue::integer(result);
  }
  double x = a.asReal(), y = b.asReal();
  switch (sign) {
  case '+':
    return RubyValue::real(x + y);
  case '-':
    return RubyValue::real(x - y);
  case '*':
    return RubyValue::real(x * y);
  case '/':
    return RubyValue::real(x / y);
  case '^':
    return RubyValue::real(std::pow(x, y));
  default:
    return RubyValue::real(x - y * std::floor(x / y));
  }
}

static RubyValue numberOf(const RubyCall &call) {
  const RubyValue &self = call.self;
  StringRef name = call.name;
  if (self.isNil() || !self.isNumber()) {
    if (self.isNil() && name == "to_i")
      return RubyValue::integer(0);
    if (self.isNil() && name == "to_f")
      return RubyValue::real(0);
    return call.in.raise(
        call.node, "NoMethodError",
        ("undefined method '" + name + "' for " + inspect(self)).str());
  }
  if (name == "to_f")
    return RubyValue::real(self.asReal());
  if (name == "-@")
    return self.isInteger() ? RubyValue::integer(-self.asInteger())
                            : RubyValue::real(-self.asReal());
  if (name == "zero?" || name == "positive?" || name == "negative?") {
    double value = self.asReal();
    return truth(name == "zero?"       ? value == 0
                 : name == "positive?" ? value > 0
                                       : value < 0);
  }
  if (self.isInteger()) {
    if (name == "even?" || name == "odd?")
      return truth((self.asInteger() % 2 != 0) == (name == "odd?"));
    if (name == "abs")
      return RubyValue::integer(std::abs(self.asInteger()));
    if (name == "chr")
      return RubyValue::text(std::string(1, char(self.asInteger())));
    return self;
  }
  double value = self.asReal();
  double digits = std::pow(10.0, double(argument(call, 0).asInteger()));
  if (name == "round" && call.count() == 1)
    return RubyValue::real(std::round(value * digits) / digits);
  value = name == "ceil"    ? std::ceil(value)
          : name == "floor" ? std::floor(value)
          : name == "round" ? std::round(value)
          : name == "abs"   ? std::fabs(value)
                            : std::trunc(value);
  if (name == "abs")
    return RubyValue::real(value);
  if (!(std::fabs(value) < 9e18))
    return wrongUse(call);
  return RubyValue::integer(int64_t(value));
}

static RubyValue numberTimes(const RubyCall &call) {
  if (!call.self.isInteger())
    return wrongUse(call);
  int64_t first = call.name == "times" ? 0 : call.self.asInteger();
  int64_t last = call.name == "times" ? call.self.asInteger() - 1
                                      : argument(call, 0).asInteger();
  if (!call.hasBlock()) {
    RubyValue range = RubyValue::named(VKind::Range, "");
    range.items() = {RubyValue::integer(first), RubyValue::integer(last)};
    return range;
  }
  for (int64_t i = first; i <= last; ++i) {
    call.yield({RubyValue::integer(i)});
    if (call.in.isLeaving())
      return {};
  }
  return call.self;
}

static RubyValue symbolText(const RubyCall &call) {
  if (!call.self.is(VKind::Symbol))
    return wrongUse(call);
  RubyValue text = RubyValue::text(call.self.asText());
  return call.in.callMethod(text, call.name, call.arguments, call.block,
                            call.node);
}

static RubyValue booleanOperator(const RubyCall &call) {
  bool a = call.self.isTruthy(), b = argument(call, 0).isTruthy();
  if (call.self.isNumber())
    return wrongUse(call);
  return truth(call.name == "&" ? a && b : call.name == "|" ? a || b : a != b);
}

static RubyValue nilList(const RubyCall &call) {
  if (!call.self.isNil())
    return wrongUse(call);
  return call.name == "to_a" ? RubyValue::list() : RubyValue::map();
}

RubyMethod bosh::findScalarMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"+", numberOperator},   {"-", numberOperator},
      {"*", numberOperator},   {"/", numberOperator},
      {"%", numberOperator},   {"**", numberOperator},
      {"to_i", numberOf},      {"to_f", numberOf},
      {"to_int", numberOf},    {"abs", numberOf},
      {"round", numberOf},     {"ceil", numberOf},
      {"floor", numberOf},     {"zero?", numberOf},
      {"positive?", numberOf}, {"negative?", numberOf},
      {"even?", numberOf},     {"odd?", numberOf},
      {"-@", numberOf},        {"chr", numberOf},
      {"times", numberTimes},  {"upto", numberTimes},
      {"&", booleanOperator},  {"|", booleanOperator},
      {"^", booleanOperator},  {"to_a", nilList},
      {"to_h", nilList},       {"to_sym", symbolText},
      {"upcase", symbolText},  {"downcase", symbolText},
      {"length", symbolText},  {"start_with?", symbolText},
  };
  return findIn(rows, name);
}

//===----------------------------------------------------------------------===//
// All values
//===----------------------------------------------------------------------===//

static RubyValue anyText(const RubyCall &call) {
  StringRef name = call.name;
  if (name == "to_s")
    return call.self.isText() ? call.self : RubyValue::text(toText(call.self));
  if (name == "inspect" || name == "dump")
    return RubyValue::text(inspect(call.self));
  if (name == "to_yaml")
    return RubyValue::text(toYAML(call.self));
  return RubyValue::text(toJSON(call.self));
}

static RubyValue anyTest(const RubyCall &call) {
  StringRef name = call.name;
  const RubyValue &self = call.self;
  RubyValue other = argument(call, 0);
  if (name == "nil?")
    return truth(self.isNil());
  if (name == "!")
    return truth(!self.isTruthy());
  if (name == "==" || name == "eql?" || name == "equal?")
    return truth(self == other);
  if (name == "!=")
    return truth(!(self == other));
  if (name == "===")
    return self.is(VKind::Class)
               ? call.in.callMethod(other, "is_a?", {self}, {}, call.node)
           : self.is(VKind::Regexp)
               ? call.in.callMethod(other, "match?", {self}, {}, call.node)
               : truth(self == other);
  if (name == "blank?" || name == "present?") {
    bool isBlank = !self.isTruthy() ||
                   (self.isText() && call.self.asText().trim().empty()) ||
                   (self.isList() && self.items().empty()) ||
                   (self.isMap() && self.data().entries.empty());
    return truth(isBlank == (name == "blank?"));
  }
  // is_a?, kind_of?, instance_of?
  std::string wanted = toText(other), is = classOf(self);
  bool fits = wanted == is || wanted == "Object" ||
              (wanted == "Numeric" && self.isNumber()) ||
              (wanted == "Enumerable" && (self.isList() || self.isMap())) ||
              (wanted == "Fixnum" && self.isInteger()) ||
              (wanted == "StandardError" && self.find("message"));
  return truth(fits);
}

static RubyValue anyOrder(const RubyCall &call) {
  std::optional<int> order = compare(call.self, argument(call, 0));
  if (call.name == "<=>")
    return order ? RubyValue::integer(*order) : RubyValue();
  if (!order)
    return call.in.raise(call.node,
                         call.self.isNil() ? "NoMethodError" : "ArgumentError",
                         "comparison of " + classOf(call.self) + " with " +
                             inspect(argument(call, 0)) + " failed");
  return truth(call.name == "<"    ? *order < 0
               : call.name == ">"  ? *order > 0
               : call.name == "<=" ? *order <= 0
                                   : *order >= 0);
}

static RubyValue anyCopy(const RubyCall &call) {
  return call.name == "freeze" || call.name == "itself"
             ? call.self
             : copyOf(call.self, call.name == "deep_dup");
}

static RubyValue anyTap(const RubyCall &call) {
  RubyValue value = call.yield({call.self});
  return call.name == "tap" ? call.self : value;
}

static RubyValue anyClass(const RubyCall &call) {
  return RubyValue::named(VKind::Class, classOf(call.self));
}

static RubyValue anyResponds(const RubyCall &call) {
  std::string name = argument(call, 0).asText().str();
  const RubyValue &self = call.self;
  bool knows =
      findAnyMethod(name) || (self.isText() && findTextMethod(name)) ||
      (self.isList() && findListMethod(name)) ||
      (self.isMap() && findMapMethod(name)) ||
      (self.is(VKind::Object) &&
       (self.isObject("OpenStruct") ? self.find(name) != nullptr
                                    : findObjectMethod(self, name) != nullptr));
  return truth(knows);
}

static RubyValue anySend(const RubyCall &call) {
  if (call.count() == 0)
    return wrongUse(call);
  std::vector<RubyValue> rest(call.arguments.begin() + 1, call.arguments.end());
  std::string name = toText(call.arguments[0]);
  return call.in.callMethod(call.self, name, std::move(rest), call.block,
                            call.node);
}

RubyMethod bosh::findAnyMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"to_s", anyText},
      {"inspect", anyText},
      {"to_json", anyText},
      {"to_yaml", anyText},
      {"dump", anyText},
      {"nil?", anyTest},
      {"==", anyTest},
      {"!=", anyTest},
      {"===", anyTest},
      {"!", anyTest},
      {"eql?", anyTest},
      {"equal?", anyTest},
      {"is_a?", anyTest},
      {"kind_of?", anyTest},
      {"instance_of?", anyTest},
      {"blank?", anyTest},
      {"present?", anyTest},
      {"<=>", anyOrder},
      {"<", anyOrder},
      {">", anyOrder},
      {"<=", anyOrder},
      {">=", anyOrder},
      {"dup", anyCopy},
      {"clone", anyCopy},
      {"deep_dup", anyCopy},
      {"freeze", anyCopy},
      {"itself", anyCopy},
      {"tap", anyTap},
      {"then", anyTap},
      {"class", anyClass},
      {"respond_to?", anyResponds},
      {"send", anySend},
      {"public_send", anySend},
  };
  return findIn(rows, name);
}
