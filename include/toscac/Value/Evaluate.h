//===- toscac/Value/Evaluate.h - The evaluator ------------------*- C++ -*-===//
///
/// \file
/// The one evaluator of expressions that all stages share.
///
/// Evaluation is partial: what depends on something unknown gives a residual
/// expression in which everything known is folded, and evaluating that later
/// gives what evaluating the whole would have given then. `$and` and `$or` are
/// three-valued and do not depend on the order of their arguments: one false
/// makes `$and` false, even if another argument is unknown or fails.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_EVALUATE_H
#define TOSCAC_VALUE_EVALUATE_H

#include "toscac/Value/Environment.h"

namespace toscac {

/// Evaluates \p expr as far as \p environment knows. Values and residuals live
/// as long as \p arena, the trees of \p expr and what the environment gave.
Evaluation evaluate(const Expr &expr, Environment &environment,
                    ValueArena &arena);

/// What the nested names and indices \p steps lead to inside \p value, as in
/// `$get_input: [ ports, 0, protocol ]`. Nothing where a map lacks the key; a
/// problem at \p range where an index is outside its list or the value has no
/// parts.
Evaluation select(Value value, llvm::ArrayRef<Value> steps, SourceRange range);
/// The same inside what \p residual will give: a query goes on, other calls
/// have no parts that could be named.
Evaluation select(const Expr &residual, llvm::ArrayRef<Value> steps,
                  SourceRange range, ValueArena &arena);

} // namespace toscac

#endif
