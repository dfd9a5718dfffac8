//===- NumbersAsText.cpp - Numbers where TOSCA 1.x wants text -------------===//

#include "NumbersAsText.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using syntax::Node;

namespace {

class TextTaker {
public:
  TextTaker(Program &program, const ExprContext &context, TypeOfCall typeOfCall)
      : program(program), context(context), typeOfCall(typeOfCall) {}

  Expr take(const Node &node, const Expr &expr, const Type *type);

private:
  Expr takeLiteral(const Node &node, const Expr &expr);
  Expr takeCall(const Expr &expr);
  Expr takeParts(const Node &node, const Expr &expr, const Type &type);

  Program &program;
  const ExprContext &context;
  TypeOfCall typeOfCall;
};

} // namespace

/// What stands in a type is its author's, who can say what is meant.
Expr TextTaker::takeLiteral(const Node &node, const Expr &expr) {
  if (!expr.value().isNumber() || !context.service)
    return expr;
  program.diags.report(expr.range(), diag::NumberAsText, node.text());
  return Expr::literal(Value::string(node.text()), expr.range());
}

Expr TextTaker::takeCall(const Expr &expr) {
  const Type *found =
      inferType(expr, typeOfCall, program.arena, [](const Problem &) {});
  bool isPlain =
      found && (found->is(TypeKind::Integer) || found->is(TypeKind::Float) ||
                found->is(TypeKind::Boolean));
  if (!isPlain)
    return expr;
  program.diags.report(expr.range(), diag::ResultAsText, expr.functionName(),
                       typeName(*found));
  Expr list =
      Expr::list(program.arena.save(llvm::ArrayRef<Expr>(expr)), expr.range());
  return Expr::call(Function::Join,
                    program.arena.save(llvm::ArrayRef<Expr>(list)),
                    expr.range());
}

Expr TextTaker::takeParts(const Node &node, const Expr &expr,
                          const Type &type) {
  bool isList = expr.is(ExprKind::List) && node.isSequence();
  llvm::SmallVector<Expr> parts(expr.children());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (isList) {
      parts[i] = take(node.items()[i], parts[i], type.entry);
      continue;
    }
    const Expr &key = parts[i++];
    const Property *property =
        type.is(TypeKind::Record) && key.isLiteral() && key.value().isString()
            ? type.findProperty(key.value().asString())
            : nullptr;
    parts[i] = take(node.entries()[i / 2].value, parts[i],
                    property ? property->type : type.entry);
  }
  llvm::ArrayRef<Expr> saved = program.arena.save(llvm::ArrayRef<Expr>(parts));
  return isList ? Expr::list(saved, expr.range())
                : Expr::map(saved, expr.range());
}

Expr TextTaker::take(const Node &node, const Expr &expr, const Type *type) {
  if (!type)
    return expr;
  bool isText = type->is(TypeKind::String);
  if (expr.isLiteral())
    return isText && node.isScalar() ? takeLiteral(node, expr) : expr;
  if (expr.isCall())
    return isText ? takeCall(expr) : expr;
  bool isList = expr.is(ExprKind::List) && node.isSequence() &&
                node.items().size() == expr.children().size();
  bool isMap = expr.is(ExprKind::Map) && node.isMapping() &&
               node.entries().size() * 2 == expr.children().size();
  return isList || isMap ? takeParts(node, expr, *type) : expr;
}

const Expr *sema::takeAsText(Program &program, const ExprContext &context,
                             const Node &node, const Expr &expr,
                             const Type &type, TypeOfCall typeOfCall) {
  return program.arena.make(
      TextTaker(program, context, typeOfCall).take(node, expr, &type));
}
