//===- toscac/Value/Functions.h - Signatures of built-ins -------*- C++ -*-===//
///
/// \file
/// The table of built-in functions (TOSCA 2.0 §10.2): lookup by name, and
/// what a call's arguments must be like.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_FUNCTIONS_H
#define TOSCAC_VALUE_FUNCTIONS_H

#include "toscac/Value/Expr.h"
#include "toscac/Value/Problem.h"
#include "toscac/Value/Type.h"

namespace toscac {

/// A set of kinds of types, a bit for each.
using KindSet = uint16_t;

/// What the arguments of a function have to do with each other.
enum class Relation : uint8_t {
  None,
  /// All of types that can be compared.
  Comparable,
  /// The first is an entry of the second, a list.
  AmongEntries,
  /// The second is an entry (a key) of the first.
  HasEntry,
  HasKey,
  /// The second is a list of entries (keys) of the first.
  HasEntries,
  HasKeys,
  /// Numbers, or scalars of one family.
  SameQuantity,
  /// Numbers, or one scalar and one number.
  Factors
};

enum class ResultRule : uint8_t {
  Any,
  Boolean,
  Integer,
  String,
  /// String, or a list of the same entries.
  Sequence,
  /// Scalar if an argument is, else float if one is, else integer.
  Quantity,
  /// Scalar if the first argument is, else float.
  Quotient
};

enum class FunctionForm : uint8_t { Strict, Query, Value, And, Or, Loop };

struct FunctionInfo {
  static constexpr uint8_t unbounded = 255;

  llvm::StringRef name;
  /// Section of TOSCA 2.0, or "-".
  llvm::StringRef section;
  uint8_t minArguments;
  uint8_t maxArguments;
  /// Kinds that each argument may have; the last one repeats.
  KindSet arguments[3];
  uint8_t numArguments;
  Relation relation;
  ResultRule result;
  FunctionForm form;

  KindSet argument(size_t index) const {
    return arguments[std::min<size_t>(index, numArguments - 1)];
  }
};

const FunctionInfo &info(Function function);
/// Whether it binds a variable, its first argument, for the last of three.
inline bool isLoop(Function function) {
  return function != Function::Custom &&
         info(function).form == FunctionForm::Loop;
}
inline bool isLoop(const Expr &expr) {
  return expr.isCall() && isLoop(expr.function()) &&
         expr.children().size() == 3;
}
/// By its name without the dollar sign.
std::optional<Function> findFunction(llvm::StringRef name);
/// Names of all built-ins, for suggestions.
llvm::ArrayRef<llvm::StringRef> functionNames();

/// What is known of an argument before it is evaluated.
struct Argument {
  const Type *type;
  SourceRange range;
};

/// What is wrong with a call of \p function at \p range, if anything. The
/// problem stands at the argument that is at fault, or at the call if there
/// are too few.
std::optional<Problem> checkCall(Function function, SourceRange range,
                                 llvm::ArrayRef<Argument> arguments);

/// The type of a call that checkCall() accepts.
const Type &resultType(Function function, llvm::ArrayRef<Argument> arguments,
                       ValueArena &arena);

} // namespace toscac

#endif
