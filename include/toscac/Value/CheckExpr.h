//===- toscac/Value/CheckExpr.h - Types of expressions ----------*- C++ -*-===//
///
/// \file
/// Types of expressions before anything is evaluated: every call of a built-in
/// is checked against its signature, and the whole against the type that is
/// wanted where it stands.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_CHECKEXPR_H
#define TOSCAC_VALUE_CHECKEXPR_H

#include "toscac/Value/Environment.h"
#include "toscac/Value/Type.h"

namespace toscac {

/// The type of a call that only the caller understands: a query, `$value` or a
/// custom function. Null where it is not known. The caller checks the
/// arguments of custom functions; those of queries have been checked for
/// number and kind.
using TypeOfCall = llvm::function_ref<const Type *(
    const Expr &call, llvm::ArrayRef<const Type *> arguments)>;

/// The type of \p expr, or null after a problem in it.
const Type *inferType(const Expr &expr, TypeOfCall typeOfCall,
                      ValueArena &arena, ReportProblem report);

/// Checks that \p expr, whose calls inferType() has accepted, can stand where
/// \p type is wanted: what \p environment knows is evaluated and checked as a
/// value, the rest by its type. Returns the expression with all that is known
/// folded and converted, or null after a problem. Problems stand at the parts
/// of \p expr that are at fault.
const Expr *checkExpr(const Expr &expr, const Type &type, TypeOfCall typeOfCall,
                      Environment &environment, ValueArena &arena,
                      ReportProblem report);

} // namespace toscac

#endif
