//===- Flatten.cpp - Types with all they inherit --------------------------===//

#include "Flatten.h"

#include "CheckRefinement.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

Flat::Found Flat::find(Key key) const {
  for (const Layer &layer : layers)
    if (const Field *field = layer.entity->find(key))
      return {field, layer.scope};
  return {};
}

const Flat::Members &Flat::members(Key key) const {
  static const Members none;
  for (const Group &group : groups)
    if (group.key == key)
      return group.members;
  return none;
}

std::string Flat::describe() const {
  StringRef noun = tosca::rule(kind).noun;
  return name ? (noun + " '" + name.str() + "'").str() : noun.str();
}

static StringRef otherName(const Flat &interface) {
  for (const Layer &layer : interface.layers) {
    const syntax::Node *metadata = layer.entity->value(Key::Metadata);
    const syntax::Node *name = metadata && metadata->isMapping()
                                   ? metadata->find("other_name")
                                   : nullptr;
    if (name && name->isScalar())
      return name->text();
  }
  return {};
}

Flat *sema::findInterface(const Flat &owner, StringRef name) {
  const Flat::Members &interfaces = owner.members(Key::Interfaces);
  if (Flat *found = interfaces.lookup(name))
    return found;
  for (const auto &[key, interface] : interfaces)
    if (!name.empty() && otherName(*interface) == name)
      return interface;
  return nullptr;
}

TypeDecl *sema::typeNamedBy(const Flat &definition, Key key, EntityKind kind) {
  Flat::Found found = definition.find(key);
  if (!found || !found.field->valid || !found.field->value->isScalar())
    return nullptr;
  return found.scope->find(kind, found.field->value->text());
}

CountRange sema::countRangeOf(const Flat &requirement) {
  CountRange range;
  Flat::Found found = requirement.find(Key::CountRange);
  if (!found || !found.field->valid)
    return range;
  found.field->value->items()[0].text().getAsInteger(0, range.min);
  found.field->value->items()[1].text().getAsInteger(0, range.max);
  return range;
}

namespace {

class Flattener {
public:
  explicit Flattener(Program &program) : program(program) {}

  void flatten(TypeDecl &type);
  Flat *refine(const Flat *base, Layer layer, EntityKind kind);
  Flat *narrow(const Flat &base, TypeDecl &type);

private:
  void takeType(Flat &flat, const Flat *base);
  void inheritFromType(Flat &flat, const Flat *base);
  void mergeParts(Flat &flat, const Flat &type, SourceRange narrowed);
  Flat *merge(const Flat &part, Flat &inType, SourceRange narrowed);
  void refineField(Flat &flat, const Flat *base, const Field &field);
  void checkNamesDiffer(const Field &field);
  void refineMembers(Flat &flat, const Field &field, RefinementRule::Rule rule);
  void checkDefined(const Flat &flat);

  void change(Flat &flat, Key key,
              llvm::ArrayRef<Flat::Members::Entry> changes);

  Program &program;
};

} // namespace

void Flattener::change(Flat &flat, Key key,
                       llvm::ArrayRef<Flat::Members::Entry> changes) {
  auto group = llvm::find_if(
      flat.groups, [&](const Flat::Group &group) { return group.key == key; });
  if (group == flat.groups.end())
    group = flat.groups.insert(group, {key, {}});
  group->members = group->members.with(changes, program.memberArena);
}

/// Parents first. The chain is walked by hand: it may be as long as the file.
void Flattener::flatten(TypeDecl &type) {
  llvm::SmallVector<TypeDecl *, 8> chain;
  for (TypeDecl *at = &type; at && !at->flat && !at->isBuiltIn();
       at = at->parent)
    chain.push_back(at);
  for (TypeDecl *at : llvm::reverse(chain)) {
    const Flat *base = at->parent ? at->parent->flat : nullptr;
    at->flat = refine(base, {at->entity, at->scope}, at->kind);
    at->valid &= !at->parent || at->parent->valid;
    at->flat->valid &= at->valid;
  }
}

/// The type that a definition's `type` names; also where `capability` or `node`
/// names one.
void Flattener::takeType(Flat &flat, const Flat *base) {
  if (base)
    flat.type = base->type;
  std::optional<EntityKind> kind = typeOfDefinition(flat.kind);
  const Layer &layer = flat.layers.front();
  const Field *field = kind ? layer.entity->find(Key::Type) : nullptr;
  if (!field || !field->valid)
    return;
  if (TypeDecl *type = resolve(program, *layer.scope, *kind, *field->value))
    flat.type = type;
  else
    flat.valid = false;
}

/// A capability, interface or relationship definition starts from what its type
/// holds. Where a refinement narrows the type, refinements made so far stay.
void Flattener::inheritFromType(Flat &flat, const Flat *base) {
  bool hasParts = flat.type && flat.type->kind != EntityKind::DataType;
  if (!hasParts || (base && base->type == flat.type))
    return;
  flatten(*flat.type);
  if (flat.type->flat)
    mergeParts(flat, *flat.type->flat, flat.range());
}

/// Gives \p flat the parts of \p type with what its own parts refine.
void Flattener::mergeParts(Flat &flat, const Flat &type, SourceRange narrowed) {
  llvm::SmallVector<Flat::Group, 4> refined = std::move(flat.groups);
  flat.groups = type.groups;
  for (const Flat::Group &old : refined) {
    llvm::SmallVector<Flat::Members::Entry> changes;
    for (const auto &[name, part] : old.members) {
      Flat *inType = type.member(old.key, name);
      if (part != inType)
        changes.emplace_back(name,
                             inType ? merge(*part, *inType, narrowed) : part);
    }
    change(flat, old.key, changes);
  }
}

/// \p part, as it was refined so far, where \p inType is the same part of the
/// narrower type: the layers of both, each once, as if that type had been
/// refined.
Flat *Flattener::merge(const Flat &part, Flat &inType, SourceRange narrowed) {
  llvm::SmallPtrSet<const Entity *, 8> known;
  for (const Layer &layer : inType.layers)
    known.insert(layer.entity);
  llvm::SmallVector<Layer, 2> layers;
  for (const Layer &layer : part.layers)
    if (!known.contains(layer.entity))
      layers.push_back(layer);
  if (layers.empty())
    return &inType;
  Flat &flat = program.flats.emplace_back(part);
  flat.layers = std::move(layers);
  llvm::append_range(flat.layers, inType.layers);
  flat.base = &inType;
  flat.valid &= inType.valid;
  flat.checked = false;
  if (inType.type && (!flat.type || inType.type->isDerivedFrom(*flat.type)))
    flat.type = inType.type;
  else if (inType.type && !flat.type->isDerivedFrom(*inType.type))
    reportNotNarrower(program, flat, inType, narrowed);
  if (part.find(Key::Value))
    checkNotFixed(program, flat, inType);
  mergeParts(flat, inType, narrowed);
  return &flat;
}

Flat *Flattener::refine(const Flat *base, Layer layer, EntityKind kind) {
  Flat &flat = program.flats.emplace_back();
  flat.kind = kind;
  // An interface keeps its name where it is refined under another.
  bool keepsName = base && kind == EntityKind::InterfaceDefinition;
  flat.name = keepsName ? base->name : layer.entity->name;
  flat.layers.push_back(layer);
  flat.valid = layer.entity->valid;
  flat.base = base;
  if (base) {
    llvm::append_range(flat.layers, base->layers);
    flat.groups = base->groups;
    flat.valid &= base->valid;
  }
  takeType(flat, base);
  inheritFromType(flat, base);
  if (base)
    checkNotFixed(program, flat, *base);
  for (const Field &field : layer.entity->fields)
    if (field.valid)
      refineField(flat, base, field);
  checkDefined(flat);
  return &flat;
}

Flat *Flattener::narrow(const Flat &base, TypeDecl &type) {
  Flat &flat = program.flats.emplace_back(base);
  flat.type = &type;
  inheritFromType(flat, &base);
  return &flat;
}

void Flattener::refineField(Flat &flat, const Flat *base, const Field &field) {
  const RefinementRule *rule = findRule(flat.kind, field.key);
  if (!rule)
    return;
  switch (rule->rule) {
  case RefinementRule::RefineOrAdd:
  case RefinementRule::Add:
  case RefinementRule::RefineOnly:
  case RefinementRule::Redefine:
  case RefinementRule::Nested:
    refineMembers(flat, field, rule->rule);
    return;
  default:
    checkRefinement(program, *rule, flat, base, field);
  }
}

/// Requirements are written as a list, where YAML does not keep names apart
/// (TOSCA 2.0 §7.1).
void Flattener::checkNamesDiffer(const Field &field) {
  llvm::StringMap<const Entity *> first;
  for (const Entity &entity : field.entities) {
    auto [known, isNew] = first.try_emplace(entity.name.str(), &entity);
    if (!isNew)
      program.diags
          .report(entity.range(), diag::RepeatedDefinition,
                  tosca::rule(entity.kind).noun, entity.name.str())
          .note(known->second->range(), diag::FirstDefinedHere,
                entity.name.str());
  }
}

void Flattener::refineMembers(Flat &flat, const Field &field,
                              RefinementRule::Rule rule) {
  if (field.key == Key::Requirements)
    checkNamesDiffer(field);
  const Layer &layer = flat.layers.front();
  llvm::SmallVector<Flat::Members::Entry> changes;
  for (const Entity &entity : field.entities) {
    StringRef name = entity.name.str();
    Flat *base = field.key == Key::Interfaces ? findInterface(flat, name)
                                              : flat.member(field.key, name);
    if (!base && rule == RefinementRule::RefineOnly) {
      if (entity.valid)
        reportNothingToRefine(program, flat, field.key, entity);
      continue;
    }
    if (base && rule == RefinementRule::Add) {
      program.diags
          .report(entity.range(), diag::FrozenMember,
                  tosca::rule(entity.kind).noun, name)
          .note(base->range(), diag::DeclaredHere, name);
      continue;
    }
    if (rule == RefinementRule::Redefine)
      base = nullptr;
    changes.emplace_back(base ? base->name.str() : name,
                         refine(base, {&entity, layer.scope}, entity.kind));
  }
  change(flat, field.key, changes);
}

/// `type` is mandatory in a definition but not in a refinement.
void Flattener::checkDefined(const Flat &flat) {
  if (!flat.valid)
    return;
  bool isShort = flat.layers.front().entity->isShort;
  for (const tosca::KeyRule &rule : tosca::rule(flat.kind).keys) {
    if (rule.presence != tosca::Presence::Inherited || flat.find(rule.key))
      continue;
    if (!isShort)
      program.diags.report(flat.range(), diag::MissingKeyname, flat.describe(),
                           tosca::word(rule.key));
    else if (flat.kind == EntityKind::PropertyDefinition)
      program.diags.report(flat.range(), diag::ValueWithoutDefinition,
                           flat.describe());
  }
}

void sema::flattenTypes(Program &program) {
  Flattener flattener(program);
  for (TypeDecl &type : program.types)
    flattener.flatten(type);
}

Flat::Members sema::flattenDefinitions(Program &program, const Scope &scope,
                                       const Entity &owner, Key key) {
  llvm::SmallVector<Flat::Members::Entry> members;
  for (const Entity &entity : owner.entities(key))
    members.emplace_back(
        entity.name.str(),
        Flattener(program).refine(nullptr, {&entity, &scope}, entity.kind));
  return Flat::Members().with(members, program.memberArena);
}

Flat *sema::narrowDefinition(Program &program, const Flat &definition,
                             TypeDecl &type) {
  return Flattener(program).narrow(definition, type);
}
