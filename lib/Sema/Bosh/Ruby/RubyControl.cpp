//===- RubyControl.cpp - Assignments, cases, loops and guards -----------===//

#include "RubyInterpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

bool RubyInterpreter::assign(const RubyNode &target, RubyValue value) {
  switch (target.kind) {
  case Kind::Name:
  case Kind::Constant:
    if (RubyValue *known = findVariable(target.text))
      *known = std::move(value);
    else
      scope->variables[target.text] = std::move(value);
    return true;
  case Kind::Variable:
    globals[target.text] = std::move(value);
    return true;
  case Kind::Call: {
    RubyValue self = evaluatePart(target, 0);
    std::vector<RubyValue> arguments;
    llvm::ArrayRef<RubyNodePtr> given(target.parts);
    if (isLeaving() || !evaluateItems(given.drop_front(), arguments))
      return false;
    arguments.push_back(std::move(value));
    callMethod(self, target.text + "=", std::move(arguments), {}, target);
    return !isLeaving();
  }
  default:
    unsupported(target, "this assignment");
    return false;
  }
}

bool RubyInterpreter::assignAll(llvm::ArrayRef<RubyNodePtr> targets,
                                const RubyValue &value) {
  std::vector<RubyValue> items =
      value.isList() ? value.items() : std::vector<RubyValue>{value};
  size_t next = 0;
  for (auto [i, target] : llvm::enumerate(targets)) {
    bool isSplat = target->kind == Kind::Splat;
    RubyValue part;
    if (isSplat) {
      size_t after = targets.size() - i - 1;
      part = RubyValue::list();
      while (next + after < items.size())
        part.items().push_back(items[next++]);
    } else if (next < items.size()) {
      part = items[next++];
    }
    if (!assign(isSplat ? *target->parts[0] : *target, std::move(part)))
      return false;
  }
  return true;
}

RubyValue RubyInterpreter::evaluateAssign(const RubyNode &node) {
  const RubyNode &target = *node.parts[0];
  if (node.text.empty()) {
    RubyValue value = evaluatePart(node, 1);
    if (isLeaving() || !assign(target, value))
      return {};
    return value;
  }
  bool isUnset = (target.kind == Kind::Name && !findVariable(target.text)) ||
                 (target.kind == Kind::Variable && !globals.count(target.text));
  RubyValue old = isUnset ? RubyValue() : evaluate(target);
  if (isLeaving())
    return {};
  if ((node.text == "||" && old.isTruthy()) ||
      (node.text == "&&" && !old.isTruthy()))
    return old;
  RubyValue value = evaluatePart(node, 1);
  if (isLeaving())
    return {};
  if (node.text != "||" && node.text != "&&")
    value = callMethod(old, node.text, {value}, {}, node);
  if (isLeaving() || !assign(target, value))
    return {};
  return value;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// `===`
bool RubyInterpreter::matches(const RubyValue &pattern, const RubyValue &value,
                              const RubyNode &node) {
  using VKind = RubyValue::Kind;
  if (pattern.is(VKind::Class))
    return callMethod(value, "is_a?", {pattern}, {}, node).isTruthy();
  if (pattern.is(VKind::Regexp))
    return (value.isText() || value.is(VKind::Symbol)) &&
           !callMethod(RubyValue::text(value.asText()), "=~", {pattern}, {},
                       node)
                .isNil();
  if (pattern.is(VKind::Range))
    return callMethod(pattern, "include?", {value}, {}, node).isTruthy();
  return pattern == value;
}

RubyValue RubyInterpreter::evaluateCase(const RubyNode &node) {
  bool hasSubject = node.parts[0] != nullptr;
  RubyValue subject = evaluatePart(node, 0);
  for (size_t i = 1; i + 1 < node.parts.size(); ++i) {
    const RubyNode &when = *node.parts[i];
    std::vector<RubyValue> values;
    if (isLeaving() ||
        !evaluateItems(llvm::ArrayRef(when.parts).drop_back(), values))
      return {};
    for (const RubyValue &value : values)
      if (hasSubject ? matches(value, subject, when) : value.isTruthy())
        return evaluate(*when.parts.back());
    if (isLeaving())
      return {};
  }
  return evaluatePart(node, node.parts.size() - 1);
}

RubyValue RubyInterpreter::evaluateLoop(const RubyNode &node) {
  auto turn = [&] {
    evaluatePart(node, 1);
    if (leaving == Leaving::Next)
      leaving = Leaving::No;
    return !isLeaving() && takeStep(node);
  };
  if (node.kind == Kind::While) {
    while (takeStep(node)) {
      bool holds = evaluatePart(node, 0).isTruthy() != node.isFlag;
      if (isLeaving() || !holds || !turn())
        break;
    }
  } else {
    RubyValue list = evaluatePart(node, 0);
    if (!isLeaving() && !list.isList())
      list = callMethod(list, "to_a", {}, {}, node);
    if (isLeaving() || !list.isList())
      return {};
    std::vector<RubyValue> items = list.items();
    for (const RubyValue &item : items)
      if (!bind(node.parameters, {item}, false, node) || !turn())
        break;
  }
  if (leaving == Leaving::Break) {
    leaving = Leaving::No;
    return carried;
  }
  return {};
}

/// Whether an exception of class \p thrown is one of class \p caught.
static bool isKindOf(StringRef thrown, StringRef caught) {
  return caught == thrown || caught == "StandardError" ||
         caught == "Exception" || thrown.ends_with(caught.str());
}

RubyValue RubyInterpreter::evaluateGuarded(const RubyNode &node) {
  RubyValue result = evaluatePart(node, 0);
  for (size_t i = 1; i < node.parts.size() && leaving == Leaving::Raise; ++i) {
    const RubyNode &rescue = *node.parts[i];
    RubyValue exception = carried;
    leaving = Leaving::No;
    bool isMeant = rescue.parts.size() == 1;
    for (size_t c = 0; c + 1 < rescue.parts.size(); ++c)
      isMeant |= isKindOf(exception.asText(), toText(evaluatePart(rescue, c)));
    if (!isMeant) {
      leaving = Leaving::Raise;
      carried = exception;
      continue;
    }
    if (!rescue.text.empty())
      scope->variables[rescue.text] = exception;
    result = evaluate(*rescue.parts.back());
    break;
  }
  if (!node.otherwise)
    return result;
  llvm::SaveAndRestore keep(leaving, Leaving::No);
  RubyValue kept = carried;
  evaluate(*node.otherwise);
  carried = kept;
  return result;
}
