//===- ResolveQuery.cpp - Queries over types ------------------------------===//
///
/// \file
/// What the graph queries of an expression lead to, as far as types tell:
/// inputs by name (TOSCA 2.0 §10.2.1.1), properties, attributes and artifacts
/// by TOSCA Path (§10.3).
///
//===----------------------------------------------------------------------===//

#include "FollowPath.h"
#include "TOSCA/Types/Expressions.h"
#include "TOSCA/Types/ServiceScope.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/DiagnosticsValue.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

/// Whether \p step can be an entry of a list: a whole number, be it quoted, or
/// what a call gives.
static bool checkIndex(Program &program, const Expr &step) {
  StringRef word = wordOf(step);
  if (word.empty() || llvm::all_of(word, llvm::isDigit) || word == "ALL")
    return true;
  std::string hint = didYouMean(word, {"$node_index", "$relationship_index"});
  program.diags.report(step.range(), diag::UnknownName, "index", word,
                       hint.empty() ? "; entries of a list are numbered from 0"
                                    : hint);
  return false;
}

const Type *sema::typeInside(Program &program, const Type *type,
                             llvm::ArrayRef<Expr> steps) {
  for (const Expr &step : steps) {
    if (!type || type->is(TypeKind::Any))
      return nullptr;
    if (type->is(TypeKind::Record)) {
      if (wordOf(step).empty())
        return nullptr;
      const Property *property = type->findProperty(wordOf(step));
      if (!property)
        reportUnknownStep(program, "property", step, namesOf(type->properties));
      type = property ? property->type : nullptr;
    } else if (type->is(TypeKind::List) || type->is(TypeKind::Map)) {
      if (type->is(TypeKind::List) && !checkIndex(program, step))
        return nullptr;
      type = type->entry;
    } else {
      program.diags.report(step.range(), diag::NoParts,
                           "a value of type '" + typeName(*type) + "'",
                           toText(step));
      return nullptr;
    }
  }
  return type;
}

static const Type *typeOfInput(Program &program, const ExprContext &context,
                               llvm::ArrayRef<Expr> steps) {
  StringRef name = steps.empty() ? StringRef() : wordOf(steps.front());
  if (!name.empty() && !context.service)
    program.inputsInTypes.insert(name);
  if (name.empty() || (!context.service && !context.workflowInputs))
    return nullptr;
  llvm::SmallVector<const Flat::Members *, 2> scopes;
  if (context.workflowInputs)
    scopes.push_back(context.workflowInputs);
  if (context.service)
    scopes.push_back(&context.service->inputs);
  for (const Flat::Members *inputs : scopes)
    if (const Flat *input = inputs->lookup(name)) {
      program.use(steps.front().range(), input);
      return typeInside(program, &typeOf(program, *input), steps.drop_front());
    }
  llvm::SmallVector<StringRef> known;
  for (const Flat::Members *inputs : scopes)
    llvm::append_range(known, namesOf(*inputs));
  reportUnknownStep(program, "input", steps.front(), known);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Values of entities
//===----------------------------------------------------------------------===//

/// A cell of the only interface that has one of this name.
static const Flat *cellOf(const Flat &owner, StringRef name) {
  const Flat *found = nullptr;
  for (const auto &[interfaceName, interface] : owner.members(Key::Interfaces))
    if (const Flat *cell = interface->member(Key::Attributes, name)) {
      if (found)
        return nullptr;
      found = cell;
    }
  return found;
}

/// Every property is an attribute as well (TOSCA 2.0 §9.5).
static const Flat *valueOf(const Flat &owner, StringRef name,
                           bool wantsAttribute) {
  const Flat *found = nullptr;
  if (wantsAttribute)
    found = owner.member(Key::Attributes, name);
  if (!found)
    found = owner.member(Key::Properties, name);
  if (!found && wantsAttribute)
    found = cellOf(owner, name);
  return found;
}

static void reportNoValue(Program &program, const Flat &owner, const Expr &step,
                          bool wantsAttribute, bool isElsewhere,
                          bool isFilter) {
  StringRef noun = wantsAttribute ? "attribute" : "property";
  if (isElsewhere) {
    program.diags.report(step.range(), diag::NotInEveryType, noun, wordOf(step),
                         owner.name.str());
    return;
  }
  auto known = namesOf(owner.members(Key::Properties));
  if (wantsAttribute)
    llvm::append_range(known, namesOf(owner.members(Key::Attributes)));
  if (!isFilter)
    return reportUnknownStep(program, noun, step, known);
  program.diags.report(step.range(), diag::UnknownInFilter, noun, wordOf(step),
                       didYouMean(wordOf(step), known));
}

/// The type of the value that \p path ends in; null if it is not known, or not
/// the same for all types that it may lead to.
static const Type *typeOfValue(Program &program, const ExprContext &context,
                               const FollowedPath &path, bool wantsAttribute) {
  const Place &place = path.place;
  StringRef name = path.rest.empty() ? StringRef() : wordOf(path.rest.front());
  if (place.kind == Place::Unknown || name.empty())
    return nullptr;
  llvm::SmallVector<const Flat *, 2> found;
  const Flat *lacking = nullptr;
  for (const Flat *type : place.types) {
    if (const Flat *value = valueOf(*type, name, wantsAttribute)) {
      program.use(path.rest.front().range(), value);
      found.push_back(value);
    } else if (type->valid) {
      lacking = type;
    }
  }
  if (wantsAttribute && name == "node_index" && found.empty())
    return &builtinType(TypeKind::Integer);
  // Outputs of operations are attributes that nobody declares.
  if (context.scope.isOlder() && found.empty() && name.count('.') >= 2)
    return nullptr;
  if (lacking && (!place.isChoice || found.empty())) {
    reportNoValue(program, *lacking, path.rest.front(), wantsAttribute,
                  !found.empty(), context.isFilter && lacking == context.self);
    return nullptr;
  }
  const Type *common = nullptr;
  for (const Flat *value : found) {
    const Type *type = &typeOf(program, *value);
    if (common && common != type)
      return nullptr;
    common = type;
  }
  return typeInside(program, common, path.rest.drop_front());
}

static const Type *typeOfPath(Program &program, const ExprContext &context,
                              const Expr &call) {
  if (call.children().empty())
    return nullptr;
  FollowedPath path = followPath(program, context, call.children());
  const Type *type =
      typeOfValue(program, context, path, !call.isCall(Function::GetProperty));
  return type && path.takesAll ? &listOf(*type, program.arena) : type;
}

void sema::checkAttributePath(Program &program, const ExprContext &context,
                              const syntax::Node &node, const Flat *output) {
  const Expr *steps =
      node.isSequence() ? toExpr(program, context.scope, node) : nullptr;
  if (!steps || steps->children().empty())
    return;
  FollowedPath path = followPath(program, context, steps->children());
  const Type *stored =
      typeOfValue(program, context, path, /*wantsAttribute=*/true);
  if (!stored || !output || !output->valid)
    return;
  const Type &given = typeOf(program, *output);
  if (compatible(given, *stored) == Fit::Never)
    program.diags.report(node.range(), diag::IncompatibleMapping, "output",
                         output->name.str(), "'" + typeName(given) + "'",
                         "attribute", toText(path.rest.back()),
                         "'" + typeName(*stored) + "'");
}

/// The name of an artifact of the node, which its template may add to those of
/// its type (TOSCA 2.0 §10.2.1.4).
static void checkArtifact(Program &program, const ExprContext &context,
                          llvm::ArrayRef<Expr> steps) {
  if (steps.empty())
    return;
  FollowedPath path = followPath(program, context, steps);
  const Template *node = path.place.node;
  if (path.place.kind != Place::Node || !node || path.rest.size() != 1 ||
      wordOf(path.rest.front()).empty() || !node->flat()->valid)
    return;
  auto known = namesOf(node->flat()->members(Key::Artifacts));
  if (const Field *field = node->find(Key::Artifacts))
    for (const Entity &artifact : field->entities)
      known.push_back(artifact.name.str());
  if (!llvm::is_contained(known, wordOf(path.rest.front())))
    reportUnknownStep(program, "artifact", path.rest.front(), known);
}

/// What can be allocated from is a number of a capability (TOSCA 2.0
/// §10.2.1.8).
static const Type *typeOfAllocation(Program &program,
                                    const ExprContext &context,
                                    const Expr &call) {
  if (call.children().empty())
    return nullptr;
  FollowedPath path = followPath(program, context, call.children());
  if (path.place.kind != Place::Unknown &&
      path.place.kind != Place::Capability) {
    program.diags.report(call.range(), diag::NotACapability);
    return nullptr;
  }
  const Type *type =
      typeOfValue(program, context, path, /*wantsAttribute=*/false);
  bool isNumber = !type || type->is(TypeKind::Any) ||
                  type->is(TypeKind::Integer) || type->is(TypeKind::Float) ||
                  type->is(TypeKind::Scalar);
  if (!isNumber)
    program.diags.report(call.range(), diag::NotAllocatable,
                         wordOf(path.rest.front()), typeName(*type));
  return isNumber ? type : nullptr;
}

const Type *sema::typeOfQuery(Program &program, const ExprContext &context,
                              const Expr &call) {
  llvm::ArrayRef<Expr> steps = call.children();
  switch (call.function()) {
  case Function::GetInput:
    return typeOfInput(program, context, steps);
  case Function::GetProperty:
  case Function::GetAttribute:
    return typeOfPath(program, context, call);
  case Function::AvailableAllocation:
    return typeOfAllocation(program, context, call);
  case Function::NodeIndex:
  case Function::RelationshipIndex:
    return &builtinType(TypeKind::Integer);
  case Function::GetArtifact:
    checkArtifact(program, context, steps);
    return &builtinType(TypeKind::String);
  default:
    return nullptr;
  }
}
