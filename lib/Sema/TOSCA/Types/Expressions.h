//===- Expressions.h - From syntax nodes to expressions ---------*- C++ -*-===//
///
/// \file
/// Values and function calls as they were written, turned into the expressions
/// of the module Value (TOSCA 2.0 §10.1).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_EXPRESSIONS_H
#define TOSCAC_LIB_SEMA_TOSCA_EXPRESSIONS_H

#include "Scope.h"
#include "toscac/Value/Expr.h"

namespace toscac::sema {

/// Which words are booleans: those of TOSCA (true, false), or also `True` and
/// its kind, as in the grammar of events before it became strict.
enum class BooleanWords : uint8_t { Strict, Any };

/// The expression that \p node, a value in \p scope, stands for. Null after a
/// report: an unknown function, or a number that is too large. Reports once,
/// and keeps \p node by its address.
const Expr *toExpr(Program &program, const Scope &scope,
                   const syntax::Node &node,
                   BooleanWords booleans = BooleanWords::Strict);

/// The conditions of a `validation` (or of `constraints`, as in TOSCA 1.x).
llvm::SmallVector<const Expr *, 2>
toConditions(Program &program, const Scope &scope, const syntax::Node &node);

} // namespace toscac::sema

#endif
