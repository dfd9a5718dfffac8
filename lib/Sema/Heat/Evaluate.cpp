//===- Evaluate.cpp - Values with functions in them -----------------------===//
///
/// \file
/// A map with one key that names a function is a call. Calls of which all
/// arguments are known are evaluated. What depends on attributes becomes an
/// expression that the plan evaluates; a function that has no counterpart there
/// stays as it was written, with its arguments evaluated, for the handler that
/// creates the resource.
///
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "ScalarValue.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

static SmallVector<Expr> copy(llvm::ArrayRef<const Expr *> parts) {
  SmallVector<Expr> result;
  for (const Expr *part : parts)
    result.push_back(*part);
  return result;
}

static bool areLiterals(llvm::ArrayRef<const Expr *> parts) {
  return llvm::all_of(parts,
                      [](const Expr *part) { return part->isLiteral(); });
}

const Expr *Composer::list(llvm::ArrayRef<const Expr *> items,
                           SourceRange range) {
  if (!areLiterals(items))
    return arena.make(
        Expr::list(arena.save(llvm::ArrayRef<Expr>(copy(items))), range));
  SmallVector<Value> values;
  for (const Expr *item : items)
    values.push_back(item->value());
  return literal(arena.list(values), range);
}

const Expr *Composer::map(llvm::ArrayRef<const Expr *> parts,
                          SourceRange range) {
  if (!areLiterals(parts))
    return arena.make(
        Expr::map(arena.save(llvm::ArrayRef<Expr>(copy(parts))), range));
  SmallVector<MapEntry> entries;
  for (size_t i = 0; i < parts.size(); i += 2)
    entries.push_back({parts[i]->value(), parts[i + 1]->value()});
  return literal(arena.map(entries), range);
}

const Expr *Composer::call(Function function,
                           llvm::ArrayRef<const Expr *> arguments,
                           SourceRange range) {
  return arena.make(Expr::call(
      function, arena.save(llvm::ArrayRef<Expr>(copy(arguments))), range));
}

const Expr *Composer::callAsWritten(StringRef function, const Expr *argument,
                                    SourceRange range) {
  Expr parts[] = {Expr::literal(arena.string(function), range), *argument};
  return arena.make(Expr::map(arena.save(llvm::ArrayRef<Expr>(parts)), range));
}

bool heat::isCallAsWritten(const Expr &expr) {
  return expr.is(ExprKind::Map) && expr.children().size() == 2 &&
         expr.children()[0].isLiteral() &&
         expr.children()[0].value().isString() &&
         (findFunction(expr.children()[0].value().asString(), false) ||
          findFunction(expr.children()[0].value().asString(), true));
}

Value Composer::plainValue(const Node &node) {
  if (node.isNull())
    return Value();
  if (node.isScalar())
    return sema::scalarValue(node, arena);
  if (node.isSequence()) {
    SmallVector<Value> items;
    for (const Node &item : node.items())
      items.push_back(plainValue(item));
    return arena.list(items);
  }
  SmallVector<MapEntry> entries;
  for (const Entry &entry : node.entries())
    entries.push_back({plainValue(entry.key), plainValue(entry.value)});
  return arena.map(entries);
}

/// The function that \p node calls, or null. Warns where the version of the
/// template makes it plain data.
static const FunctionInfo *calledFunction(Composer &composer, const Node &node,
                                          const Scope &scope) {
  if (!node.isMapping() || node.entries().size() != 1 ||
      !node.entries().front().key.isScalar())
    return nullptr;
  const Node &key = node.entries().front().key;
  bool isCfn = scope.stack.source->isCfn;
  const FunctionInfo *function = findFunction(key.text(), isCfn);
  if (!function) {
    // Of other maps with one key, the keys look otherwise.
    Suggestion meant(key.text(), functionNames(isCfn));
    StringRef mark = isCfn ? "Fn::" : "_";
    if (meant.name && meant.name->contains(mark) && key.text().contains(mark))
      meant.fixIn(composer.diags.report(key.range(), diag::HeatFunctionMisspelt,
                                        key.text(), meant.clause()),
                  key.range());
    return nullptr;
  }
  StringRef version = scope.stack.source->version.date;
  bool isTooOld = version < function->since;
  bool isTooNew = !function->until.empty() && version > function->until;
  if (!isTooOld && !isTooNew)
    return function;
  if (isTooOld)
    composer.diags.report(key.range(), diag::HeatFunctionVersion, key.text(),
                          "from", function->since, version);
  else
    composer.diags.report(key.range(), diag::HeatFunctionVersion, key.text(),
                          "up to", function->until, version);
  return nullptr;
}

static const Expr *evaluateCall(Composer &composer,
                                const FunctionInfo &function, const Node &node,
                                const Scope &scope) {
  if (function.ofNode)
    return function.ofNode(composer, node, scope);
  const Entry &call = node.entries().front();
  const Expr *argument = composer.evaluate(call.value, scope);
  if (!argument)
    return nullptr;
  auto asWritten = [&] {
    return composer.callAsWritten(function.name, argument, node.range());
  };
  if (!argument->isLiteral()) {
    const Expr *form = function.ofExpr
                           ? function.ofExpr(composer, *argument, node.range())
                           : nullptr;
    return form ? form : asWritten();
  }
  FunctionInfo::Outcome outcome =
      function.ofValue(argument->value(), composer.arena);
  if (outcome.isLater)
    return asWritten();
  if (outcome.problem.empty())
    return composer.literal(outcome.value, node.range());
  composer.diags.report(call.value.range(), diag::HeatFunctionArgument,
                        function.name, outcome.problem);
  return nullptr;
}

/// Evaluates items of a list, or keys and values of a map in turn. An `if`
/// without an else part leaves its item out.
static bool evaluateParts(Composer &composer, const Node &node,
                          const Scope &scope,
                          llvm::SmallVectorImpl<const Expr *> &parts) {
  bool isGood = true;
  auto isLeftOut = [&](const Node &part) {
    const FunctionInfo *function = calledFunction(composer, part, scope);
    const Node *argument = function ? &part.entries().front().value : nullptr;
    return function && function->ofNode == decide && argument->isSequence() &&
           scope.stack.source->version.isAtLeast(elseIsOptional) &&
           argument->items().size() == 2 &&
           composer.evaluateCondition(argument->items().front(), scope) ==
               Truth::False;
  };
  auto add = [&](const Node &part) {
    const Expr *value = composer.evaluate(part, scope);
    isGood &= value != nullptr;
    parts.push_back(value);
  };
  if (node.isSequence()) {
    for (const Node &item : node.items())
      if (!isLeftOut(item))
        add(item);
    return isGood;
  }
  for (const Entry &entry : node.entries()) {
    if (isLeftOut(entry.value))
      continue;
    add(entry.key);
    add(entry.value);
  }
  return isGood;
}

/// Writes the index of a group's member into \p text.
static std::string writeIndex(StringRef text, const StackResource &member) {
  std::string result;
  while (true) {
    size_t at = member.indexVariable.empty() ? StringRef::npos
                                             : text.find(member.indexVariable);
    result += text.take_front(at);
    if (at == StringRef::npos)
      return result;
    result += member.index;
    text = text.drop_front(at + member.indexVariable.size());
  }
}

const Expr *Composer::evaluateOnce(const Node &node, const Scope &scope) {
  assert(!scope.uses && !scope.reveals && "such a value is told to nobody");
  auto key = std::tuple(&node, &scope.stack, scope.member);
  auto known = evaluated.find(key);
  if (known != evaluated.end())
    return known->second;
  const Expr *value = evaluate(node, scope);
  return evaluated[key] = value;
}

const Expr *Composer::evaluate(const Node &node, const Scope &scope) {
  if (node.isNull())
    return literal(Value(), node.range());
  if (node.isScalar()) {
    Value value = sema::scalarValue(node, arena);
    if (scope.member && value.isString())
      value = arena.string(writeIndex(value.asString(), *scope.member));
    return literal(value, node.range());
  }
  if (depth >= maxDepth) {
    diags.report(node.range(), diag::HeatCycle, scope.stack.file->path);
    return nullptr;
  }
  ++depth;
  const Expr *result = nullptr;
  if (const FunctionInfo *function = calledFunction(*this, node, scope)) {
    result = evaluateCall(*this, *function, node, scope);
  } else {
    SmallVector<const Expr *> parts;
    if (evaluateParts(*this, node, scope, parts))
      result = node.isSequence() ? list(parts, node.range())
                                 : map(parts, node.range());
  }
  --depth;
  bool isTooLarge =
      result && result->isLiteral() && result->value().weight() > maxParts;
  if (!isTooLarge)
    return result;
  diags.report(node.range(), diag::HeatTooLarge, maxParts);
  return nullptr;
}
