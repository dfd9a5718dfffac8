//===- toscac/Value/Environment.h - What expressions ask for ----*- C++ -*-===//
///
/// \file
/// The outside world of an expression: inputs, properties, attributes, states.
/// Each stage knows more of it than the one before: while types are checked
/// nothing is known, after expansion all but attributes, at run time all.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_ENVIRONMENT_H
#define TOSCAC_VALUE_ENVIRONMENT_H

#include "toscac/Value/Expr.h"
#include "toscac/Value/Problem.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac {

/// The outcome of evaluating an expression or asking for something.
class Evaluation {
public:
  enum class State : uint8_t {
    Known,
    /// It depends on something that is known only later.
    Unknown,
    /// A path that leads nowhere, a property that is not set. A comparison
    /// with it is false; elsewhere it is an error.
    Nothing,
    Failed
  };

  Evaluation(Value value) : content(value), evaluationState(State::Known) {}
  Evaluation(Problem problem)
      : failure(std::make_unique<Problem>(std::move(problem))),
        evaluationState(State::Failed) {}
  /// Evaluating \p residual later gives the value. From an Environment, null
  /// means the query itself.
  static Evaluation unknown(const Expr *residual = nullptr);
  static Evaluation nothing();

  State state() const { return evaluationState; }
  bool isKnown() const { return evaluationState == State::Known; }
  bool isUnknown() const { return evaluationState == State::Unknown; }
  bool isNothing() const { return evaluationState == State::Nothing; }
  bool isFailed() const { return evaluationState == State::Failed; }

  const Value &value() const {
    assert(isKnown());
    return content;
  }
  /// What remains to be evaluated, with everything known folded in.
  const Expr *residual() const {
    assert(isUnknown());
    return rest;
  }
  const Problem &problem() const {
    assert(isFailed());
    return *failure;
  }
  Problem takeProblem() { return std::move(*failure); }

private:
  explicit Evaluation(State state) : evaluationState(state) {}

  Value content;
  const Expr *rest = nullptr;
  std::unique_ptr<Problem> failure;
  State evaluationState;
};

/// A question to the Environment.
struct Query {
  /// The call that asks.
  const Expr &call;
  /// Its arguments: the path as written, with indices evaluated. Elements of a
  /// `$for_each` stand where its variable was written.
  llvm::ArrayRef<Value> arguments;
  ValueArena &arena;
};

/// By itself an environment in which nothing is known.
class Environment {
public:
  virtual ~Environment();

  virtual Evaluation input(const Query &query);
  virtual Evaluation property(const Query &query);
  virtual Evaluation attribute(const Query &query);
  virtual Evaluation artifact(const Query &query);
  virtual Evaluation nodeIndex(const Query &query);
  virtual Evaluation relationshipIndex(const Query &query);
  virtual Evaluation availableAllocation(const Query &query);
  virtual Evaluation state(const Query &query);
  virtual Evaluation custom(const Query &query);
  /// The list of what a path of `$for_each` leads to; the elements are strings
  /// or integers that this environment understands at the start of a path.
  virtual Evaluation elements(const Query &query);

  /// Levels of evaluation in progress. An environment that evaluates another
  /// expression to answer a query does so in an environment whose depth
  /// starts at its own.
  unsigned depth = 0;

private:
  friend class BindValue;
  friend class BindVariable;
  friend class Evaluator;

  struct Variable {
    Name name;
    /// Null while the list it runs over is not known.
    const Value *value;
  };
  llvm::SmallVector<Value, 4> values;
  llvm::SmallVector<Variable, 2> variables;
};

/// Gives `$value` a meaning while this object lives.
class BindValue {
public:
  BindValue(Environment &environment, Value value) : environment(environment) {
    environment.values.push_back(value);
  }
  BindValue(const BindValue &) = delete;
  BindValue &operator=(const BindValue &) = delete;
  ~BindValue() { environment.values.pop_back(); }

private:
  Environment &environment;
};

} // namespace toscac

#endif
