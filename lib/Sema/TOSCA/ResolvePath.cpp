//===- ResolvePath.cpp - TOSCA Paths over types ---------------------------===//

#include "CheckExpression.h"

using namespace toscac;
using namespace toscac::sema;

const Type *sema::typeOfQuery(Program &, const ExprContext &, const Expr &) {
  return nullptr;
}
