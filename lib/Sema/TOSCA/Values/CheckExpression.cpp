//===- CheckExpression.cpp - Values against their types -------------------===//

#include "CheckExpression.h"

#include "TOSCA/Types/Expressions.h"
#include "TOSCA1/NumbersAsText.h"
#include "TOSCA1/Paths.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Value/CheckExpr.h"
#include "toscac/Value/CheckValue.h"
#include "toscac/Value/Environment.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Comparisons that are decided
//===----------------------------------------------------------------------===//

/// What a comparison of something with itself gives; nothing for functions that
/// do not compare.
static std::optional<bool> comparedWithItself(const Expr &call) {
  if (!call.isCall())
    return std::nullopt;
  switch (call.function()) {
  case Function::Equal:
  case Function::GreaterOrEqual:
  case Function::LessOrEqual:
    return true;
  case Function::GreaterThan:
  case Function::LessThan:
    return false;
  default:
    return std::nullopt;
  }
}

/// Whether \p call compares a literal with what can never be it.
static bool neverEqual(Program &program, const Expr &call,
                       TypeOfCall typeOfCall) {
  if (!call.isCall(Function::Equal))
    return false;
  const Expr &a = call.children()[0], &b = call.children()[1];
  const Expr &literal = a.isLiteral() ? a : b;
  const Expr &other = a.isLiteral() ? b : a;
  if (!literal.isLiteral() || !other.isCall())
    return false;
  const Type *type =
      inferType(other, typeOfCall, program.arena, [](const Problem &) {});
  Environment nothing;
  return type && !checkValue(literal.value(), *type, nothing, program.arena,
                             [](llvm::ArrayRef<PathStep>, const Problem &) {});
}

/// Whether \p call, a comparison, always gives the same.
static std::optional<bool> decide(Program &program, const Expr &call,
                                  TypeOfCall typeOfCall) {
  std::optional<bool> same = comparedWithItself(call);
  if (!same || call.children().size() != 2)
    return std::nullopt;
  const Expr &a = call.children()[0], &b = call.children()[1];
  if (!a.isLiteral() && !b.isLiteral() && toText(a) == toText(b))
    return same;
  Environment nothing;
  Evaluation result = evaluate(call, nothing, program.arena);
  if (result.isKnown() && result.value().isBoolean())
    return result.value().isTrue();
  if (neverEqual(program, call, typeOfCall))
    return false;
  return std::nullopt;
}

/// What is wrong with \p text as a value of \p type, if that is written as a
/// string.
static std::optional<Problem> checkWritten(Program &program, StringRef text,
                                           const Type &type) {
  auto problemOf = [](OrProblem<Value> value) -> std::optional<Problem> {
    if (value)
      return std::nullopt;
    return value.takeProblem();
  };
  switch (type.kind) {
  case TypeKind::Scalar:
    return type.scalar ? problemOf(parseScalar(text, type, program.arena))
                       : std::nullopt;
  case TypeKind::Timestamp:
    return problemOf(parseTimestamp(text, program.arena));
  case TypeKind::Version:
    return problemOf(parseVersion(text, program.arena));
  default:
    return std::nullopt;
  }
}

/// Whether all arguments of \p call are of one type.
static bool takesAlike(const Expr &call) {
  return comparedWithItself(call) || call.isCall(Function::Sum) ||
         call.isCall(Function::Difference);
}

/// A string next to a scalar, timestamp or version must be one.
static bool checkOperands(Program &program, const Expr &call,
                          TypeOfCall typeOfCall) {
  if (!takesAlike(call))
    return true;
  const Expr *other = llvm::find_if(
      call.children(), [](const Expr &child) { return child.isCall(); });
  if (other == call.children().end())
    return true;
  const Type *type =
      inferType(*other, typeOfCall, program.arena, [](const Problem &) {});
  bool right = true;
  for (const Expr &child : call.children()) {
    if (!type || !child.isLiteral() || !child.value().isString())
      continue;
    std::optional<Problem> wrong =
        checkWritten(program, child.value().asString(), *type);
    if (wrong)
      report(program.diags, *wrong, child.range());
    right &= !wrong;
  }
  return right;
}

static void checkComparisons(Program &program, const Expr &expr,
                             TypeOfCall typeOfCall) {
  if (!checkOperands(program, expr, typeOfCall))
    return;
  if (std::optional<bool> always = decide(program, expr, typeOfCall)) {
    program.diags.report(expr.range(), diag::ConstantComparison, toText(expr),
                         *always ? "true" : "false");
    return;
  }
  for (const Expr &child : expr.children())
    checkComparisons(program, child, typeOfCall);
}

/// Checks \p expr, which was made from \p node, an expression of TOSCA 1.x, or
/// which nobody wrote as it is.
static const Expr *checkTyped(Program &program, const ExprContext &context,
                              const Expr &expr, const Type &type,
                              const syntax::Node *node) {
  auto typeOfCall =
      [&](const Expr &call,
          llvm::ArrayRef<const Type *> arguments) -> const Type * {
    if (call.isCall(Function::Value) && !context.value)
      program.diags.report(call.range(), diag::ValueOutsideValidation);
    if (call.isCall(Function::Value))
      return typeInside(program, context.value, call.children());
    if (call.isCall(Function::Custom))
      return typeOfCustomCall(program, context, call, arguments);
    return typeOfQuery(program, context, call);
  };
  auto reportProblem = [&](const Problem &problem) {
    report(program.diags, problem, expr.range());
  };
  // What a query names is looked up in both rounds but reported in one.
  size_t errors = program.diags.numErrors();
  if (!inferType(expr, typeOfCall, program.arena, reportProblem) ||
      program.diags.numErrors() != errors)
    return nullptr;
  checkComparisons(program, expr, typeOfCall);
  const Expr *written = &expr;
  if (node) {
    written = takeAsText(program, context, *node, expr, type, typeOfCall);
    // Where it is looked at again, nobody knows where it stands.
    program.expressions[{&context.scope, node}] = written;
  }
  Environment nothing;
  return checkExpr(*written, type, typeOfCall, nothing, program.arena,
                   reportProblem);
}

const Expr *sema::checkTyped(Program &program, const ExprContext &context,
                             const Expr &expr, const Type &type) {
  return ::checkTyped(program, context, expr, type, nullptr);
}

const Expr *sema::checkValueNode(Program &program, const ExprContext &context,
                                 const syntax::Node &node, const Type &type) {
  const Expr *expr =
      toExpr(program, context.scope, node,
             context.inMachine ? BooleanWords::Any : BooleanWords::Strict);
  if (!expr)
    return nullptr;
  if (!context.scope.isOlder())
    return checkTyped(program, context, *expr, type);
  expr = modernizeExpr(program, context, node, *expr, type);
  program.expressions[{&context.scope, &node}] = expr;
  return ::checkTyped(program, context, *expr, type, &node);
}

const Expr *sema::checkConditionNode(Program &program,
                                     const ExprContext &context,
                                     const syntax::Node &node) {
  return checkValueNode(program, context, node, builtinType(TypeKind::Boolean));
}

/// Whether \p signature takes arguments of these types, TOSCA 2.0 §10.4.
static bool accepts(Program &program, const Entity &signature,
                    const Scope &scope, llvm::ArrayRef<const Type *> types) {
  llvm::ArrayRef<Entity> fixed = signature.entities(Key::Arguments);
  llvm::ArrayRef<Entity> optional = signature.entities(Key::OptionalArguments);
  bool variadic = signature.text(Key::Variadic).starts_with_insensitive("t");
  size_t most = fixed.size() + optional.size();
  if (types.size() < fixed.size() || (types.size() > most && !variadic))
    return false;
  for (auto [i, type] : llvm::enumerate(types)) {
    if (most == 0 || !type)
      return true;
    size_t at = std::min(i, most - 1);
    const Entity &schema =
        at < fixed.size() ? fixed[at] : optional[at - fixed.size()];
    const TypeDecl *decl =
        scope.find(EntityKind::DataType, schema.text(Key::Type));
    if (decl && compatible(*type, typeOf(program, *decl)) == Fit::Never)
      return false;
  }
  return true;
}

const Type *sema::typeOfCustomCall(Program &program, const ExprContext &context,
                                   const Expr &call,
                                   llvm::ArrayRef<const Type *> arguments) {
  const TypeDecl *function =
      context.scope.find(EntityKind::Function, call.name().str());
  if (!function || !function->entity->valid)
    return nullptr;
  for (auto [signature, scope] : signaturesOf(*function)) {
    if (!accepts(program, *signature, *scope, arguments))
      continue;
    const Field *result = signature->find(Key::Result);
    if (!result || result->entities.empty())
      return nullptr;
    const TypeDecl *decl = scope->find(
        EntityKind::DataType, result->entities.front().text(Key::Type));
    return decl ? &typeOf(program, *decl) : nullptr;
  }
  program.diags
      .report(call.range(), diag::NoMatchingSignature, call.name().str())
      .note(function->range(), diag::FirstDefinedHere, call.name().str());
  return nullptr;
}
