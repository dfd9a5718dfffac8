//===- Comparison.cpp - Comparison functions ------------------------------===//
///
/// \file
/// TOSCA 2.0 §10.2.2.2. Integers and floats compare as numbers, although the
/// text asks for arguments of the same type: an integer literal is a proper
/// value of a float property (§9.1.1.3), so clauses mix them. For the same
/// reason a scalar compares with a number by its magnitude, as the examples of
/// §9.1.2.2 do.
///
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Regex.h"
#include "toscac/Value/ParseLiteral.h"

using namespace toscac;
using llvm::ArrayRef;

OrProblem<Value> toscac::convertLike(const Value &value, const Value &model,
                                     ValueArena &arena) {
  if (!value.isString())
    return value;
  if (model.is(ValueKind::Timestamp))
    return parseTimestamp(value.asString(), arena);
  if (model.is(ValueKind::Version))
    return parseVersion(value.asString(), arena);
  if (model.is(ValueKind::Bytes))
    return parseBytes(value.asString(), arena);
  if (model.isScalar())
    return parseScalar(value.asString(), *model.asScalar().type, arena);
  return value;
}

/// Unlike operator==, NaN differs from itself, and scalars meet numbers.
static bool areEqual(const Value &a, const Value &b) {
  bool quantities =
      (a.isNumber() || a.isScalar()) && (b.isNumber() || b.isScalar());
  return quantities ? compare(a, b) == 0 : a == b;
}

static Problem argumentsDiffer(const CallSite &site, const Value &a,
                               const Value &b) {
  return problem(site.range(1), diag::ArgumentsDiffer, site.name(),
                 describe(a.kind()), describe(b.kind()));
}

Evaluation toscac::callEqual(const CallSite &site, ArrayRef<Value> arguments) {
  const Value &a = arguments[0], &b = arguments[1];
  if (!areComparable(a, b))
    return argumentsDiffer(site, a, b);
  return Value::boolean(areEqual(a, b));
}

template <typename Predicate>
static Evaluation callOrdered(const CallSite &site, ArrayRef<Value> arguments,
                              Predicate holds) {
  const Value &a = arguments[0], &b = arguments[1];
  if (!areComparable(a, b))
    return argumentsDiffer(site, a, b);
  return Value::boolean(holds(compare(a, b)));
}

Evaluation toscac::callGreaterThan(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  return callOrdered(site, arguments, [](auto order) { return order > 0; });
}

Evaluation toscac::callGreaterOrEqual(const CallSite &site,
                                      ArrayRef<Value> arguments) {
  return callOrdered(site, arguments, [](auto order) { return order >= 0; });
}

Evaluation toscac::callLessThan(const CallSite &site,
                                ArrayRef<Value> arguments) {
  return callOrdered(site, arguments, [](auto order) { return order < 0; });
}

Evaluation toscac::callLessOrEqual(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  return callOrdered(site, arguments, [](auto order) { return order <= 0; });
}

Evaluation toscac::callValidValues(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  for (const Value &item : arguments[1].items()) {
    OrProblem<Value> candidate = convertLike(item, arguments[0], site.arena);
    if (!candidate)
      return candidate.takeProblem();
    OrProblem<Value> wanted = convertLike(arguments[0], item, site.arena);
    if (wanted && areEqual(*wanted, *candidate))
      return Value::boolean(true);
  }
  return Value::boolean(false);
}

Evaluation toscac::callMatches(const CallSite &site,
                               ArrayRef<Value> arguments) {
  llvm::StringRef pattern = arguments[1].asString();
  OrProblem<bool> found = matchesRegex(arguments[0].asString(), pattern);
  if (!found) {
    Problem wrong = found.takeProblem();
    wrong.range = site.range(1);
    return wrong;
  }
  return Value::boolean(*found);
}
