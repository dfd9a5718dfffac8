//===- References.cpp - Parameters, resources, attributes, files ----------===//

#include "Composer.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Node;

static const Node &argumentOf(const Node &call) {
  return call.entries().front().value;
}

static const Expr *failCall(Composer &composer, const Node &call,
                            StringRef problem) {
  composer.diags.report(argumentOf(call).range(), diag::HeatFunctionArgument,
                        call.entries().front().key.text(), problem);
  return nullptr;
}

/// The first word of an argument, and the evaluated rest; false after a report.
static bool readPath(Composer &composer, const Node &call, const Scope &scope,
                     Word &name, SmallVector<const Expr *> &rest) {
  const Node &argument = argumentOf(call);
  const Node *first = &argument;
  if (argument.isSequence())
    first = argument.items().empty() ? nullptr : &argument.items().front();
  if (!first || !first->isScalar()) {
    failCall(composer, call, "takes a name, or a list that starts with one");
    return false;
  }
  name = {first->text(), first->range()};
  if (argument.isSequence())
    for (const Node &item : argument.items().drop_front()) {
      rest.push_back(composer.evaluate(item, scope));
      if (!rest.back())
        return false;
    }
  return true;
}

/// What the key \p text leads to in \p value, whose parts are known; null where
/// it leads nowhere.
static const Expr *partOf(Composer &composer, const Expr &value, StringRef text,
                          SourceRange range) {
  size_t index;
  bool isIndex = !text.getAsInteger(10, index);
  if (value.isLiteral() && value.value().isMap()) {
    const Value *found = value.value().find(text);
    return found ? composer.literal(*found, range) : nullptr;
  }
  if (value.isLiteral() && value.value().isList()) {
    llvm::ArrayRef<Value> items = value.value().items();
    return isIndex && index < items.size()
               ? composer.literal(items[index], range)
               : nullptr;
  }
  if (value.is(ExprKind::List))
    return isIndex && index < value.children().size() ? &value.children()[index]
                                                      : nullptr;
  const Expr *found = nullptr;
  if (value.is(ExprKind::Map))
    for (size_t i = 0; i < value.children().size(); i += 2)
      if (value.children()[i].isLiteral() &&
          textOf(value.children()[i].value()) == text)
        found = &value.children()[i + 1];
  return found;
}

const Expr *heat::selectParts(Composer &composer, const Expr *value,
                              llvm::ArrayRef<const Expr *> keys,
                              SourceRange range) {
  for (const Expr *key : keys) {
    bool isKey = key->isLiteral() &&
                 (key->value().isString() || key->value().isInteger());
    bool isLater = isCallAsWritten(*key);
    if (key->isLiteral() && !isKey)
      return nullptr;
    if (value->isCall(Function::GetAttribute) && !isLater) {
      SmallVector<Expr> path(value->children());
      path.push_back(*key);
      value = composer.arena.make(withChildren(
          *value, composer.arena.save(llvm::ArrayRef<Expr>(path))));
      continue;
    }
    bool hasParts = value->isLiteral() || value->is(ExprKind::List) ||
                    (value->is(ExprKind::Map) && !isCallAsWritten(*value));
    if (hasParts && isKey) {
      value = partOf(composer, *value, textOf(key->value()), range);
    } else {
      const Expr *pair = composer.list({key, value}, range);
      value = composer.callAsWritten("Fn::Select", pair, range);
    }
    if (!value)
      return nullptr;
  }
  return value;
}

/// Reports that no \p noun of the stack, whose \p entries have names, is called
/// \p name.
template <typename Entries>
static void reportUndefined(Composer &composer, StringRef noun,
                            const Word &name, const Entries &entries) {
  auto report =
      composer.diags.report(name.range, diag::HeatUndefined, noun, name.text);
  std::vector<StringRef> names;
  for (const auto &entry : entries)
    names.push_back(entry.name.text);
  Suggestion(name.text, names).noteOn(report);
}

/// Parameters that Heat defines itself.
static const Expr *pseudoParameter(Composer &composer, StringRef name,
                                   const Scope &scope, const Node &call) {
  if (name == "OS::stack_name" || name == "AWS::StackName")
    return composer.literal(composer.arena.string(scope.stack.name),
                            call.range());
  if (name == "OS::stack_id" || name == "OS::project_id" ||
      name == "OS::region" || name == "AWS::StackId" || name == "AWS::Region")
    return composer.callAsWritten(
        "get_param",
        composer.literal(composer.arena.string(name), call.range()),
        call.range());
  return nullptr;
}

const Expr *heat::getParameter(Composer &composer, const Node &call,
                               const Scope &scope) {
  Word name;
  SmallVector<const Expr *> keys;
  if (!readPath(composer, call, scope, name, keys))
    return nullptr;
  const Expr *value = pseudoParameter(composer, name.text, scope, call);
  if (!value) {
    auto found = scope.stack.parameters.find(name.text);
    if (found == scope.stack.parameters.end()) {
      reportUndefined(composer, "parameter", name,
                      scope.stack.source->parameters);
      return nullptr;
    }
    value = composer.parameterValue(found->second, scope);
  }
  if (!value)
    return nullptr;
  const Expr *part = selectParts(composer, value, keys, call.range());
  // As in Heat: what a path leads to nowhere is empty.
  return part ? part : composer.literal(Value::string(""), call.range());
}

/// The resource \p name of the stack; null after a report.
static StackResource *useResource(Composer &composer, const Word &name,
                                  const Scope &scope) {
  if (StackResource *resource = scope.stack.find(name.text)) {
    if (scope.uses)
      scope.uses->insert(resource);
    return resource;
  }
  if (const Resource *off = scope.stack.source->findResource(name.text)) {
    composer.diags.report(name.range, diag::HeatResourceOff, name.text)
        .note(off->name.range, diag::FirstDefinedHere, name.text);
    return nullptr;
  }
  reportUndefined(composer, "resource", name, scope.stack.source->resources);
  return nullptr;
}

const Expr *heat::getResource(Composer &composer, const Node &call,
                              const Scope &scope) {
  const Node &argument = argumentOf(call);
  if (!argument.isScalar())
    return failCall(composer, call, "takes the name of a resource");
  StackResource *resource =
      useResource(composer, {argument.text(), argument.range()}, scope);
  return resource ? referenceTo(composer, *resource, call.range()) : nullptr;
}

const Expr *heat::getAttribute(Composer &composer, const Node &call,
                               const Scope &scope) {
  Word name;
  SmallVector<const Expr *> path;
  if (!readPath(composer, call, scope, name, path))
    return nullptr;
  StackResource *resource = useResource(composer, name, scope);
  if (!resource)
    return nullptr;
  bool mayLackName = scope.stack.source->version.isAtLeast("2015-10-15");
  if (path.empty() && !mayLackName)
    return failCall(composer, call, "takes a resource and an attribute");
  return attributeOf(composer, *resource, path, call.range());
}

const Expr *heat::getReference(Composer &composer, const Node &call,
                               const Scope &scope) {
  const Node &argument = argumentOf(call);
  bool isParameter =
      argument.isScalar() && (scope.stack.parameters.count(argument.text()) ||
                              argument.text().starts_with("OS::") ||
                              argument.text().starts_with("AWS::"));
  return isParameter ? getParameter(composer, call, scope)
                     : getResource(composer, call, scope);
}

const Expr *heat::findInMap(Composer &composer, const Node &call,
                            const Scope &scope) {
  const Node &argument = argumentOf(call);
  if (!argument.isSequence() || argument.items().size() != 3)
    return failCall(composer, call,
                    "takes the name of a mapping and two of its keys");
  const Expr *path = composer.evaluate(argument, scope);
  if (!path || !path->isLiteral())
    return path ? composer.callAsWritten("Fn::FindInMap", path, call.range())
                : nullptr;
  const Node *at = scope.stack.source->mappings;
  for (const Value &word : path->value().items()) {
    std::string key = textOf(word);
    at = at && at->isMapping() ? at->find(key) : nullptr;
    if (!at)
      return failCall(composer, call, "finds no '" + key + "' in the mappings");
  }
  return composer.literal(composer.plainValue(*at), call.range());
}

const Expr *heat::getFile(Composer &composer, const Node &call,
                          const Scope &scope) {
  const Expr *name = composer.evaluate(argumentOf(call), scope);
  if (!name)
    return nullptr;
  if (!name->isLiteral() || !name->value().isString())
    return failCall(composer, call, "takes the name of a file");
  StringRef folder = llvm::sys::path::parent_path(scope.stack.file->path);
  auto text = composer.library.readText(
      joinPath(folder, name->value().asString()), argumentOf(call).range());
  return text ? composer.literal(Value::string(*text), call.range()) : nullptr;
}

const Expr *heat::resourceFacade(Composer &composer, const Node &call,
                                 const Scope &scope) {
  const Node &argument = argumentOf(call);
  StringRef word = argument.isScalar() ? argument.text() : "";
  const StackResource *facade = scope.stack.facade;
  const Node *found = nullptr;
  if (word == "metadata" || word == "Metadata")
    found = facade ? facade->definition->metadata : nullptr;
  else if (word == "deletion_policy" || word == "DeletionPolicy")
    found = facade ? facade->definition->deletionPolicy : nullptr;
  else if (word == "update_policy" || word == "UpdatePolicy")
    found = facade ? facade->definition->updatePolicy : nullptr;
  else
    return failCall(composer, call,
                    "takes metadata, deletion_policy or update_policy");
  if (!found)
    return composer.literal(Value(), call.range());
  Scope outer{*facade->stack, facade->index.empty() ? nullptr : facade};
  outer.reveals = scope.reveals;
  return composer.evaluate(*found, outer);
}
