//===- Conditions.cpp - What holds for a stack ----------------------------===//

#include "Composer.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Node;

static Truth truthOf(bool value) { return value ? Truth::True : Truth::False; }

void Composer::reportNotKnown(SourceRange place, StringRef what) {
  // Where something is wrong already, that may be why.
  if (detail == Detail::Values && !diags.hasErrors() && !isOpen)
    diags.report(place, diag::HeatConditionNotKnown, what);
}

Truth Composer::namedCondition(StringRef name, SourceRange place,
                               const Scope &scope) {
  const auto &conditions = scope.stack.source->conditions;
  auto found = llvm::find_if(conditions, [&](const ConditionDef &condition) {
    return condition.name.text == name;
  });
  if (found == conditions.end()) {
    auto report = diags.report(place, diag::HeatUndefined, "condition", name);
    std::vector<StringRef> names;
    for (const ConditionDef &condition : conditions)
      names.push_back(condition.name.text);
    Suggestion(name, names).noteOn(report);
    return Truth::Unknown;
  }
  std::pair<const Stack *, const ConditionDef *> key{&scope.stack, &*found};
  if (!evaluating.insert(key).second) {
    diags.report(found->name.range, diag::HeatCycle, name);
    return Truth::Unknown;
  }
  Truth result = evaluateCondition(*found->value, scope);
  evaluating.erase(key);
  return result;
}

/// `and` is false, and `or` true, whatever is unknown, if one of them is.
static Truth combine(Composer &composer, const Node &call, bool isAnd,
                     const Scope &scope) {
  const Node &list = call.entries().front().value;
  if (!list.isSequence() || list.items().size() < 2) {
    composer.diags.report(list.range(), diag::HeatFunctionArgument,
                          isAnd ? "and" : "or",
                          "takes a list of two or more conditions");
    return Truth::Unknown;
  }
  Truth result = truthOf(isAnd);
  for (const Node &item : list.items()) {
    Truth part = composer.evaluateCondition(item, scope);
    if (part == truthOf(!isAnd))
      result = part;
    else if (part == Truth::Unknown && result == truthOf(isAnd))
      result = part;
  }
  return result;
}

Truth Composer::evaluateCondition(const Node &node, const Scope &outer) {
  Scope scope = outer;
  scope.reveals = true;
  if (node.isScalar() && node.scalarType() == syntax::ScalarType::Boolean)
    return truthOf(node.text().starts_with_insensitive("t"));
  if (node.isScalar())
    return namedCondition(node.text(), node.range(), scope);
  if (node.isMapping() && node.entries().size() == 1 &&
      node.entries().front().key.isScalar()) {
    StringRef name = node.entries().front().key.text();
    const Node *argument = &node.entries().front().value;
    bool isCfn = scope.stack.source->isCfn;
    if (isCfn && !name.consume_front("Fn::"))
      name = "";
    if (name.equals_insensitive("and") || name.equals_insensitive("or"))
      return combine(*this, node, name.equals_insensitive("and"), scope);
    // CloudFormation has it with a list of one.
    if (isCfn && argument->isSequence() && argument->items().size() == 1)
      argument = &argument->items().front();
    if (name.equals_insensitive("not")) {
      Truth inner = evaluateCondition(*argument, scope);
      return inner == Truth::Unknown ? inner : truthOf(inner == Truth::False);
    }
  }
  const Expr *value = evaluate(node, scope);
  if (value && value->isLiteral() && !value->value().isBoolean())
    diags.report(node.range(), diag::HeatNotACondition, toText(value->value()));
  bool isKnown = value && value->isLiteral() && value->value().isBoolean();
  return isKnown ? truthOf(value->value().isTrue()) : Truth::Unknown;
}

static const Expr *leaveCall(Composer &composer, const Node &call) {
  const syntax::Entry &entry = call.entries().front();
  const Expr *argument = composer.literal(composer.plainValue(entry.value));
  return composer.callAsWritten(entry.key.text(), argument, call.range());
}

const Expr *heat::conditionValue(Composer &composer, const Node &call,
                                 const Scope &scope) {
  Truth truth = composer.evaluateCondition(call, scope);
  if (truth == Truth::Unknown)
    return leaveCall(composer, call);
  return composer.literal(Value::boolean(truth == Truth::True), call.range());
}

const Expr *heat::decide(Composer &composer, const Node &call,
                         const Scope &scope) {
  const Node &parts = call.entries().front().value;
  bool mayLackElse = scope.stack.source->version.isAtLeast(elseIsOptional);
  size_t numParts = parts.isSequence() ? parts.items().size() : 0;
  if (numParts != 3 && (numParts != 2 || !mayLackElse)) {
    composer.diags.report(parts.range(), diag::HeatFunctionArgument, "if",
                          "takes a condition and two values");
    return nullptr;
  }
  Truth truth = composer.evaluateCondition(parts.items()[0], scope);
  if (truth == Truth::Unknown) {
    composer.reportNotKnown(parts.items()[0].range(), "this value");
    return leaveCall(composer, call);
  }
  if (truth == Truth::True)
    return composer.evaluate(parts.items()[1], scope);
  return numParts == 3 ? composer.evaluate(parts.items()[2], scope)
                       : composer.literal(Value(), call.range());
}
