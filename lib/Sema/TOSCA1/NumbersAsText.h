//===- NumbersAsText.h - Numbers where TOSCA 1.x wants text -----*- C++ -*-===//
///
/// \file
/// Tools of TOSCA 1.x hand values to scripts, so that nobody quotes numbers: a
/// password of digits, a port that becomes part of an address.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_TOSCA1_NUMBERSASTEXT_H
#define TOSCAC_SEMA_TOSCA1_NUMBERSASTEXT_H

#include "TOSCA/Values/CheckExpression.h"
#include "toscac/Value/CheckExpr.h"

namespace toscac::sema {

/// \p expr, which was made from \p node, with text where \p type wants strings
/// and there are numbers: as they are written in a template, or as functions
/// give them. A warning names each.
const Expr *takeAsText(Program &program, const ExprContext &context,
                       const syntax::Node &node, const Expr &expr,
                       const Type &type, TypeOfCall typeOfCall);

} // namespace toscac::sema

#endif
