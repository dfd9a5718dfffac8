//===- CheckExpr.cpp - Types of expressions -------------------------------===//

#include "toscac/Value/CheckExpr.h"

#include "Evaluator.h"
#include "Suggest.h"
#include "toscac/Value/CheckValue.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;

namespace {

class TypeInference {
public:
  TypeInference(TypeOfCall typeOfCall, ValueArena &arena, ReportProblem report)
      : typeOfCall(typeOfCall), arena(arena), report(report) {}

  const Type *infer(const Expr &expr);

private:
  bool inferChildren(const Expr &expr, SmallVectorImpl<const Type *> &types);
  const Type *inferList(const Expr &expr);
  const Type *inferMap(const Expr &expr);
  const Type *inferCall(const Expr &expr);
  const Type *inferLoop(const Expr &expr);
  const Type *inferBuiltin(const Expr &expr, ArrayRef<const Type *> types);

  TypeOfCall typeOfCall;
  ValueArena &arena;
  ReportProblem report;
};

} // namespace

static const Type &any() { return builtinType(TypeKind::Any); }

const Type *TypeInference::infer(const Expr &expr) {
  switch (expr.kind()) {
  case ExprKind::Literal:
    return &typeOf(expr.value(), arena);
  case ExprKind::List:
    return inferList(expr);
  case ExprKind::Map:
    return inferMap(expr);
  case ExprKind::Variable:
    return &any();
  case ExprKind::Call:
    return inferCall(expr);
  }
  llvm_unreachable("all kinds are handled");
}

bool TypeInference::inferChildren(const Expr &expr,
                                  SmallVectorImpl<const Type *> &types) {
  for (const Expr &child : expr.children())
    types.push_back(infer(child));
  return !llvm::is_contained(types, nullptr);
}

/// The type that all have, or Any.
static const Type &common(ArrayRef<const Type *> types) {
  return !types.empty() && llvm::all_equal(types) ? *types.front() : any();
}

const Type *TypeInference::inferList(const Expr &expr) {
  SmallVector<const Type *> types;
  if (!inferChildren(expr, types))
    return nullptr;
  return &listOf(common(types), arena);
}

const Type *TypeInference::inferMap(const Expr &expr) {
  SmallVector<const Type *> types;
  if (!inferChildren(expr, types))
    return nullptr;
  SmallVector<const Type *> entries;
  for (size_t i = 1; i < types.size(); i += 2)
    entries.push_back(types[i]);
  Type map = builtinType(TypeKind::Map);
  map.parent = &builtinType(TypeKind::Map);
  map.entry = &common(entries);
  map.anonymous = true;
  return arena.make(map);
}

const Type *TypeInference::inferCall(const Expr &expr) {
  if (isLoop(expr.function()))
    return inferLoop(expr);
  SmallVector<const Type *, 4> types;
  if (!inferChildren(expr, types))
    return nullptr;
  if (expr.function() != Function::Custom)
    return inferBuiltin(expr, types);
  const Type *type = typeOfCall(expr, types);
  return type ? type : &any();
}

const Type *TypeInference::inferBuiltin(const Expr &expr,
                                        ArrayRef<const Type *> types) {
  SmallVector<Argument, 4> arguments;
  for (auto [type, child] : llvm::zip(types, expr.children()))
    arguments.push_back({type, child.range()});
  if (std::optional<Problem> wrong =
          checkCall(expr.function(), expr.range(), arguments)) {
    report(std::move(*wrong));
    return nullptr;
  }
  const FunctionInfo &function = info(expr.function());
  bool isAsked = function.form == FunctionForm::Query ||
                 function.form == FunctionForm::Value;
  const Type *type = isAsked ? typeOfCall(expr, types) : nullptr;
  return type ? type : &resultType(expr.function(), arguments, arena);
}

/// The variable and the path are no values; only the body has a type.
const Type *TypeInference::inferLoop(const Expr &expr) {
  SmallVector<Argument, 3> arguments;
  for (const Expr &child : expr.children())
    arguments.push_back({&any(), child.range()});
  if (expr.children().size() == 3) {
    arguments[2].type = infer(expr.children()[2]);
    if (!arguments[2].type)
      return nullptr;
  }
  if (std::optional<Problem> wrong =
          checkCall(expr.function(), expr.range(), arguments)) {
    report(std::move(*wrong));
    return nullptr;
  }
  return &resultType(expr.function(), arguments, arena);
}

const Type *toscac::inferType(const Expr &expr, TypeOfCall typeOfCall,
                              ValueArena &arena, ReportProblem report) {
  return TypeInference(typeOfCall, arena, report).infer(expr);
}

/// The position of the value of literal key \p key, or 0.
static size_t findKey(ArrayRef<Expr> children, const Value &key) {
  for (size_t i = 0; i < children.size(); i += 2)
    if (children[i].isLiteral() && children[i].value() == key)
      return i + 1;
  return 0;
}

/// The child of \p expr that \p step leads to, or null.
static const Expr *childAt(const Expr &expr, const PathStep &step) {
  ArrayRef<Expr> children = expr.children();
  if (expr.is(ExprKind::List) && step.key.isInteger() &&
      static_cast<size_t>(step.key.asInteger()) < children.size())
    return &children[step.key.asInteger()];
  if (!expr.is(ExprKind::Map))
    return nullptr;
  size_t position = findKey(children, step.key);
  return position ? &children[step.isKey ? position - 1 : position] : nullptr;
}

SourceRange toscac::rangeAt(const Expr &expr, ArrayRef<PathStep> path) {
  const Expr *at = &expr;
  for (const PathStep &step : path) {
    const Expr *child = childAt(*at, step);
    if (!child)
      break;
    at = child;
  }
  return at->range();
}

namespace {

class ExprChecker {
public:
  ExprChecker(TypeOfCall typeOfCall, Environment &environment,
              ValueArena &arena, ReportProblem report)
      : typeOfCall(typeOfCall), environment(environment), arena(arena),
        report(report) {}

  const Expr *check(const Expr &expr, const Type &type);

private:
  const Expr *checkKnown(const Expr &expr, const Value &value,
                         const Type &type);
  const Expr *checkUnknown(const Expr &expr, const Type &type);
  const Expr *checkList(const Expr &expr, const Type &type);
  const Expr *checkMap(const Expr &expr, const Type &type);
  const Expr *checkRecord(const Expr &expr, const Type &type);
  const Expr *checkCallType(const Expr &expr, const Type &type);
  const Expr *wrongType(const Expr &expr, StringRef found, const Type &type);
  const Expr *rebuild(const Expr &expr, ArrayRef<Expr> children) {
    return arena.make(withChildren(expr, arena.save(children)));
  }

  TypeOfCall typeOfCall;
  Environment &environment;
  ValueArena &arena;
  ReportProblem report;
};

} // namespace

const Expr *ExprChecker::check(const Expr &expr, const Type &type) {
  Evaluation result = evaluate(expr, environment, arena);
  if (result.isKnown())
    return checkKnown(expr, result.value(), type);
  if (result.isUnknown())
    return checkUnknown(*result.residual(), type);
  if (result.isNothing())
    return &expr;
  report(result.takeProblem());
  return nullptr;
}

const Expr *ExprChecker::checkKnown(const Expr &expr, const Value &value,
                                    const Type &type) {
  std::optional<Value> checked =
      checkValue(value, type, environment, arena,
                 [&](ArrayRef<PathStep> path, Problem problem) {
                   problem.range = rangeAt(expr, path);
                   report(std::move(problem));
                 });
  if (!checked)
    return nullptr;
  return arena.make(Expr::literal(*checked, expr.range()));
}

const Expr *ExprChecker::checkUnknown(const Expr &expr, const Type &type) {
  if (expr.isCall())
    return checkCallType(expr, type);
  if (expr.is(ExprKind::Variable) || type.is(TypeKind::Any))
    return &expr;
  if (expr.is(ExprKind::List))
    return type.is(TypeKind::List) ? checkList(expr, type)
                                   : wrongType(expr, "a list", type);
  if (type.is(TypeKind::Record))
    return checkRecord(expr, type);
  return type.is(TypeKind::Map) ? checkMap(expr, type)
                                : wrongType(expr, "a map", type);
}

const Expr *ExprChecker::wrongType(const Expr &expr, StringRef found,
                                   const Type &type) {
  report(problem(expr.range(), diag::WrongValueType, "'" + toText(expr) + "'",
                 found, "a value of type '" + typeName(type) + "'"));
  return nullptr;
}

const Expr *ExprChecker::checkCallType(const Expr &expr, const Type &type) {
  const Type *found =
      inferType(expr, typeOfCall, arena, [](const Problem &) {});
  if (!found || compatible(*found, type) != Fit::Never)
    return &expr;
  report(problem(expr.range(), diag::WrongExprType, expr.functionName(),
                 "a value of type '" + typeName(*found) + "'",
                 "one of type '" + typeName(type) + "'"));
  return nullptr;
}

const Expr *ExprChecker::checkList(const Expr &expr, const Type &type) {
  SmallVector<Expr> items;
  for (const Expr &item : expr.children())
    if (const Expr *checked = check(item, type.entry ? *type.entry : any()))
      items.push_back(*checked);
  if (items.size() != expr.children().size())
    return nullptr;
  return rebuild(expr, items);
}

const Expr *ExprChecker::checkMap(const Expr &expr, const Type &type) {
  const Type &keyType = type.key ? *type.key : builtinType(TypeKind::String);
  SmallVector<Expr> children;
  for (auto [i, child] : llvm::enumerate(expr.children())) {
    const Type &wanted = i % 2 == 0   ? keyType
                         : type.entry ? *type.entry
                                      : any();
    if (const Expr *checked = check(child, wanted))
      children.push_back(*checked);
  }
  if (children.size() != expr.children().size())
    return nullptr;
  return rebuild(expr, children);
}

/// What checkValue() finds in a record, for one that is known in parts.
/// Defaults are filled in when all is known.
const Expr *ExprChecker::checkRecord(const Expr &expr, const Type &type) {
  SmallVector<Expr> children;
  bool valid = true;
  for (size_t i = 0; i < expr.children().size(); i += 2) {
    const Expr &key = expr.children()[i], &value = expr.children()[i + 1];
    bool isName = key.isLiteral() && key.value().isString();
    const Property *property =
        isName ? type.findProperty(key.value().asString()) : nullptr;
    if (!property && key.isLiteral()) {
      report(problem(key.range(), diag::UnknownProperty, type.name,
                     toText(key.value()),
                     didYouMean(toText(key.value()), type)));
      valid = false;
      continue;
    }
    const Expr *checked = check(value, property ? *property->type : any());
    valid &= checked != nullptr;
    children.push_back(key);
    children.push_back(checked ? *checked : value);
  }
  for (const auto &[name, property] : type.properties)
    if (property->required && !property->defaultValue &&
        !property->fixedValue &&
        !findKey(expr.children(), Value::string(name))) {
      report(problem(expr.range(), diag::MissingProperty, name, type.name));
      valid = false;
    }
  return valid ? rebuild(expr, children) : nullptr;
}

const Expr *toscac::checkExpr(const Expr &expr, const Type &type,
                              TypeOfCall typeOfCall, Environment &environment,
                              ValueArena &arena, ReportProblem report) {
  return ExprChecker(typeOfCall, environment, arena, report).check(expr, type);
}
