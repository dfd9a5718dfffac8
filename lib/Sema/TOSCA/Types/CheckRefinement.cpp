//===- CheckRefinement.cpp - May this refine that? ------------------------===//

#include "CheckRefinement.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/FormatSource.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

static uint32_t ruleKey(EntityKind entity, Key key) {
  return static_cast<uint32_t>(entity) << 8 | static_cast<uint32_t>(key);
}

const RefinementRule *sema::findRule(EntityKind entity, Key key) {
  static constexpr RefinementRule rules[] = {
#define REFINE(ENTITY, KEY, RULE, KIND)                                        \
  {EntityKind::ENTITY, Key::KEY, RefinementRule::RULE, EntityKind::KIND},
#include "Refinement.def"
  };
  static const llvm::DenseMap<uint32_t, const RefinementRule *> index = [] {
    llvm::DenseMap<uint32_t, const RefinementRule *> result;
    for (const RefinementRule &rule : rules)
      result[ruleKey(rule.entity, rule.key)] = &rule;
    return result;
  }();
  return index.lookup(ruleKey(entity, key));
}

std::optional<EntityKind> sema::typeOfDefinition(EntityKind kind) {
  switch (kind) {
  case EntityKind::PropertyDefinition:
  case EntityKind::AttributeDefinition:
  case EntityKind::ParameterDefinition:
  case EntityKind::OutputDefinition:
  case EntityKind::SchemaDefinition:
    return EntityKind::DataType;
  case EntityKind::CapabilityDefinition:
    return EntityKind::CapabilityType;
  case EntityKind::RelationshipDefinition:
    return EntityKind::RelationshipType;
  case EntityKind::InterfaceDefinition:
    return EntityKind::InterfaceType;
  case EntityKind::ArtifactDefinition:
    return EntityKind::ArtifactType;
  default:
    return std::nullopt;
  }
}

void sema::reportNothingToRefine(Program &program, const Flat &owner, Key key,
                                 const Entity &entity) {
  StringRef noun = tosca::rule(entity.kind).noun;
  llvm::SmallVector<StringRef> known;
  for (const auto &[name, part] : owner.members(key))
    known.push_back(name);
  Suggestion meant(entity.name.str(), known);
  std::string type =
      owner.type ? ("of type '" + owner.type->name.str() + "' ").str() : "";
  auto report = program.diags.report(entity.range(), diag::NothingToRefine,
                                     owner.describe(), type, noun,
                                     entity.name.str(), meant.clause());
  meant.fixIn(report, entity.range());
}

void sema::reportNotNarrower(Program &program, const Flat &flat,
                             const Flat &inType, SourceRange narrowed) {
  const Scope &scope = *flat.layers.front().scope;
  program.diags
      .report(narrowed, diag::NotNarrower, "'type' of " + flat.describe(),
              displayName(program, scope, *inType.type),
              displayName(program, scope, *flat.type))
      .note(flat.range(), diag::RefinesThis)
      .note(inType.range(), diag::RefinesThis);
}

/// Whether the nearest layer only says again that \p fixed is the value.
static bool repeats(const Flat &flat, const Field &fixed) {
  llvm::ArrayRef<Field> fields = flat.layers.front().entity->fields;
  return fields.size() == 1 && fields[0].key == fixed.key &&
         isSameContent(*fields[0].value, *fixed.value);
}

void sema::checkNotFixed(Program &program, const Flat &flat, const Flat &base) {
  for (Key key : {Key::Value, Key::Mapping}) {
    const RefinementRule *rule = findRule(base.kind, key);
    if (!rule || rule->rule != RefinementRule::Fixed)
      continue;
    if (Flat::Found fixed = base.find(key)) {
      auto report =
          repeats(flat, *fixed.field)
              ? program.diags.report(flat.range(), diag::RepeatedFixedValue,
                                     flat.describe())
              : program.diags.report(flat.range(), diag::RefinedFixedValue,
                                     flat.describe());
      report.note(fixed.field->range(), diag::FixedHere);
      return;
    }
  }
}

static bool isTypeOfAnyKind(const Scope &scope, StringRef name) {
  return llvm::any_of(typeSections(), [&](const TypeSection &section) {
    return scope.find(section.kind, name);
  });
}

/// Whether \p name is nearly that of a node type.
static bool isNearType(const Scope &scope, StringRef name) {
  std::vector<std::string> known = scope.names(EntityKind::NodeType);
  std::vector<StringRef> names(known.begin(), known.end());
  return Suggestion(name, names).name.has_value();
}

namespace {

struct Check {
  Program &program;
  const RefinementRule &rule;
  Flat &flat;
  const Flat *base;
  const Field &field;

  Flat::Found before() const {
    return base ? base->find(field.key) : Flat::Found();
  }
  std::string subject() const {
    return ("'" + tosca::word(field.key) + "' of " + flat.describe()).str();
  }

  std::string nameOf(const TypeDecl &type) const {
    return displayName(program, *flat.layers.front().scope, type);
  }

  /// TOSCA 2.0 §16.3: the targets of a policy are nodes or groups.
  TypeDecl *find(const Scope &scope, const Node &name) const {
    TypeDecl *found = scope.find(rule.kind, name.text());
    if (!found && flat.kind == EntityKind::PolicyType)
      found = scope.find(EntityKind::GroupType, name.text());
    return found;
  }

  /// What a list of types narrows: the one of the parent, or else the one of
  /// the definition's type.
  Flat::Found listBefore() const {
    Flat::Found old = before();
    if (!old && flat.type && flat.type->flat)
      old = flat.type->flat->find(field.key);
    return old;
  }

  /// TOSCA 2.0 §8.4.1: the name of a capability stays, a type may be narrowed.
  void narrowCapability() const {
    Flat::Found old = before();
    if (!old || !old.field->valid ||
        old.field->value->text() == field.value->text())
      return;
    if (old.scope->find(rule.kind, old.field->value->text()))
      return narrow();
    program.diags.report(field.value->range(), diag::FrozenKeyname, subject())
        .note(old.field->range(), diag::RefinesThis);
  }

  void narrow() const {
    const Scope &scope = *flat.layers.front().scope;
    bool isOfOthers = scope.isOlder() ||
                      (scope.file->isOfProfile && !scope.file->isIncomplete);
    if (field.key == Key::Node && isOfOthers &&
        !isTypeOfAnyKind(scope, field.value->text()) &&
        (scope.isOlder() || !isNearType(scope, field.value->text()))) {
      program.diags.report(field.value->range(), diag::UnknownTargetType,
                           field.value->text());
      return;
    }
    // The type of the definition itself has been resolved with its layer.
    TypeDecl *type =
        field.key == Key::Type ? flat.type
        : field.key == Key::Capability
            ? flat.layers.front().scope->find(rule.kind, field.value->text())
            : resolve(program, *flat.layers.front().scope, rule.kind,
                      *field.value);
    if (type)
      program.use(field.value->range(), type->entity);
    TypeDecl *parent = nullptr;
    if (Flat::Found old = before(); old && old.field->valid)
      parent = old.scope->find(rule.kind, old.field->value->text());
    if (!type || !parent || type->isDerivedFrom(*parent))
      return;
    flat.valid = false;
    program.diags
        .report(field.value->range(), diag::NotNarrower, subject(),
                nameOf(*parent), nameOf(*type))
        .note(before().field->value->range(), diag::RefinesThis);
  }

  void subset() const {
    llvm::SmallVector<const TypeDecl *> allowed;
    Flat::Found old = listBefore();
    if (old && old.field->valid)
      for (const Node &name : old.field->value->items())
        allowed.push_back(find(*old.scope, name));
    const Scope &scope = *flat.layers.front().scope;
    for (const Node &name : field.value->items()) {
      TypeDecl *type = find(scope, name);
      if (type)
        program.use(name.range(), type->entity);
      else
        resolve(program, scope, rule.kind, name);
      if (!type || allowed.empty())
        continue;
      bool fits = llvm::any_of(allowed, [&](const TypeDecl *parent) {
        return !parent || type->isDerivedFrom(*parent);
      });
      if (!fits)
        program.diags
            .report(name.range(), diag::NotInParentList, nameOf(*type),
                    tosca::word(field.key))
            .note(old.field->value->range(), diag::RefinesThis);
    }
  }

  void onlyTrue() const {
    auto isFalse = [](const Node &node) {
      return node.text().equals_insensitive("false");
    };
    if (!base || !isFalse(*field.value))
      return;
    Flat::Found old = before();
    if (old && (!old.field->valid || isFalse(*old.field->value)))
      return;
    program.diags
        .report(field.value->range(), diag::RequirednessLost, flat.describe())
        .note(old ? old.field->range() : base->range(), diag::RefinesThis);
  }

  void frozen() const {
    Flat::Found old = before();
    // What a scalar type with units does not say is settled by default.
    if (!base || (!old && !base->find(Key::Units)))
      return;
    StringRef settled = old                          ? old.field->value->text()
                        : field.key == Key::DataType ? "float"
                                                     : "";
    if (field.value->text() != settled)
      program.diags.report(field.value->range(), diag::FrozenKeyname, subject())
          .note(old ? old.field->range() : base->range(), diag::RefinesThis);
  }

  static std::pair<uint64_t, uint64_t> bounds(const Node &range) {
    uint64_t min = 0, max = UINT64_MAX;
    range.items()[0].text().getAsInteger(0, min);
    range.items()[1].text().getAsInteger(0, max);
    return {min, max};
  }

  void within() const {
    Flat::Found old = before();
    if (!old || !old.field->valid)
      return;
    auto [min, max] = bounds(*field.value);
    auto [oldMin, oldMax] = bounds(*old.field->value);
    if (min < oldMin || max > oldMax)
      program.diags.report(field.value->range(), diag::RangeTooWide, subject())
          .note(old.field->value->range(), diag::RefinesThis);
  }

  /// The entry of an ancestor with the key \p name.
  const Node *entryBefore(StringRef name) const {
    for (const Layer &layer : base->layers)
      if (const Field *old = layer.entity->find(field.key); old && old->valid)
        if (const Node *entry = old->value->find(name))
          return entry;
    return nullptr;
  }

  void addOnly() const {
    if (!base)
      return;
    for (const syntax::Entry &entry : field.value->entries()) {
      const Node *number =
          entry.key.isScalar() ? entryBefore(entry.key.text()) : nullptr;
      if (number && number->text() != entry.value.text())
        program.diags
            .report(entry.key.range(), diag::FrozenEntry, entry.key.text(),
                    subject())
            .note(number->range(), diag::RefinesThis);
    }
  }
};

} // namespace

void sema::checkRefinement(Program &program, const RefinementRule &rule,
                           Flat &flat, const Flat *base, const Field &field) {
  Check check{program, rule, flat, base, field};
  switch (rule.rule) {
  case RefinementRule::Narrow:
    return field.key == Key::Capability ? check.narrowCapability()
                                        : check.narrow();
  case RefinementRule::Subset:
    return check.subset();
  case RefinementRule::OnlyTrue:
    return check.onlyTrue();
  case RefinementRule::Frozen:
    return check.frozen();
  case RefinementRule::Within:
    return check.within();
  case RefinementRule::AddOnly:
    return check.addOnly();
  case RefinementRule::Fixed:
  case RefinementRule::Conjoin:
    return;
  case RefinementRule::RefineOrAdd:
  case RefinementRule::Add:
  case RefinementRule::RefineOnly:
  case RefinementRule::Redefine:
  case RefinementRule::Nested:
    break;
  }
  llvm_unreachable("rules for parts are applied by the flattener");
}
