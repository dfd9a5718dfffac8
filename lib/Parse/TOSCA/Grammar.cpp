//===- Grammar.cpp - The tables of the grammar ----------------------------===//

#include "GrammarWords.h"
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

namespace toscac::tosca::grammar {
namespace {

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

constexpr ShortFormOf shortForms[] = {
#define SHORT(KIND, FORM, KEY) {KIND, {ShortForm::Kind::FORM, Key::KEY}},
#include "toscac/Parse/TOSCA/Grammar.def"
};

constexpr ConstraintOf constraints[] = {
#define ONE_OF(KIND, A, B) {KIND, {KeyConstraint::Kind::OneOf, Key::A, Key::B}},
#define NOT_BOTH(KIND, A, B)                                                   \
  {KIND, {KeyConstraint::Kind::NotBoth, Key::A, Key::B}},
#define NEEDS(KIND, A, B) {KIND, {KeyConstraint::Kind::Needs, Key::A, Key::B}},
#include "toscac/Parse/TOSCA/Grammar.def"
};

std::vector<EntityRule> entities() {
  return {
#define ENTITY(KIND, NOUN, SECTION)                                            \
  {KIND, #KIND, NOUN, SECTION, keysOf##KIND, nullptr, {}},
#include "toscac/Parse/TOSCA/Grammar.def"
  };
}

} // namespace
} // namespace toscac::tosca::grammar

llvm::ArrayRef<EntityRule> tosca::allEntities() {
  static const grammar::Tables tables(grammar::entities(), grammar::shortForms,
                                      grammar::constraints);
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
