//===- Grammar.cpp - The tables of the grammar ----------------------------===//

#include "toscac/Parse/TOSCA/Grammar.h"

#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace toscac;
using namespace toscac::tosca;

llvm::StringRef tosca::word(Key key) {
  static constexpr llvm::StringLiteral words[] = {
#define KEYNAME(NAME, WORD) WORD,
#include "toscac/Parse/TOSCA/Keynames.def"
  };
  return words[static_cast<size_t>(key)];
}

/// A namespace with a name, because the enumerators that are opened here must
/// not hide classes elsewhere.
namespace toscac::tosca::grammar {
namespace {

using enum EntityKind;
using Status = KeyRule::Status;

/// The words that Grammar.def uses for presence and shapes.
namespace presence {
constexpr Presence mandatory = Presence::Mandatory;
constexpr Presence inherited = Presence::Inherited;
constexpr Presence optional = Presence::Optional;
} // namespace presence

namespace shape {
constexpr Shape text{ShapeKind::Text};
constexpr Shape name{ShapeKind::Name};
constexpr Shape names{ShapeKind::Names};
constexpr Shape nameOrNames{ShapeKind::NameOrNames};
constexpr Shape boolean{ShapeKind::Boolean};
constexpr Shape version{ShapeKind::Version};
constexpr Shape definitionsVersion{ShapeKind::DefinitionsVersion};
constexpr Shape metadata{ShapeKind::Metadata};
constexpr Shape dsl{ShapeKind::Dsl};
constexpr Shape value{ShapeKind::Value};
constexpr Shape values{ShapeKind::Values};
constexpr Shape condition{ShapeKind::Condition};
constexpr Shape conditions{ShapeKind::Conditions};
constexpr Shape constraints{ShapeKind::Constraints};
constexpr Shape count{ShapeKind::Count};
constexpr Shape countRange{ShapeKind::CountRange};
constexpr Shape numbers{ShapeKind::Numbers};
constexpr Shape nodeReference{ShapeKind::NodeReference};
constexpr Shape allocation{ShapeKind::Allocation};
constexpr Shape path{ShapeKind::Path};
constexpr Shape paths{ShapeKind::Paths};
constexpr Shape eventPath{ShapeKind::EventPath};
constexpr Shape cells{ShapeKind::Cells};
constexpr Shape nameMappings{ShapeKind::NameMappings};
constexpr Shape capabilityMappings{ShapeKind::CapabilityMappings};
constexpr Shape requirementMappings{ShapeKind::RequirementMappings};
constexpr Shape interfaceMappings{ShapeKind::InterfaceMappings};
constexpr Shape reaction{ShapeKind::Reaction, Reaction};
constexpr Shape one(EntityKind entity) { return {ShapeKind::One, entity}; }
constexpr Shape map(EntityKind entity) { return {ShapeKind::Map, entity}; }
constexpr Shape list(EntityKind entity) { return {ShapeKind::List, entity}; }
constexpr Shape namedList(EntityKind entity) {
  return {ShapeKind::NamedList, entity};
}
} // namespace shape

#define ENTITY(KIND, ...) constexpr KeyRule keysOf##KIND[] = {
#define KEY(KEY, PRESENCE, SHAPE, SECTION)                                     \
  {Key::KEY, presence::PRESENCE, Status::Current,                              \
   Key::KEY, shape::SHAPE,       SECTION},
#define OTHER(KEY, INSTEAD, SHAPE, SECTION)                                    \
  {Key::KEY,     Presence::Optional, Status::Other,                            \
   Key::INSTEAD, shape::SHAPE,       SECTION},
#define DEPRECATED(KEY, INSTEAD, SHAPE, SECTION)                               \
  {Key::KEY,     Presence::Optional, Status::Deprecated,                       \
   Key::INSTEAD, shape::SHAPE,       SECTION},
#define DROPPED(KEY, SHAPE, SECTION)                                           \
  {Key::KEY, Presence::Optional, Status::Dropped,                              \
   Key::KEY, shape::SHAPE,       SECTION},
#define END_ENTITY(KIND)                                                       \
  }                                                                            \
  ;
#include "toscac/Parse/TOSCA/Grammar.def"

struct ShortFormOf {
  EntityKind kind;
  ShortForm form;
};
constexpr ShortFormOf shortForms[] = {
#define SHORT(KIND, FORM, KEY) {KIND, {ShortForm::Kind::FORM, Key::KEY}},
#include "toscac/Parse/TOSCA/Grammar.def"
};

struct ConstraintOf {
  EntityKind kind;
  KeyConstraint constraint;
};
constexpr ConstraintOf constraints[] = {
#define ONE_OF(KIND, A, B) {KIND, {KeyConstraint::Kind::OneOf, Key::A, Key::B}},
#define NOT_BOTH(KIND, A, B)                                                   \
  {KIND, {KeyConstraint::Kind::NotBoth, Key::A, Key::B}},
#define NEEDS(KIND, A, B) {KIND, {KeyConstraint::Kind::Needs, Key::A, Key::B}},
#include "toscac/Parse/TOSCA/Grammar.def"
};

struct Tables {
  std::vector<EntityRule> entities;
  std::vector<std::vector<KeyConstraint>> constraintsOf;

  Tables() {
#define ENTITY(KIND, NOUN, SECTION)                                            \
  entities.push_back({KIND, #KIND, NOUN, SECTION, keysOf##KIND, nullptr, {}});
#include "toscac/Parse/TOSCA/Grammar.def"
    constraintsOf.resize(entities.size());
    for (const ShortFormOf &entry : shortForms)
      entities[static_cast<size_t>(entry.kind)].shortForm = &entry.form;
    for (const ConstraintOf &entry : constraints)
      constraintsOf[static_cast<size_t>(entry.kind)].push_back(
          entry.constraint);
    for (auto [entity, list] : llvm::zip_equal(entities, constraintsOf))
      entity.constraints = list;
  }
};

} // namespace
} // namespace toscac::tosca::grammar

llvm::ArrayRef<EntityRule> tosca::allEntities() {
  static const grammar::Tables tables;
  return tables.entities;
}

const EntityRule &tosca::rule(EntityKind kind) {
  return allEntities()[static_cast<size_t>(kind)];
}

const KeyRule *EntityRule::find(llvm::StringRef keyname) const {
  const KeyRule *found = llvm::find_if(
      keys, [&](const KeyRule &rule) { return word(rule.key) == keyname; });
  return found == keys.end() ? nullptr : found;
}
