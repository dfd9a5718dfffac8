//===- ResolvePath.cpp - Queries over types -------------------------------===//
///
/// \file
/// What the graph queries of an expression lead to, as far as types tell:
/// inputs by name (TOSCA 2.0 §10.2.1.1), properties and attributes by TOSCA
/// Path (§10.3).
///
/// A path is followed while each step has one possible meaning; behind a step
/// whose target only expansion knows, its type is unknown.
///
//===----------------------------------------------------------------------===//

#include "CheckExpression.h"

#include "ServiceScope.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

/// The text of a literal step; empty for an index or a call.
static StringRef wordOf(const Expr &step) {
  bool isWord = step.isLiteral() && step.value().isString();
  return isWord ? step.value().asString() : StringRef();
}

static void reportUnknown(Program &program, StringRef noun, const Expr &step,
                          llvm::ArrayRef<StringRef> known) {
  StringRef name = wordOf(step);
  auto nearest = nearestName(name, known);
  std::string hint =
      nearest ? ("; did you mean '" + *nearest + "'?").str() : std::string();
  program.diags.report(step.range(), diag::UnknownName, noun, name, hint);
}

/// The type of what the names and indices \p steps lead to inside \p type.
static const Type *nested(const Type *type, llvm::ArrayRef<Expr> steps) {
  for (const Expr &step : steps) {
    if (!type)
      return nullptr;
    if (type->is(TypeKind::Record)) {
      const Property *property = type->findProperty(wordOf(step));
      type = property ? property->type : nullptr;
    } else {
      type = type->entry;
    }
  }
  return type;
}

static const Type *typeOfInput(Program &program, const ExprContext &context,
                               llvm::ArrayRef<Expr> steps) {
  StringRef name = steps.empty() ? StringRef() : wordOf(steps.front());
  if (name.empty() || (!context.service && !context.workflowInputs))
    return nullptr;
  const Flat *input = nullptr;
  llvm::SmallVector<StringRef> known;
  if (context.workflowInputs) {
    input = context.workflowInputs->lookup(name);
    known = namesOf(*context.workflowInputs);
  }
  if (!input && context.service) {
    input = context.service->inputs.lookup(name);
    llvm::append_range(known, namesOf(context.service->inputs));
  }
  if (input)
    return nested(&typeOf(program, *input), steps.drop_front());
  reportUnknown(program, "input", steps.front(), known);
  return nullptr;
}

namespace {

/// Follows a TOSCA Path from one flat type to the next.
class PathFollower {
public:
  PathFollower(Program &program, const ExprContext &context,
               llvm::ArrayRef<Expr> steps, bool wantsAttribute)
      : program(program), context(context), steps(steps),
        wantsAttribute(wantsAttribute) {}

  const Type *follow();

private:
  /// The entity where the path starts; null if only expansion knows.
  const Flat *start();
  /// Takes steps from \p at on; null if only expansion knows where they lead.
  const Flat *walk(const Flat *at);
  const Flat *throughCapability(const Flat &at);
  const Type *valueIn(const Flat &at);

  bool atWord(StringRef word) const {
    return !steps.empty() && wordOf(steps.front()) == word;
  }
  void take(size_t count = 1) {
    steps = steps.drop_front(std::min(count, steps.size()));
  }

  Program &program;
  const ExprContext &context;
  llvm::ArrayRef<Expr> steps;
  bool wantsAttribute;
  /// Whether the path leads to all instances, whose values are a list.
  bool takesAll = false;
};

} // namespace

const Flat *PathFollower::start() {
  if (atWord("SELF")) {
    take();
    return context.self;
  }
  if (!context.service)
    return nullptr;
  auto node = context.service->nodes.find(wordOf(steps.front()));
  auto relationship =
      context.service->relationships.find(wordOf(steps.front()));
  bool isNode = node != context.service->nodes.end();
  if (!isNode && relationship == context.service->relationships.end()) {
    // A property of the entity itself: SELF may be left out.
    if (context.self)
      return context.self;
    if (!wordOf(steps.front()).empty()) {
      auto known = namesOf(context.service->nodes);
      llvm::append_range(known, namesOf(context.service->relationships));
      reportUnknown(program, "node or relationship template", steps.front(),
                    known);
    }
    return nullptr;
  }
  take();
  // An index chooses among instances, which are all of one type.
  takesAll = atWord("ALL");
  bool hasIndex = !steps.empty() && steps.size() > 1 &&
                  (takesAll || !steps.front().isLiteral() ||
                   steps.front().value().isInteger());
  if (hasIndex)
    take();
  return isNode ? node->second.flat() : relationship->second.flat();
}

const Flat *PathFollower::throughCapability(const Flat &at) {
  take();
  const Flat::Members &capabilities = at.members(Key::Capabilities);
  if (at.kind != EntityKind::NodeType || steps.empty() || atWord("ALL"))
    return nullptr;
  const Flat *capability = capabilities.lookup(wordOf(steps.front()));
  if (!capability) {
    reportUnknown(program, "capability", steps.front(), namesOf(capabilities));
    return nullptr;
  }
  take();
  return capability;
}

const Flat *PathFollower::walk(const Flat *at) {
  while (at && !steps.empty()) {
    if (atWord("CAPABILITY")) {
      at = throughCapability(*at);
      continue;
    }
    bool leavesEntity = atWord("RELATIONSHIP") || atWord("SOURCE") ||
                        atWord("TARGET") || atWord("INTERFACE");
    if (leavesEntity)
      return nullptr;
    break;
  }
  return at;
}

const Type *PathFollower::valueIn(const Flat &at) {
  if (steps.empty() || wordOf(steps.front()).empty() || !at.valid)
    return nullptr;
  StringRef name = wordOf(steps.front());
  const Flat *definition = nullptr;
  // Every property is an attribute as well (TOSCA 2.0 §9.5).
  if (wantsAttribute)
    definition = at.member(Key::Attributes, name);
  if (!definition)
    definition = at.member(Key::Properties, name);
  if (definition)
    return nested(&typeOf(program, *definition), steps.drop_front());
  if (wantsAttribute && name == "node_index")
    return &builtinType(TypeKind::Integer);
  auto known = namesOf(at.members(Key::Properties));
  if (wantsAttribute)
    llvm::append_range(known, namesOf(at.members(Key::Attributes)));
  reportUnknown(program, wantsAttribute ? "attribute" : "property",
                steps.front(), known);
  return nullptr;
}

const Type *PathFollower::follow() {
  const Flat *at = walk(start());
  const Type *type = at ? valueIn(*at) : nullptr;
  return type && takesAll ? &listOf(*type, program.arena) : type;
}

const Type *sema::typeOfQuery(Program &program, const ExprContext &context,
                              const Expr &call) {
  llvm::ArrayRef<Expr> steps = call.children();
  switch (call.function()) {
  case Function::GetInput:
    return typeOfInput(program, context, steps);
  case Function::GetProperty:
  case Function::GetAttribute:
    if (steps.empty())
      return nullptr;
    return PathFollower(program, context, steps,
                        call.isCall(Function::GetAttribute))
        .follow();
  case Function::NodeIndex:
  case Function::RelationshipIndex:
    return &builtinType(TypeKind::Integer);
  case Function::GetArtifact:
    return &builtinType(TypeKind::String);
  default:
    return nullptr;
  }
}
