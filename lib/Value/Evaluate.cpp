//===- Evaluate.cpp - Values, queries and strict functions ----------------===//

#include "toscac/Value/Evaluate.h"

#include "Evaluator.h"
#include "llvm/ADT/ScopeExit.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

Evaluation toscac::evaluate(const Expr &expr, Environment &environment,
                            ValueArena &arena) {
  return Evaluator(environment, arena).evaluate(expr);
}

Evaluation Evaluator::evaluate(const Expr &expr) {
  if (expr.isLiteral())
    return expr.value();
  if (environment.depth >= ValueArena::maxDepth)
    return problem(expr.range(), diag::ExprTooDeep,
                   std::to_string(ValueArena::maxDepth));
  ++environment.depth;
  Evaluation result = evaluateKind(expr);
  --environment.depth;
  return result;
}

Evaluation Evaluator::evaluateKind(const Expr &expr) {
  switch (expr.kind()) {
  case ExprKind::Literal:
    return expr.value();
  case ExprKind::List:
    return evaluateList(expr);
  case ExprKind::Map:
    return evaluateMap(expr);
  case ExprKind::Variable:
    return evaluateVariable(expr);
  case ExprKind::Call:
    return evaluateCall(expr);
  }
  llvm_unreachable("all kinds are handled");
}

Evaluation Evaluator::evaluateCall(const Expr &expr) {
  if (expr.function() == Function::Custom)
    return evaluateQuery(expr);
  switch (info(expr.function()).form) {
  case FunctionForm::Strict:
    return evaluateStrict(expr);
  case FunctionForm::Query:
    return evaluateQuery(expr);
  case FunctionForm::Value:
    return evaluateValue(expr);
  case FunctionForm::And:
    return evaluateLogic(expr, /*decisive=*/false);
  case FunctionForm::Or:
    return evaluateLogic(expr, /*decisive=*/true);
  case FunctionForm::Loop:
    return evaluateLoop(expr);
  }
  llvm_unreachable("all forms are handled");
}

Expr Evaluator::folded(const Expr &child, const Evaluation &result) {
  if (result.isKnown())
    return Expr::literal(result.value(), child.range());
  return result.isUnknown() ? *result.residual() : child;
}

const Expr *Evaluator::fold(const Expr &expr, ArrayRef<Evaluation> results) {
  // Nothing to fold is the common case: paths are mostly literal.
  if (llvm::all_of(expr.children(),
                   [](const Expr &e) { return e.isLiteral(); }))
    return &expr;
  SmallVector<Expr> children;
  for (auto [child, result] : llvm::zip(expr.children(), results))
    children.push_back(folded(child, result));
  return arena.make(withChildren(expr, arena.save(ArrayRef<Expr>(children))));
}

/// Functions that are false where something they compare does not exist.
static bool isComparison(const Expr &expr) {
  if (!expr.isCall() || expr.function() == Function::Custom)
    return false;
  const FunctionInfo &function = info(expr.function());
  return function.form == FunctionForm::Strict &&
         function.result == ResultRule::Boolean &&
         expr.function() != Function::Not && expr.function() != Function::Xor;
}

/// What \p expr is called in a message.
static std::string describeUser(const Expr &expr) {
  if (expr.isCall())
    return ("'$" + expr.functionName() + "'").str();
  return expr.is(ExprKind::List) ? "the list" : "the map";
}

Evaluation Evaluator::conclude(const Expr &expr, Results &results) {
  for (Evaluation &result : results)
    if (result.isFailed())
      return std::move(result);
  for (auto [child, result] : llvm::zip(expr.children(), results))
    if (result.isNothing())
      return isComparison(expr)
                 ? Evaluation(Value::boolean(false))
                 : problem(child.range(), diag::NothingThere,
                           child.functionName(), describeUser(expr));
  return Evaluation::unknown(fold(expr, results));
}

std::optional<Evaluation> Evaluator::gather(const Expr &expr,
                                            SmallVectorImpl<Value> &values) {
  Results results;
  for (const Expr &child : expr.children()) {
    results.push_back(evaluate(child));
    if (results.back().isKnown())
      values.push_back(results.back().value());
  }
  if (values.size() == expr.children().size())
    return std::nullopt;
  return conclude(expr, results);
}

/// Lists and maps can be nested and repeated by expressions that refer to each
/// other, so each new one is measured.
static Evaluation measured(Value value, SourceRange range) {
  if (value.depth() > ValueArena::maxDepth)
    return problem(range, diag::ValueTooDeep,
                   std::to_string(ValueArena::maxDepth));
  if (value.weight() > ValueArena::maxWeight)
    return problem(range, diag::ValueTooLarge,
                   std::to_string(ValueArena::maxWeight) + " values");
  return value;
}

Evaluation Evaluator::evaluateList(const Expr &expr) {
  SmallVector<Value> values;
  if (std::optional<Evaluation> other = gather(expr, values))
    return std::move(*other);
  return measured(arena.list(values), expr.range());
}

Evaluation Evaluator::evaluateMap(const Expr &expr) {
  SmallVector<Value> values;
  if (std::optional<Evaluation> other = gather(expr, values))
    return std::move(*other);
  SmallVector<MapEntry> entries;
  ValueSet keys;
  for (size_t i = 0; i < values.size(); i += 2) {
    if (!keys.insert(values[i]).second)
      return problem(expr.children()[i].range(), diag::RepeatedKey,
                     toText(values[i]));
    entries.push_back({values[i], values[i + 1]});
  }
  return measured(arena.map(entries), expr.range());
}

Evaluation Evaluator::evaluateVariable(const Expr &expr) {
  for (const Environment::Variable &variable :
       llvm::reverse(environment.variables))
    if (variable.name == expr.name())
      return variable.value ? Evaluation(*variable.value)
                            : Evaluation::unknown(&expr);
  return Evaluation::unknown(&expr);
}

Evaluation Evaluator::evaluateValue(const Expr &expr) {
  SmallVector<Value, 4> steps;
  std::optional<Evaluation> other = gather(expr, steps);
  if (other && !other->isUnknown())
    return std::move(*other);
  if (environment.values.empty())
    return other ? std::move(*other) : Evaluation::unknown(&expr);
  if (other)
    return std::move(*other);
  return select(environment.values.back(), steps, expr.range());
}

std::optional<Problem> toscac::checkNumber(const Expr &call) {
  SmallVector<Argument, 4> arguments;
  for (const Expr &child : call.children())
    arguments.push_back({&builtinType(TypeKind::Any), child.range()});
  return checkCall(call.function(), call.range(), arguments);
}

/// Number and kinds, for calls whose types were not known earlier.
static std::optional<Problem> checkArguments(const Expr &call,
                                             ArrayRef<Value> values) {
  if (std::optional<Problem> wrong = checkNumber(call))
    return wrong;
  const FunctionInfo &function = info(call.function());
  for (auto [i, value] : llvm::enumerate(values))
    if (!contains(function.argument(i), typeKind(value.kind())))
      return problem(call.children()[i].range(), diag::WrongArgumentType,
                     function.name, std::to_string(i + 1),
                     describeKinds(function.argument(i)),
                     describe(value.kind()));
  return std::nullopt;
}

Evaluation Evaluator::ask(const Query &query) {
  switch (query.call.function()) {
  case Function::GetInput:
    return environment.input(query);
  case Function::GetProperty:
    return environment.property(query);
  case Function::GetAttribute:
    return environment.attribute(query);
  case Function::GetArtifact:
    return environment.artifact(query);
  case Function::NodeIndex:
    return environment.nodeIndex(query);
  case Function::RelationshipIndex:
    return environment.relationshipIndex(query);
  case Function::AvailableAllocation:
    return environment.availableAllocation(query);
  case Function::GetState:
    return environment.state(query);
  case Function::Custom:
    return environment.custom(query);
  default:
    llvm_unreachable("no query");
  }
}

Evaluation Evaluator::evaluateQuery(const Expr &expr) {
  SmallVector<Value, 4> arguments;
  if (std::optional<Evaluation> other = gather(expr, arguments))
    return std::move(*other);
  bool isBuiltin = expr.function() != Function::Custom;
  if (std::optional<Problem> wrong =
          isBuiltin ? checkArguments(expr, arguments) : std::nullopt)
    return std::move(*wrong);
  Evaluation answer = ask({expr, arguments, arena});
  if (answer.isUnknown() && !answer.residual()) {
    Results results(arguments.begin(), arguments.end());
    return Evaluation::unknown(fold(expr, results));
  }
  if (answer.isFailed() && !answer.problem().range.isValid()) {
    Problem located = answer.takeProblem();
    located.range = expr.range();
    return located;
  }
  return answer;
}

using Builtin = Evaluation (*)(const CallSite &, ArrayRef<Value>);

static Builtin builtin(Function function) {
#define ROW_Strict(ID) call##ID
#define ROW_Query(ID) nullptr
#define ROW_Value(ID) nullptr
#define ROW_And(ID) nullptr
#define ROW_Or(ID) nullptr
#define ROW_Loop(ID) nullptr
  static constexpr Builtin table[] = {
#define FUNCTION(ID, NAME, SECTION, MIN, MAX, ARGUMENTS, RELATION, RESULT,     \
                 FORM)                                                         \
  ROW_##FORM(ID),
#include "toscac/Value/Functions.def"
  };
  return table[static_cast<size_t>(function)];
}

/// The argument that says what strings beside it mean, or null.
static const Value *findModel(ArrayRef<Value> values) {
  for (const Value &value : values)
    if (value.isScalar() || value.is(ValueKind::Timestamp) ||
        value.is(ValueKind::Version) || value.is(ValueKind::Bytes))
      return &value;
  return nullptr;
}

/// Converts strings next to a timestamp, version or scalar.
static std::optional<Problem> makeAlike(const CallSite &site,
                                        const FunctionInfo &function,
                                        llvm::MutableArrayRef<Value> values) {
  if (function.relation != Relation::Comparable &&
      function.relation != Relation::SameQuantity)
    return std::nullopt;
  const Value *model = findModel(values);
  if (!model)
    return std::nullopt;
  for (auto [i, value] : llvm::enumerate(values)) {
    OrProblem<Value> converted = convertLike(value, *model, site.arena);
    if (!converted) {
      Problem wrong = converted.takeProblem();
      wrong.range = site.range(i);
      return wrong;
    }
    value = *converted;
  }
  return std::nullopt;
}

Evaluation Evaluator::callStrict(const Expr &expr,
                                 llvm::MutableArrayRef<Value> values) {
  CallSite site{expr, arena};
  const FunctionInfo &function = info(expr.function());
  if (std::optional<Problem> wrong = makeAlike(site, function, values))
    return std::move(*wrong);
  if (std::optional<Problem> wrong = checkArguments(expr, values))
    return std::move(*wrong);
  Evaluation result = builtin(expr.function())(site, values);
  if (!result.isFailed())
    return measured(result.value(), expr.range());
  Problem located = result.takeProblem();
  if (!located.range.isValid())
    located.range = expr.range();
  return located;
}

Evaluation Evaluator::evaluateStrict(const Expr &expr) {
  SmallVector<Value, 4> values;
  if (std::optional<Evaluation> other = gather(expr, values))
    return std::move(*other);
  return callStrict(expr, values);
}

/// One step into \p value.
static Evaluation selectPart(const Value &value, const Value &step,
                             SourceRange range) {
  if (value.isMap()) {
    const Value *part = value.find(step);
    return part ? Evaluation(*part) : Evaluation::nothing();
  }
  if (!value.isList() || !step.isInteger())
    return problem(range, diag::NoParts, describe(value.kind()), toText(step));
  int64_t index = step.asInteger();
  if (index < 0 || static_cast<uint64_t>(index) >= value.items().size())
    return problem(range, diag::IndexOutOfRange, std::to_string(index),
                   std::to_string(value.items().size()));
  return value.items()[index];
}

Evaluation toscac::select(Value value, ArrayRef<Value> steps,
                          SourceRange range) {
  for (const Value &step : steps) {
    Evaluation part = selectPart(value, step, range);
    if (!part.isKnown())
      return part;
    value = part.value();
  }
  return value;
}

/// One step into a list or map of which parts are not known.
static Evaluation selectPart(const Expr &expr, const Value &step,
                             SourceRange range) {
  ArrayRef<Expr> children = expr.children();
  if (expr.is(ExprKind::Map)) {
    for (size_t i = 0; i + 1 < children.size(); i += 2)
      if (children[i].isLiteral() && children[i].value() == step)
        return Evaluation::unknown(&children[i + 1]);
    return Evaluation::nothing();
  }
  if (!expr.is(ExprKind::List) || !step.isInteger())
    return problem(range, diag::NoParts, toText(expr), toText(step));
  int64_t index = step.asInteger();
  if (index < 0 || static_cast<uint64_t>(index) >= children.size())
    return problem(range, diag::IndexOutOfRange, std::to_string(index),
                   std::to_string(children.size()));
  return Evaluation::unknown(&children[index]);
}

/// Whether paths into what \p expr gives can be written in it.
static bool isQuery(const Expr &expr) {
  return expr.isCall(Function::GetInput) ||
         expr.isCall(Function::GetProperty) ||
         expr.isCall(Function::GetAttribute) || expr.isCall(Function::GetState);
}

Evaluation toscac::select(const Expr &residual, ArrayRef<Value> steps,
                          SourceRange range, ValueArena &arena) {
  if (residual.isLiteral())
    return select(residual.value(), steps, range);
  if (steps.empty())
    return Evaluation::unknown(&residual);
  if (isQuery(residual)) {
    SmallVector<Expr, 4> path(residual.children());
    for (const Value &step : steps)
      path.push_back(Expr::literal(step));
    return Evaluation::unknown(
        arena.make(withChildren(residual, arena.save(ArrayRef<Expr>(path)))));
  }
  Evaluation part = selectPart(residual, steps.front(), range);
  if (!part.isUnknown())
    return part;
  return select(*part.residual(), steps.drop_front(), range, arena);
}
