//===- CheckValue.cpp - Values against types ------------------------------===//

#include "toscac/Value/CheckValue.h"

#include "Suggest.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

class ValueChecker {
public:
  ValueChecker(Environment &environment, ValueArena &arena,
               ReportViolation report)
      : environment(environment), arena(arena), report(report) {}

  std::optional<Value> check(const Value &value, const Type &type);

private:
  std::optional<Value> convert(const Value &value, const Type &type);
  std::optional<Value> convertNumber(const Value &value, const Type &type);
  std::optional<Value> convertScalar(const Value &value, const Type &type);
  std::optional<Value> checkList(const Value &value, const Type &type);
  std::optional<Value> checkMap(const Value &value, const Type &type);
  std::optional<Value> checkRecord(const Value &value, const Type &type);
  bool checkKeys(const Value &value, const Type &type);
  bool checkProperty(const Value &record, const Type &type,
                     const Property &property, SmallVector<MapEntry> &entries);
  std::optional<Value> checkConstant(const Value &value,
                                     const Property &property);
  bool fillProperty(const Type &type, const Property &property,
                    SmallVector<MapEntry> &entries);
  bool checkFixed(const Value &value, const Type &type,
                  const Property &property);
  bool checkValidations(const Value &value, const Type &type);
  bool checkValidation(const Value &value, const Expr &clause);

  std::optional<Value> fail(Problem problem, SourceRange rule = {}) {
    problem.rule = rule;
    report(path, std::move(problem));
    return std::nullopt;
  }
  std::optional<Value> take(OrProblem<Value> parsed) {
    return parsed ? std::optional(*parsed) : fail(parsed.takeProblem());
  }
  std::optional<Value> wrongType(const Value &value, const Type &type);
  std::optional<Value> wrongBoolean(const Value &value, const Type &type);

  Environment &environment;
  ValueArena &arena;
  ReportViolation report;
  SmallVector<PathStep> path;

  /// The default or fixed value of a property, when it has been checked.
  struct Constant {
    std::optional<Value> value;
    bool isDone = false;
  };
  llvm::DenseMap<const Property *, Constant> constants;
};

/// A step of the path while this object lives.
class Descend {
public:
  Descend(SmallVector<PathStep> &path, PathStep step) : path(path) {
    path.push_back(step);
  }
  Descend(const Descend &) = delete;
  Descend &operator=(const Descend &) = delete;
  ~Descend() { path.pop_back(); }

private:
  SmallVector<PathStep> &path;
};

} // namespace

std::string toscac::toText(ArrayRef<PathStep> path) {
  std::string text;
  for (const PathStep &step : path) {
    if (step.key.isInteger())
      text += "[" + std::to_string(step.key.asInteger()) + "]";
    else
      text += (text.empty() ? "" : ".") + toText(step.key);
  }
  return text;
}

/// "a list of Port", "an integer": what is wanted.
static std::string describeWanted(const Type &type) {
  if (type.is(TypeKind::Record) || type.parent)
    return "a value of type '" + typeName(type) + "'";
  return describe(type.kind).str();
}

std::optional<Value> ValueChecker::wrongType(const Value &value,
                                             const Type &type) {
  std::string found = value.isNil() ? "the value" : "'" + toText(value) + "'";
  Problem wrong = problem({}, diag::WrongValueType, found,
                          describe(value.kind()), describeWanted(type));
  bool isUnquoted = value.isBoolean() || value.isInteger() || value.isFloat();
  if (type.is(TypeKind::String) && isUnquoted)
    wrong.fix = found;
  return fail(std::move(wrong));
}

/// The boolean that \p text was in some version of YAML; empty if none.
static llvm::StringRef booleanLike(llvm::StringRef text) {
  return llvm::StringSwitch<llvm::StringRef>(text.lower())
      .Cases("true", "yes", "on", "true")
      .Cases("false", "no", "off", "false")
      .Default("");
}

std::optional<Value> ValueChecker::wrongBoolean(const Value &value,
                                                const Type &type) {
  llvm::StringRef meant = value.isString() ? booleanLike(value.asString()) : "";
  if (meant.empty())
    return wrongType(value, type);
  Problem found =
      problem({}, diag::WrongBooleanSpelling, value.asString(), meant);
  found.fix = meant.str();
  fail(std::move(found));
  // Nothing else can be meant by `True`; `yes` may be a text.
  if (value.asString().equals_insensitive(meant))
    return Value::boolean(meant == "true");
  return std::nullopt;
}

std::optional<Value> ValueChecker::check(const Value &value, const Type &type) {
  if (path.size() > ValueArena::maxDepth)
    return fail(
        problem({}, diag::ValueTooDeep, std::to_string(ValueArena::maxDepth)));
  std::optional<Value> converted = convert(value, type);
  if (converted && !checkValidations(*converted, type))
    return std::nullopt;
  return converted;
}

std::optional<Value> ValueChecker::convert(const Value &value,
                                           const Type &type) {
  switch (type.kind) {
  case TypeKind::Any:
    return value;
  case TypeKind::Integer:
  case TypeKind::Float:
    return convertNumber(value, type);
  case TypeKind::Scalar:
    return convertScalar(value, type);
  case TypeKind::Bytes:
    if (value.isString())
      return take(parseBytes(value.asString(), arena));
    break;
  case TypeKind::Timestamp:
    if (value.isString())
      return take(parseTimestamp(value.asString(), arena));
    break;
  case TypeKind::Version:
    if (value.isString())
      return take(parseVersion(value.asString(), arena));
    break;
  case TypeKind::List:
    if (value.isList())
      return checkList(value, type);
    break;
  case TypeKind::Map:
    if (value.isMap())
      return checkMap(value, type);
    break;
  case TypeKind::Record:
    if (value.isMap())
      return checkRecord(value, type);
    break;
  case TypeKind::Boolean:
    if (!value.isBoolean())
      return wrongBoolean(value, type);
    break;
  case TypeKind::Nil:
  case TypeKind::String:
    break;
  }
  if (typeKind(value.kind()) == type.kind)
    return value;
  return wrongType(value, type);
}

std::optional<Value> ValueChecker::convertNumber(const Value &value,
                                                 const Type &type) {
  if (type.is(TypeKind::Float) && value.isInteger())
    return Value::real(value.asNumber());
  if (typeKind(value.kind()) == type.kind)
    return value;
  return wrongType(value, type);
}

std::optional<Value> ValueChecker::convertScalar(const Value &value,
                                                 const Type &type) {
  if (value.isNumber()) {
    std::string text = toText(value);
    return take(parseScalar(text, type, arena));
  }
  bool isSameFamily =
      value.isScalar() && type.scalar &&
      &scalarFamily(*value.asScalar().type) == &scalarFamily(type);
  if (!value.isString() && !isSameFamily)
    return wrongType(value, type);
  std::optional<Value> scalar =
      value.isString() ? take(parseScalar(value.asString(), type, arena))
                       : std::optional(value);
  // The number has a type of its own, which may have clauses.
  if (scalar && !check(scalar->asScalar().number, *type.scalar->number))
    return std::nullopt;
  return scalar;
}

std::optional<Value> ValueChecker::checkList(const Value &value,
                                             const Type &type) {
  if (!type.entry)
    return value;
  SmallVector<Value> items;
  bool valid = true;
  for (auto [i, item] : llvm::enumerate(value.items())) {
    Descend into(path, {Value::integer(static_cast<int64_t>(i))});
    std::optional<Value> checked = check(item, *type.entry);
    valid &= checked.has_value();
    items.push_back(checked.value_or(item));
  }
  return valid ? std::optional(arena.list(items)) : std::nullopt;
}

std::optional<Value> ValueChecker::checkMap(const Value &value,
                                            const Type &type) {
  const Type &keyType = type.key ? *type.key : builtinType(TypeKind::String);
  SmallVector<MapEntry> entries;
  bool valid = true;
  for (const auto &[key, entry] : value.entries()) {
    std::optional<Value> checkedKey, checked;
    {
      Descend into(path, {key, /*isKey=*/true});
      checkedKey = check(key, keyType);
    }
    Descend into(path, {key});
    checked = type.entry ? check(entry, *type.entry) : entry;
    valid &= checkedKey && checked;
    if (valid)
      entries.push_back({*checkedKey, *checked});
  }
  return valid ? std::optional(arena.map(entries)) : std::nullopt;
}

/// That every key of \p value is a property of \p type.
bool ValueChecker::checkKeys(const Value &value, const Type &type) {
  bool valid = true;
  for (const auto &[key, entry] : value.entries()) {
    std::string name = toText(key);
    if (key.isString() && type.findProperty(name))
      continue;
    valid = false;
    Descend into(path, {key, /*isKey=*/true});
    fail(problem({}, diag::UnknownProperty, type.name, name,
                 didYouMean(name, type)),
         type.range);
  }
  return valid;
}

bool ValueChecker::checkFixed(const Value &value, const Type &type,
                              const Property &property) {
  if (!property.fixedValue)
    return true;
  Evaluation fixed = evaluate(*property.fixedValue, environment, arena);
  if (!fixed.isKnown() || fixed.value() == value)
    return true;
  fail(problem({}, diag::FixedProperty, property.name, type.name,
               toText(fixed.value())),
       property.range);
  return false;
}

/// Checks without reports: what is wrong with a constant has been reported
/// where it is defined, unless it is its size. Each is checked once: types that
/// use each other would make it exponentially often.
std::optional<Value> ValueChecker::checkConstant(const Value &value,
                                                 const Property &property) {
  auto [known, isNew] = constants.try_emplace(&property);
  if (!isNew) {
    if (!known->second.isDone)
      fail(problem({}, diag::EndlessDefault, property.name), property.range);
    return known->second.value;
  }
  ReportViolation outer = report;
  auto onlySize = [&](ArrayRef<PathStep> at, Problem problem) {
    if (problem.id == diag::EndlessDefault.id ||
        problem.id == diag::ValueTooDeep.id ||
        problem.id == diag::ValueTooLarge.id)
      outer(at, std::move(problem));
  };
  report = onlySize;
  std::optional<Value> checked = check(value, *property.type);
  report = outer;
  constants[&property] = {checked, /*isDone=*/true};
  return checked;
}

/// Gives a property that is not assigned its fixed or default value.
bool ValueChecker::fillProperty(const Type &type, const Property &property,
                                SmallVector<MapEntry> &entries) {
  const Expr *given =
      property.fixedValue ? property.fixedValue : property.defaultValue;
  if (!given && property.required)
    fail(problem({}, diag::MissingProperty, property.name, type.name),
         property.range);
  if (!given)
    return !property.required;
  Evaluation result = evaluate(*given, environment, arena);
  if (!result.isKnown())
    return true;
  Descend into(path, {Value::string(property.name)});
  Environment nothing;
  bool isConstant = evaluate(*given, nothing, arena).isKnown();
  std::optional<Value> checked = isConstant
                                     ? checkConstant(result.value(), property)
                                     : check(result.value(), *property.type);
  if (!checked && isConstant)
    return true;
  if (checked)
    entries.push_back({Value::string(property.name), *checked});
  return checked.has_value();
}

bool ValueChecker::checkProperty(const Value &record, const Type &type,
                                 const Property &property,
                                 SmallVector<MapEntry> &entries) {
  const Value *assigned = record.find(property.name);
  if (!assigned)
    return fillProperty(type, property, entries);
  Descend into(path, {Value::string(property.name)});
  std::optional<Value> checked = check(*assigned, *property.type);
  if (!checked || !checkFixed(*checked, type, property))
    return false;
  entries.push_back({Value::string(property.name), *checked});
  return true;
}

/// Properties come out in the order of the type: a record is the same record
/// however it was written.
std::optional<Value> ValueChecker::checkRecord(const Value &value,
                                               const Type &type) {
  bool valid = checkKeys(value, type);
  SmallVector<MapEntry> entries;
  for (const auto &[name, property] : type.properties)
    valid &= checkProperty(value, type, *property, entries);
  if (!valid)
    return std::nullopt;
  Value record = arena.map(entries);
  if (record.weight() > ValueArena::maxWeight)
    return fail(problem({}, diag::ValueTooLarge,
                        std::to_string(ValueArena::maxWeight) + " values"));
  return record;
}

bool ValueChecker::checkValidations(const Value &value, const Type &type) {
  // The parent's clauses first: those of derived types may rely on them.
  if (type.parent && !checkValidations(value, *type.parent))
    return false;
  bool valid = true;
  for (const Expr *clause : type.validations)
    valid &= checkValidation(value, *clause);
  return valid;
}

bool ValueChecker::checkValidation(const Value &value, const Expr &clause) {
  BindValue bind(environment, value);
  Evaluation result = evaluate(clause, environment, arena);
  if (result.isUnknown() || (result.isKnown() && result.value().isTrue()))
    return true;
  if (result.isFailed()) {
    Problem problem = result.takeProblem();
    // A call with too few arguments is the clause's mistake, where it stands.
    if (problem.id != diag::WrongArgumentCount.id)
      fail(std::move(problem));
  } else if (result.isKnown() && !result.value().isBoolean())
    fail(problem({}, diag::ValidationNotBoolean,
                 describe(result.value().kind()), toText(value)),
         clause.range());
  else
    fail(problem({}, diag::ValidationViolated, toText(value), toText(clause)),
         clause.range());
  return false;
}

std::optional<Value> toscac::checkValue(const Value &value, const Type &type,
                                        Environment &environment,
                                        ValueArena &arena,
                                        ReportViolation report) {
  return ValueChecker(environment, arena, report).check(value, type);
}
