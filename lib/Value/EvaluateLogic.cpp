//===- EvaluateLogic.cpp - Three-valued logic -----------------------------===//
///
/// \file
/// `$and`, `$or` and `$for_each`: one argument can decide, whatever the others
/// are. So a failure counts only if nothing decides, and while something is
/// unknown, it may still decide. `$count` needs all of its parts.
///
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

using namespace toscac;
using llvm::ArrayRef;

namespace toscac {
/// Gives the variable of a loop a meaning while this object lives.
class BindVariable {
public:
  BindVariable(Environment &environment, Name name, const Value *value)
      : environment(environment) {
    environment.variables.push_back({name, value});
  }
  BindVariable(const BindVariable &) = delete;
  BindVariable &operator=(const BindVariable &) = delete;
  ~BindVariable() { environment.variables.pop_back(); }

private:
  Environment &environment;
};

/// A conjunction (or, with true as the decisive value, a disjunction) of which
/// parts come in one by one.
class Evaluator::Conjunction {
public:
  Conjunction(const Expr &call, bool decisive)
      : call(call), decisive(decisive) {}

  /// Adds argument \p index, \p expr, with its \p result; true if that
  /// decides.
  bool add(size_t index, const Expr &expr, Evaluation result);
  Evaluation conclude(ValueArena &arena);

private:
  const Expr &call;
  bool decisive;
  bool isUnknown = false;
  /// What may still decide: unknown parts, and those that failed so far.
  llvm::SmallVector<Expr> open;
  std::optional<Problem> failure;
};
} // namespace toscac

/// What is wrong with \p result of \p expr, which \p call wants to be a boolean
/// as its argument \p index; nothing where it may yet be one.
static std::optional<Problem> problemOf(const Expr &call, size_t index,
                                        const Expr &expr, Evaluation &result) {
  if (result.isFailed())
    return result.takeProblem();
  if (result.isNothing())
    return problem(expr.range(), diag::NothingThere, expr.functionName(),
                   ("'$" + call.functionName() + "'").str());
  if (result.isKnown() && !result.value().isBoolean())
    return problem(expr.range(), diag::WrongArgumentType, call.functionName(),
                   std::to_string(index + 1), "a boolean",
                   describe(result.value().kind()));
  return std::nullopt;
}

bool Evaluator::Conjunction::add(size_t index, const Expr &expr,
                                 Evaluation result) {
  if (result.isKnown() && result.value().isBoolean())
    return result.value().asBoolean() == decisive;
  if (result.isUnknown()) {
    isUnknown = true;
    open.push_back(*result.residual());
    return false;
  }
  open.push_back(expr);
  if (!failure)
    failure = problemOf(call, index, expr, result);
  return false;
}

/// Whether \p expr can only give a boolean, or fail.
static bool isBooleanCall(const Expr &expr) {
  return expr.isCall() && expr.function() != Function::Custom &&
         info(expr.function()).result == ResultRule::Boolean;
}

Evaluation Evaluator::Conjunction::conclude(ValueArena &arena) {
  if (!isUnknown && failure)
    return std::move(*failure);
  if (!isUnknown)
    return Value::boolean(!decisive);
  if (open.size() == 1 && isBooleanCall(open.front()))
    return Evaluation::unknown(arena.make(open.front()));
  return Evaluation::unknown(
      arena.make(Expr::call(decisive ? Function::Or : Function::And,
                            arena.save(ArrayRef<Expr>(open)), call.range())));
}

Evaluation Evaluator::evaluateLogic(const Expr &expr, bool decisive) {
  Conjunction parts(expr, decisive);
  for (auto [i, child] : llvm::enumerate(expr.children()))
    if (parts.add(i, child, evaluate(child)))
      return Value::boolean(decisive);
  return parts.conclude(arena);
}

/// The list that \p expr, a loop, runs over. A list that stands there is a
/// path, unless it begins with a boolean: what is left of a `$count` has its
/// parts.
Evaluation Evaluator::evaluateElements(const Expr &expr) {
  const Expr &path = expr.children()[1];
  Evaluation steps = evaluate(path);
  bool isPath = path.is(ExprKind::List) || path.isLiteral();
  if (!isPath || !steps.isKnown() || !steps.value().isList())
    return steps;
  ArrayRef<Value> words = steps.value().items();
  if (!words.empty() && words.front().isBoolean())
    return steps;
  Evaluation found = environment.elements({expr, words, arena});
  if (found.isUnknown() && !found.residual())
    return Evaluation::unknown(
        arena.make(Expr::literal(steps.value(), path.range())));
  return found;
}

/// Without the elements, only a body that is true for all of them decides, or
/// one that is true for none, where they are counted.
Evaluation Evaluator::evaluateUnknownElements(const Expr &expr,
                                              const Expr *elements) {
  const Expr &variable = expr.children()[0], &body = expr.children()[2];
  BindVariable bind(environment, variable.name(), nullptr);
  Evaluation result = evaluate(body);
  bool counts = expr.isCall(Function::Count);
  if (result.isKnown() && result.value().isTrue() && !counts)
    return result;
  if (result.isKnown() && result.value() == Value::boolean(false) && counts)
    return Value::integer(0);
  Expr children[] = {variable, *elements, folded(body, result)};
  return Evaluation::unknown(
      arena.make(withChildren(expr, arena.save(ArrayRef<Expr>(children)))));
}

/// What is left is the number of parts that turn out to hold, and those that
/// are known to.
Evaluation Evaluator::evaluateCount(const Expr &expr,
                                    ArrayRef<Value> elements) {
  const Expr &variable = expr.children()[0], &body = expr.children()[2];
  int64_t known = 0;
  llvm::SmallVector<Expr> open;
  for (const Value &element : elements) {
    BindVariable bind(environment, variable.name(), &element);
    Evaluation part = evaluate(body);
    if (std::optional<Problem> wrong = problemOf(expr, 2, body, part))
      return std::move(*wrong);
    if (part.isUnknown())
      open.push_back(*part.residual());
    else
      known += part.value().asBoolean();
  }
  if (open.empty())
    return Value::integer(known);
  Expr parts[] = {variable, Expr::list(arena.save(ArrayRef<Expr>(open))),
                  variable};
  Expr rest = withChildren(expr, arena.save(ArrayRef<Expr>(parts)));
  Expr terms[] = {Expr::literal(Value::integer(known)), rest};
  return Evaluation::unknown(arena.make(
      known == 0 ? rest
                 : Expr::call(Function::Sum, arena.save(ArrayRef<Expr>(terms)),
                              expr.range())));
}

Evaluation Evaluator::evaluateLoop(const Expr &expr) {
  if (std::optional<Problem> wrong = checkNumber(expr))
    return std::move(*wrong);
  const Expr &variable = expr.children()[0], &body = expr.children()[2];
  Evaluation elements = evaluateElements(expr);
  bool counts = expr.isCall(Function::Count);
  if (elements.isNothing())
    return counts ? Value::integer(0) : Value::boolean(true);
  if (elements.isUnknown())
    return evaluateUnknownElements(expr, elements.residual());
  if (elements.isFailed())
    return elements;
  if (!elements.value().isList())
    return problem(expr.children()[1].range(), diag::WrongArgumentType,
                   expr.functionName(), "2", "a list",
                   describe(elements.value().kind()));
  if (counts)
    return evaluateCount(expr, elements.value().items());
  Conjunction parts(expr, /*decisive=*/false);
  for (const Value &element : elements.value().items()) {
    BindVariable bind(environment, variable.name(), &element);
    if (parts.add(2, body, evaluate(body)))
      return Value::boolean(false);
  }
  return parts.conclude(arena);
}
