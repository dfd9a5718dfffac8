//===- RebasePaths.cpp - Expressions from another point of view -----------===//

#include "RebasePaths.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/Functions.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class Rewriter {
public:
  Rewriter(ValueArena &arena, ArrayRef<StringRef> way,
           const SubgraphState *inputs, ArrayRef<StringRef> inputWay)
      : arena(arena), way(way), inputs(inputs), inputWay(inputWay) {}

  Expr rewrite(const Expr &expr);

private:
  Expr rewriteInput(const Expr &call);
  ArrayRef<Expr> rewritePath(ArrayRef<Expr> words);
  ArrayRef<Expr> rewriteAll(ArrayRef<Expr> exprs);

  ValueArena &arena;
  ArrayRef<StringRef> way;
  const SubgraphState *inputs;
  ArrayRef<StringRef> inputWay;
};

} // namespace

static Expr word(StringRef text) { return Expr::literal(Value::string(text)); }

static bool isWord(const Expr &expr, StringRef text) {
  return expr.isLiteral() && expr.value().isString() &&
         expr.value().asString() == text;
}

ArrayRef<Expr> Rewriter::rewriteAll(ArrayRef<Expr> exprs) {
  llvm::SmallVector<Expr, 4> result;
  for (const Expr &expr : exprs)
    result.push_back(rewrite(expr));
  return arena.save(ArrayRef<Expr>(result));
}

/// A path starts at SELF, which may be left out before a keyword, at a
/// variable, or with the name of a node template.
ArrayRef<Expr> Rewriter::rewritePath(ArrayRef<Expr> words) {
  if (words.empty() || words.front().is(ExprKind::Variable))
    return rewriteAll(words);
  llvm::SmallVector<Expr, 8> result = {word("SELF")};
  for (StringRef step : way)
    result.push_back(word(step));
  if (isWord(words.front(), "SELF")) {
    words = words.drop_front();
  } else {
    static constexpr StringRef steps[] = {
        "RELATIONSHIP", "NODE",    "CAPABILITY", "SOURCE",  "TARGET", "SERVICE",
        "INSIDE",       "OUTSIDE", "INTERFACE",  "EARLIER", "LATER"};
    bool isStep = llvm::any_of(
        steps, [&](StringRef step) { return isWord(words.front(), step); });
    if (!isStep)
      result.push_back(word("NODE"));
  }
  llvm::append_range(result, rewriteAll(words));
  return arena.save(ArrayRef<Expr>(result));
}

Expr Rewriter::rewriteInput(const Expr &call) {
  if (!inputs || call.children().empty() ||
      !call.children().front().isLiteral())
    return call;
  StringRef name = call.children().front().value().asString();
  for (auto [definition, value] :
       llvm::zip(inputs->service->inputs, inputs->inputs)) {
    if (definition.name.str() != name || !value)
      continue;
    llvm::SmallVector<Value, 2> steps;
    for (const Expr &step : call.children().drop_front())
      if (step.isLiteral())
        steps.push_back(step.value());
    Evaluation part = select(*rebasePaths(arena, *value, inputWay, nullptr, {}),
                             steps, call.range(), arena);
    if (part.isKnown())
      return Expr::literal(part.value(), call.range());
    if (part.isUnknown())
      return *part.residual();
  }
  return call;
}

Expr Rewriter::rewrite(const Expr &expr) {
  if (expr.isCall(Function::GetInput))
    return rewriteInput(expr);
  if (expr.isCall(Function::GetProperty) ||
      expr.isCall(Function::GetAttribute) ||
      expr.isCall(Function::GetArtifact) ||
      expr.isCall(Function::AvailableAllocation))
    return withChildren(expr, rewritePath(expr.children()));
  if (isLoop(expr)) {
    const Expr &path = expr.children()[1];
    llvm::SmallVector<Expr, 8> words(path.children());
    if (path.isLiteral() && path.value().isList())
      for (const Value &item : path.value().items())
        words.push_back(Expr::literal(item));
    // What is left of a `$count` has its parts there.
    bool isPath =
        !words.empty() && !words.front().isCall() &&
        !(words.front().isLiteral() && words.front().value().isBoolean());
    ArrayRef<Expr> saved = arena.save(ArrayRef<Expr>(words));
    Expr parts[] = {expr.children()[0],
                    Expr::list(isPath ? rewritePath(saved) : rewriteAll(saved)),
                    rewrite(expr.children()[2])};
    return withChildren(expr, arena.save(ArrayRef<Expr>(parts)));
  }
  if (expr.children().empty())
    return expr;
  return withChildren(expr, rewriteAll(expr.children()));
}

const Expr *expanding::rebasePaths(ValueArena &arena, const Expr &expr,
                                   ArrayRef<StringRef> way,
                                   const SubgraphState *inputs,
                                   ArrayRef<StringRef> inputWay) {
  if (expr.isLiteral() || (way.empty() && !inputs))
    return &expr;
  return arena.make(Rewriter(arena, way, inputs, inputWay).rewrite(expr));
}
