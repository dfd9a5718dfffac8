//===- Evaluator.h - The state of an evaluation -----------------*- C++ -*-===//
///
/// \file
/// Split by subject: Evaluate.cpp has values, queries and strict functions,
/// EvaluateLogic.cpp what may know its result before all arguments are known.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_VALUE_EVALUATOR_H
#define TOSCAC_LIB_VALUE_EVALUATOR_H

#include "Builtins.h"
#include "toscac/Value/Evaluate.h"

namespace toscac {

class Evaluator {
public:
  Evaluator(Environment &environment, ValueArena &arena)
      : environment(environment), arena(arena) {}

  Evaluation evaluate(const Expr &expr);

private:
  using Results = llvm::SmallVector<Evaluation, 4>;
  class Conjunction;

  Evaluation evaluateKind(const Expr &expr);
  Evaluation evaluateList(const Expr &expr);
  Evaluation evaluateMap(const Expr &expr);
  Evaluation evaluateVariable(const Expr &expr);
  Evaluation evaluateCall(const Expr &expr);
  Evaluation evaluateStrict(const Expr &expr);
  Evaluation evaluateQuery(const Expr &expr);
  Evaluation evaluateValue(const Expr &expr);

  Evaluation evaluateLogic(const Expr &expr, bool decisive);
  Evaluation evaluateLoop(const Expr &expr);
  Evaluation evaluateCount(const Expr &expr, llvm::ArrayRef<Value> elements);
  Evaluation evaluateElements(const Expr &expr);
  Evaluation evaluateUnknownElements(const Expr &expr, const Expr *elements);

  /// Evaluates the children of \p expr in order. If all are known, gives
  /// nothing and their values; else what this means for \p expr, unless that
  /// is a comparison that something missing makes false.
  std::optional<Evaluation> gather(const Expr &expr,
                                   llvm::SmallVectorImpl<Value> &values);
  Evaluation conclude(const Expr &expr, Results &results);
  /// \p expr with everything known in \p results folded.
  const Expr *fold(const Expr &expr, llvm::ArrayRef<Evaluation> results);
  Expr folded(const Expr &child, const Evaluation &result);
  Evaluation callStrict(const Expr &expr, llvm::MutableArrayRef<Value> values);
  Evaluation ask(const Query &query);

  Environment &environment;
  ValueArena &arena;
};

/// What is wrong with the number of arguments of a call, for calls that were
/// not checked earlier.
std::optional<Problem> checkNumber(const Expr &call);

} // namespace toscac

#endif
