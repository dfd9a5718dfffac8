//===- toscac/Value/Expr.h - Expressions ------------------------*- C++ -*-===//
///
/// \file
/// Values with function calls in them (TOSCA 2.0 §10.1), as trees in a
/// ValueArena. Where something known was written, the tree has a literal; Sema
/// keeps lists and maps as such, so that each entry has its place.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_EXPR_H
#define TOSCAC_VALUE_EXPR_H

#include "toscac/Basic/Name.h"
#include "toscac/Basic/SourceManager.h"
#include "toscac/Value/Value.h"

namespace toscac {

/// A built-in function, or Custom.
enum class Function : uint8_t {
#define FUNCTION(ID, ...) ID,
#include "toscac/Value/Functions.def"
  Custom
};

enum class ExprKind : uint8_t {
  Literal,
  List,
  Map,
  Call,
  /// The variable of an enclosing `$for_each`.
  Variable
};

class Expr {
public:
  static Expr literal(Value value, SourceRange range = {});
  /// \p items lie in the arena of the tree.
  static Expr list(llvm::ArrayRef<Expr> items, SourceRange range = {});
  /// \p children are keys and values in turn.
  static Expr map(llvm::ArrayRef<Expr> children, SourceRange range = {});
  /// A call of a built-in. `$f: x`, with an argument that is no list, is the
  /// same as `$f: [ x ]`.
  static Expr call(Function function, llvm::ArrayRef<Expr> arguments,
                   SourceRange range = {});
  static Expr customCall(Name function, llvm::ArrayRef<Expr> arguments,
                         SourceRange range = {});
  static Expr variable(Name name, SourceRange range = {});

  ExprKind kind() const { return exprKind; }
  bool is(ExprKind kind) const { return exprKind == kind; }
  bool isLiteral() const { return is(ExprKind::Literal); }
  bool isCall() const { return is(ExprKind::Call); }
  bool isCall(Function callee) const { return isCall() && callee == builtin; }
  SourceRange range() const { return sourceRange; }

  const Value &value() const {
    assert(isLiteral());
    return literalValue;
  }
  /// Items of a list, arguments of a call, keys and values of a map in turn.
  llvm::ArrayRef<Expr> children() const { return {first, numChildren}; }
  Function function() const {
    assert(isCall());
    return builtin;
  }
  /// Of a custom function or a variable.
  Name name() const { return symbol; }
  /// `equal`: what is called, without its dollar sign.
  llvm::StringRef functionName() const;

private:
  Expr(ExprKind kind, SourceRange range, llvm::ArrayRef<Expr> children = {})
      : first(children.data()), numChildren(children.size()), exprKind(kind),
        sourceRange(range) {}

  Value literalValue;
  const Expr *first;
  uint32_t numChildren;
  ExprKind exprKind;
  Function builtin = Function::Custom;
  Name symbol;
  SourceRange sourceRange;
};

/// \p expr with other children, which lie in the tree's arena.
Expr withChildren(const Expr &expr, llvm::ArrayRef<Expr> children);

/// \p expr in the form of plans: a call is a map with one key `$name` and a
/// list of arguments, or the name of an input; strings that start with a dollar
/// sign have it doubled.
void writeJSON(llvm::json::OStream &json, const Expr &expr);
void writeJSON(JSONWriter &json, const Expr &expr);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Expr &expr);

/// In TOSCA's flow style, for messages: `{ $greater_than: [ $value, 1 kg ] }`.
/// Long texts are cut.
std::string toText(const Expr &expr);
std::string toText(const Value &value);

} // namespace toscac

#endif
