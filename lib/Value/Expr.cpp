//===- Expr.cpp - Expressions ---------------------------------------------===//

#include "toscac/Value/Expr.h"

#include "toscac/Value/Functions.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

Expr Expr::literal(Value value, SourceRange range) {
  Expr result(ExprKind::Literal, range);
  result.literalValue = value;
  return result;
}

Expr Expr::list(ArrayRef<Expr> items, SourceRange range) {
  return Expr(ExprKind::List, range, items);
}

Expr Expr::map(ArrayRef<Expr> children, SourceRange range) {
  assert(children.size() % 2 == 0 && "keys and values in turn");
  return Expr(ExprKind::Map, range, children);
}

Expr Expr::call(Function function, ArrayRef<Expr> arguments,
                SourceRange range) {
  Expr result(ExprKind::Call, range, arguments);
  result.builtin = function;
  return result;
}

Expr Expr::customCall(Name function, ArrayRef<Expr> arguments,
                      SourceRange range) {
  Expr result(ExprKind::Call, range, arguments);
  result.symbol = function;
  return result;
}

Expr Expr::variable(Name name, SourceRange range) {
  Expr result(ExprKind::Variable, range);
  result.symbol = name;
  return result;
}

StringRef Expr::functionName() const {
  return function() == Function::Custom ? symbol.str() : info(builtin).name;
}

Expr toscac::withChildren(const Expr &expr, llvm::ArrayRef<Expr> children) {
  switch (expr.kind()) {
  case ExprKind::List:
    return Expr::list(children, expr.range());
  case ExprKind::Map:
    return Expr::map(children, expr.range());
  case ExprKind::Call:
    return expr.function() == Function::Custom
               ? Expr::customCall(expr.name(), children, expr.range())
               : Expr::call(expr.function(), children, expr.range());
  case ExprKind::Literal:
  case ExprKind::Variable:
    return expr;
  }
  llvm_unreachable("all kinds are handled");
}
