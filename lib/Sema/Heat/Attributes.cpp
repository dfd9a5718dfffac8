//===- Attributes.cpp - What resources tell when they are there -----------===//
///
/// \file
/// A nested stack has its template's outputs as attributes; a group has those
/// of its members. So both lead to attributes of Heat's own types, which the
/// plan reads when it runs.
///
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;

/// A query of the plan: [ SELF, NODE, name, 0, \p words… ]. A resource is there
/// once; expansion knows its index.
static const Expr *query(Composer &composer, const StackResource &resource,
                         llvm::ArrayRef<StringRef> words, SourceRange range) {
  SmallVector<const Expr *> path;
  auto add = [&](Value value) {
    path.push_back(composer.literal(value, range));
  };
  add(Value::string("SELF"));
  add(Value::string("NODE"));
  StringRef name = StringRef(resource.path).drop_front();
  add(composer.arena.string(name));
  add(Value::integer(0));
  for (StringRef word : words)
    add(composer.arena.string(word));
  return composer.call(Function::GetAttribute, path, range);
}

const Expr *heat::referenceTo(Composer &composer, const StackResource &resource,
                              SourceRange range) {
  if (const syntax::Node *id = resource.definition->externalId) {
    Scope scope{*resource.stack};
    return composer.evaluate(*id, scope);
  }
  // What consists of others has no id of its own.
  bool hasId = !resource.implementation.file && !resource.hasMembers() &&
               resource.implementation.name != "OS::Heat::None";
  if (!hasId)
    return composer.literal(
        composer.arena.string(StringRef(resource.path).drop_front()), range);
  return query(composer, resource, {"resource_id"}, range);
}

/// `resource.name.attribute` leads into a nested stack or group.
static const Expr *insideOf(Composer &composer, StackResource &resource,
                            StringRef word, llvm::ArrayRef<const Expr *> rest,
                            SourceRange range) {
  auto [name, attribute] = word.drop_front(strlen("resource.")).split('.');
  StackResource *inner = nullptr;
  if (resource.nested)
    inner = resource.nested->find(name);
  for (auto &member : resource.members)
    if (member->index == name)
      inner = member.get();
  if (!inner) {
    composer.diags.report(range, diag::HeatNoSuchPart, resource.path,
                          "resource", name);
    return nullptr;
  }
  if (attribute.empty())
    return referenceTo(composer, *inner, range);
  SmallVector<const Expr *> path = {
      composer.literal(composer.arena.string(attribute), range)};
  path.append(rest.begin(), rest.end());
  return attributeOf(composer, *inner, path, range);
}

static const Expr *outputOf(Composer &composer, StackResource &resource,
                            StringRef word, SourceRange range) {
  Stack &nested = *resource.nested;
  const Output *output = nested.source->findOutput(word);
  if (!output) {
    auto report = composer.diags.report(range, diag::HeatNoSuchPart,
                                        resource.path, "output", word);
    std::vector<StringRef> names;
    for (const Output &candidate : nested.source->outputs)
      names.push_back(candidate.name.text);
    Suggestion(word, names).noteOn(report);
    return nullptr;
  }
  Scope scope{nested};
  bool isOff =
      output->condition &&
      composer.evaluateCondition(*output->condition, scope) == Truth::False;
  if (isOff || !output->value)
    return composer.literal(Value(), range);
  return composer.evaluateOnce(*output->value, scope);
}

static const Expr *ofStack(Composer &composer, StackResource &resource,
                           llvm::ArrayRef<const Expr *> path,
                           SourceRange range) {
  std::string word = textOf(path.front()->value());
  if (StringRef(word).starts_with("resource."))
    return insideOf(composer, resource, composer.arena.save(word),
                    path.drop_front(), range);
  if (word == "show" || resource.nested->source->outputs.empty())
    return nullptr;
  if (word != "outputs") {
    const Expr *value = outputOf(composer, resource, word, range);
    const Expr *part =
        value ? selectParts(composer, value, path.drop_front(), range)
              : nullptr;
    // As in Heat: what a path leads to nowhere is nothing.
    bool isNowhere = value && value->isLiteral() && !part;
    return isNowhere ? composer.literal(Value(), range) : part;
  }
  SmallVector<const Expr *> parts;
  for (const Output &output : resource.nested->source->outputs) {
    const Expr *value = outputOf(composer, resource, output.name.text, range);
    if (!value)
      return nullptr;
    parts.push_back(composer.literal(Value::string(output.name.text), range));
    parts.push_back(value);
  }
  return selectParts(composer, composer.map(parts, range), path.drop_front(),
                     range);
}

/// A list with something of each member, or a map by their indices.
static const Expr *
ofMembers(Composer &composer, StackResource &group, bool isMap,
          llvm::ArrayRef<const Expr *> keys, SourceRange range,
          llvm::function_ref<const Expr *(StackResource &)> each) {
  SmallVector<const Expr *> parts;
  for (auto &member : group.members) {
    if (isMap)
      parts.push_back(
          composer.literal(composer.arena.string(member->index), range));
    parts.push_back(each(*member));
    if (!parts.back())
      return nullptr;
  }
  const Expr *all =
      isMap ? composer.map(parts, range) : composer.list(parts, range);
  return selectParts(composer, all, keys, range);
}

static const Expr *ofGroup(Composer &composer, StackResource &group,
                           llvm::ArrayRef<const Expr *> path,
                           SourceRange range) {
  std::string word = textOf(path.front()->value());
  if (StringRef(word).starts_with("resource."))
    return insideOf(composer, group, composer.arena.save(word),
                    path.drop_front(), range);
  auto reference = [&](StackResource &member) {
    return referenceTo(composer, member, range);
  };
  if (word == "refs" || word == "refs_map")
    return ofMembers(composer, group, word == "refs_map", path.drop_front(),
                     range, reference);
  if (word == "removed_rsrc_list") {
    SmallVector<const Expr *> names;
    for (const std::string &name : removedMembers(composer, group))
      names.push_back(composer.literal(composer.arena.string(name), range));
    return composer.list(names, range);
  }
  bool isMap = word == "attributes" && path.size() > 1;
  llvm::ArrayRef<const Expr *> rest = isMap ? path.drop_front() : path;
  auto attribute = [&](StackResource &member) {
    return attributeOf(composer, member, rest, range);
  };
  return ofMembers(composer, group, isMap, {}, range, attribute);
}

/// `OS::Heat::Value` tells what it was given.
static const Expr *ofValue(Composer &composer, const StackResource &resource,
                           llvm::ArrayRef<const Expr *> path,
                           SourceRange range) {
  const syntax::Node *properties = resource.definition->properties;
  const syntax::Node *value = properties && properties->isMapping()
                                  ? properties->find("value")
                                  : nullptr;
  if (!value || textOf(path.front()->value()) != "value")
    return nullptr;
  Scope scope{*resource.stack, resource.index.empty() ? nullptr : &resource};
  const Expr *whole = composer.evaluateOnce(*value, scope);
  if (!whole)
    return nullptr;
  const Expr *part = selectParts(composer, whole, path.drop_front(), range);
  // What is known only when the stack runs is asked for then.
  if (part && !part->isLiteral())
    return nullptr;
  return part ? part : composer.literal(Value(), range);
}

const Expr *heat::attributeOf(Composer &composer, StackResource &resource,
                              llvm::ArrayRef<const Expr *> path,
                              SourceRange range) {
  bool isKnown = !path.empty() && path.front()->isLiteral();
  // What is composed only for its types has no members to ask.
  bool isWhole = composer.detail == Detail::Values;
  if (isWhole)
    composer.composeResource(resource);
  bool isValue = !resource.implementation.file &&
                 resource.implementation.name == "OS::Heat::Value";
  if (isKnown && isWhole &&
      (resource.nested || resource.hasMembers() || isValue)) {
    size_t errors = composer.diags.numErrors();
    const Expr *value = resource.nested
                            ? ofStack(composer, resource, path, range)
                        : isValue ? ofValue(composer, resource, path, range)
                                  : ofGroup(composer, resource, path, range);
    if (value || composer.diags.numErrors() != errors)
      return value;
  }
  const Expr *all = query(composer, resource, {"attributes"}, range);
  const Expr *part = selectParts(composer, all, path, range);
  return part ? part : composer.literal(Value(), range);
}
