//===- Paths.h - Paths of TOSCA 1.x -----------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA1_PATHS_H
#define TOSCAC_LIB_SEMA_TOSCA1_PATHS_H

#include "TOSCA/Values/CheckExpression.h"

namespace toscac::sema {

/// \p expr, made of \p node of TOSCA 1.x as a value of \p type, with the paths
/// of TOSCA 2.0 in its queries. In 1.x a path leads through requirements and
/// capabilities by their names alone, so that types decide what a name is;
/// `HOST` is the nearest node below that has the value. What cannot be told
/// stays as it is.
const Expr *modernizeExpr(Program &program, const ExprContext &context,
                          const syntax::Node &node, const Expr &expr,
                          const Type &type);

} // namespace toscac::sema

#endif
