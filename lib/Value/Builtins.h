//===- Builtins.h - The strict built-in functions ---------------*- C++ -*-===//
///
/// \file
/// One function per row of Functions.def whose form is Strict, named call<Id>.
/// The evaluator has checked number and kinds of the arguments, and made the
/// arguments of comparisons and sums alike.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_VALUE_BUILTINS_H
#define TOSCAC_LIB_VALUE_BUILTINS_H

#include "toscac/Value/Environment.h"
#include "toscac/Value/Functions.h"
#include <unordered_set>

namespace toscac {

/// The call that is evaluated.
struct CallSite {
  const Expr &expr;
  ValueArena &arena;

  llvm::StringRef name() const { return expr.functionName(); }
  SourceRange range() const { return expr.range(); }
  /// Where an argument was written.
  SourceRange range(size_t argument) const {
    return expr.children()[argument].range();
  }
};

#define DECLARE_Strict(ID)                                                     \
  Evaluation call##ID(const CallSite &site, llvm::ArrayRef<Value> arguments);
#define DECLARE_Query(ID)
#define DECLARE_Value(ID)
#define DECLARE_And(ID)
#define DECLARE_Or(ID)
#define DECLARE_Loop(ID)
#define FUNCTION(ID, NAME, SECTION, MIN, MAX, ARGUMENTS, RELATION, RESULT,     \
                 FORM)                                                         \
  DECLARE_##FORM(ID)
#include "toscac/Value/Functions.def"
#undef DECLARE_Strict
#undef DECLARE_Query
#undef DECLARE_Value
#undef DECLARE_And
#undef DECLARE_Or
#undef DECLARE_Loop

/// \p value, or, if it is a string and \p model a timestamp, version, scalar
/// or bytes, what it means there: literals in clauses have no type of their
/// own, as in `$greater_than: [ $value, 1 Mbits/s ]`.
OrProblem<Value> convertLike(const Value &value, const Value &model,
                             ValueArena &arena);

/// Whether values of these types can be compared.
bool areComparable(const Type &a, const Type &b);
bool areComparable(const Value &a, const Value &b);

/// What a set of kinds allows: "a string or a list".
std::string describeKinds(KindSet kinds);
bool contains(KindSet kinds, TypeKind kind);

struct HashValue {
  size_t operator()(const Value &value) const { return value.hash(); }
};
using ValueSet = std::unordered_set<Value, HashValue>;

/// Longest string that an expression may make.
constexpr uint64_t maxStringSize = uint64_t(1) << 28;

} // namespace toscac

#endif
