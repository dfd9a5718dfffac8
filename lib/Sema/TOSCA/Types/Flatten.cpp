//===- Flatten.cpp - Types with all they inherit --------------------------===//

#include "Flatten.h"

#include "CheckRefinement.h"
#include "TOSCA1/StandardTypes.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SaveAndRestore.h"

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
  if (name.empty())
    return nullptr;
  for (const auto &[key, interface] : interfaces) {
    bool isCalledSo = llvm::any_of(interface->layers, [&](const Layer &layer) {
      return layer.entity->name.str() == name;
    });
    if (isCalledSo || otherName(*interface) == name)
      return interface;
  }
  return nullptr;
}

TypeDecl *sema::typeNamedBy(const Flat &definition, Key key, EntityKind kind) {
  Flat::Found found = definition.find(key);
  if (!found || !found.field->valid || !found.field->value->isScalar())
    return nullptr;
  return found.scope->find(kind, found.field->value->text());
}

bool sema::isRequired(const Flat &definition) {
  // No layer can take back what another one asks for.
  bool saysNo = false;
  for (const Layer &layer : definition.layers)
    if (const Field *field = layer.entity->find(Key::Required)) {
      if (!field->valid || field->value->text().starts_with_insensitive("t"))
        return true;
      saysNo = true;
    }
  return !saysNo;
}

bool sema::needsValue(const Flat &definition) {
  if (!definition.valid || definition.find(Key::Default) ||
      definition.find(Key::Value) || definition.find(Key::Mapping))
    return false;
  return isRequired(definition);
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
  Flat *findRefined(const Flat &flat, Key key, const Entity &entity,
                    const Scope &scope);
  bool replacesType(const Flat &base, const Entity &entity, const Scope &scope);
  void checkDefined(const Flat &flat);

  const Flat *startOf(const TypeDecl &type);
  void takeMachine(Flat &flat, const TypeDecl &type);
  void takeInterfaces(Flat &flat, const Flat &bound);

  void change(Flat &flat, Key key,
              llvm::ArrayRef<Flat::Members::Entry> changes);

  Program &program;
  /// Whether the type at hand has an ancestor that is not known.
  bool isInBroken = false;
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
    at->valid &= !at->parent || at->parent->valid;
    // What it holds may refine what is not known.
    llvm::SaveAndRestore inBroken(isInBroken,
                                  !at->valid && !at->scope->isOlder());
    at->flat = refine(startOf(*at), {at->entity, at->scope}, at->kind);
    at->flat->valid &= at->valid;
  }
}

/// What \p type refines: all that its parent has, and what a binding adds.
const Flat *Flattener::startOf(const TypeDecl &type) {
  const Flat *base = type.parent ? type.parent->flat : nullptr;
  if (!type.bound)
    return base;
  flatten(*type.bound);
  Flat &flat = program.flats.emplace_back();
  if (base)
    flat = *base;
  flat.kind = type.kind;
  if (type.kind == EntityKind::InterfaceType)
    takeMachine(flat, type);
  else
    takeInterfaces(flat, *type.bound->flat);
  return &flat;
}

/// The name that \p type has for the operation \p name of its machine.
static StringRef ownNameOf(const TypeDecl &type, StringRef name) {
  if (type.boundNames)
    for (const syntax::Entry &entry : type.boundNames->entries())
      if (entry.value.text() == name)
        return entry.key.text();
  return name;
}

/// Cells, operations and rules of the machine that a binding has for \p type.
void Flattener::takeMachine(Flat &flat, const TypeDecl &type) {
  const Flat &machine = *type.bound->flat;
  llvm::append_range(flat.layers, machine.layers);
  for (const Flat::Group &group : machine.groups) {
    llvm::SmallVector<Flat::Members::Entry> changes;
    for (const auto &[machineName, part] : group.members) {
      StringRef name = group.key == Key::Operations
                           ? ownNameOf(type, machineName)
                           : machineName;
      Flat *taken = part;
      if (name != machineName) {
        taken = &program.flats.emplace_back(*part);
        taken->name = program.names.intern(name);
        taken->machineName = part->name;
      }
      if (const Flat *known = flat.member(group.key, name))
        taken = merge(*known, *taken, flat.range());
      changes.emplace_back(taken->name.str(), taken);
    }
    change(flat, group.key, changes);
  }
}

/// The interfaces of \p bound, with all that it refines in them.
void Flattener::takeInterfaces(Flat &flat, const Flat &bound) {
  llvm::SmallVector<Flat::Members::Entry> changes;
  for (const auto &[name, interface] : bound.members(Key::Interfaces)) {
    Flat *taken = flat.member(Key::Interfaces, name);
    if (!taken) {
      taken = &program.flats.emplace_back(*interface);
      taken->isFromBinding = true;
    }
    // An interface that only has the same name stays what it is.
    if (!taken->type || !taken->type->isDerivedFrom(*interface->type))
      continue;
    bool isFromBinding = taken->isFromBinding;
    for (const Layer &layer : llvm::reverse(interface->layers))
      if (llvm::none_of(taken->layers, [&](const Layer &known) {
            return known.entity == layer.entity;
          }))
        taken = refine(taken, layer, interface->kind);
    taken->isFromBinding = isFromBinding;
    changes.emplace_back(name, taken);
  }
  change(flat, Key::Interfaces, changes);
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

/// The part \p name of \p type, which may have another name for an operation
/// of its machine.
static Flat *findPart(const Flat &type, Key key, StringRef name) {
  if (Flat *part = type.member(key, name))
    return part;
  if (key == Key::Operations)
    for (const auto &[ownName, part] : type.members(key))
      if (part->machineName && part->machineName.str() == name)
        return part;
  return nullptr;
}

/// Gives \p flat the parts of \p type with what its own parts refine.
void Flattener::mergeParts(Flat &flat, const Flat &type, SourceRange narrowed) {
  llvm::SmallVector<Flat::Group, 4> refined = std::move(flat.groups);
  flat.groups = type.groups;
  for (const Flat::Group &old : refined) {
    llvm::SmallVector<Flat::Members::Entry> changes;
    for (const auto &[name, part] : old.members) {
      Flat *inType = findPart(type, old.key, name);
      if (part != inType)
        changes.emplace_back(inType ? inType->name.str() : name,
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
  flat.name = inType.name;
  flat.machineName = inType.machineName;
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
  if (kind == EntityKind::RequirementDefinition && !base &&
      layer.scope->isOlder())
    layer.entity = completeRequirement(program, *layer.scope, *layer.entity);
  // An interface keeps its name where it is refined under another.
  bool keepsName = base && kind == EntityKind::InterfaceDefinition;
  flat.name = keepsName ? base->name : layer.entity->name;
  if (base)
    flat.machineName = base->machineName;
  flat.layers.push_back(layer);
  flat.valid = layer.entity->valid && !isInBroken;
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

/// What \p entity, a part of \p flat under \p key, refines; null: it is new.
Flat *Flattener::findRefined(const Flat &flat, Key key, const Entity &entity,
                             const Scope &scope) {
  if (key != Key::Interfaces)
    return flat.member(key, entity.name.str());
  Flat *named = findInterface(flat, entity.name.str());
  const TypeDecl *type =
      scope.find(EntityKind::InterfaceType, entity.text(Key::Type));
  if (!type)
    return named;
  auto isDrivenBy = [&](const Flat &interface) {
    return interface.type && type->isDerivedFrom(*interface.type);
  };
  // What a binding gave has a name of its own; what only happens to have that
  // name is another interface.
  if (named)
    return !named->isFromBinding || isDrivenBy(*named) ? named : nullptr;
  for (const auto &[name, interface] : flat.members(Key::Interfaces))
    if (interface->isFromBinding && isDrivenBy(*interface))
      return interface;
  return nullptr;
}

/// Whether \p entity, a capability definition of TOSCA 1.x, has a type of its
/// own that is not derived from that of \p base. Where that is tolerated,
/// nothing of \p base is left.
bool Flattener::replacesType(const Flat &base, const Entity &entity,
                             const Scope &scope) {
  const Field *named = entity.find(Key::Type);
  if (entity.kind != EntityKind::CapabilityDefinition || !scope.isOlder() ||
      !base.type || !named || !named->valid)
    return false;
  const TypeDecl *type =
      scope.find(EntityKind::CapabilityType, named->value->text());
  if (!type || type->isDerivedFrom(*base.type))
    return false;
  program.diags
      .report(named->value->range(), diag::NotNarrower,
              "'type' of " + base.describe(),
              displayName(program, scope, *base.type),
              displayName(program, scope, *type))
      .note(base.range(), diag::RefinesThis);
  return true;
}

void Flattener::refineMembers(Flat &flat, const Field &field,
                              RefinementRule::Rule rule) {
  if (field.key == Key::Requirements)
    checkNamesDiffer(field);
  const Layer &layer = flat.layers.front();
  llvm::SmallVector<Flat::Members::Entry> changes;
  for (const Entity &entity : field.entities) {
    StringRef name = entity.name.str();
    Flat *base = findRefined(flat, field.key, entity, *layer.scope);
    if (!base && rule == RefinementRule::RefineOnly) {
      if (entity.valid && flat.valid)
        reportNothingToRefine(program, flat, field.key, entity);
      // Where that is tolerated, it is new.
      if (!layer.scope->isOlder() && flat.valid)
        continue;
    }
    if (base && rule == RefinementRule::Add) {
      program.diags
          .report(entity.range(), diag::FrozenMember,
                  tosca::rule(entity.kind).noun, name)
          .note(base->range(), diag::DeclaredHere, name);
      continue;
    }
    if (rule == RefinementRule::Redefine ||
        (base && replacesType(*base, entity, *layer.scope)))
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
  const Layer &nearest = flat.layers.front();
  for (const tosca::KeyRule &rule : tosca::rule(flat.kind).keys) {
    if (rule.presence != tosca::Presence::Inherited || flat.find(rule.key))
      continue;
    if (!isShort)
      program.diags.report(tosca::placeForKeyname(*nearest.entity),
                           diag::MissingKeyname, flat.describe(),
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

bool sema::isMarked(const Flat &definition, StringRef key) {
  for (const Layer &layer : definition.layers) {
    const Field *metadata = layer.entity->find(Key::Metadata);
    const syntax::Node *mark = metadata && metadata->value->isMapping()
                                   ? metadata->value->find(key)
                                   : nullptr;
    if (mark && mark->isScalar())
      return mark->text().starts_with_insensitive("t");
  }
  return false;
}
