//===- Grammar.cpp - The tables of TOSCA 1.x ------------------------------===//

#include "TOSCA/GrammarWords.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;

namespace toscac::tosca::grammar {
namespace {

#define ENTITY(KIND, ...) constexpr KeyRule keysOf##KIND[] = {
#define KEY(KEY, PRESENCE, SHAPE)                                              \
  {Key::KEY, presence::PRESENCE, Status::Current,                              \
   Key::KEY, shape::SHAPE,       "1.x"},
#define FORM(KEY, INSTEAD, PRESENCE, SHAPE, FORM)                              \
  {Key::KEY, presence::PRESENCE, Status::Other, Key::INSTEAD, shape::SHAPE,    \
   "1.x",    Form::FORM},
#define UNUSED(KEY, SHAPE)                                                     \
  {Key::KEY, Presence::Optional, Status::Unused, Key::KEY, shape::SHAPE, "1.x"},
#define END_ENTITY(KIND)                                                       \
  }                                                                            \
  ;
#include "toscac/Parse/TOSCA1/Grammar.def"

constexpr ShortFormOf shortForms[] = {
#define SHORT(KIND, FORM, KEY) {KIND, {ShortForm::Kind::FORM, Key::KEY}},
#include "toscac/Parse/TOSCA1/Grammar.def"
};

constexpr ConstraintOf constraints[] = {
#define NOT_BOTH(KIND, A, B)                                                   \
  {KIND, {KeyConstraint::Kind::NotBoth, Key::A, Key::B}},
#include "toscac/Parse/TOSCA1/Grammar.def"
};

/// In the order of TOSCA 2.0, with the words that messages use there.
std::vector<EntityRule> entities() {
  std::vector<EntityRule> rules(allEntities().begin(), allEntities().end());
  for (EntityRule &rule : rules) {
    rule.keys = {};
    rule.shortForm = nullptr;
    rule.constraints = {};
  }
#define ENTITY(KIND, SECTION)                                                  \
  rules[static_cast<size_t>(KIND)].keys = keysOf##KIND;                        \
  rules[static_cast<size_t>(KIND)].section = SECTION;
#include "toscac/Parse/TOSCA1/Grammar.def"
  return rules;
}

} // namespace
} // namespace toscac::tosca::grammar

/// Versions of the standard, of its NFV profile and of Alien4Cloud, whose
/// language is nearly the standard's.
static bool isOlderVersion(StringRef version) {
  // Drafts of 1.0, before its text was final.
  if (version.consume_front("tosca_simple_yaml_1_0_0_wd"))
    return version.size() == 2 && llvm::all_of(version, llvm::isDigit);
  static constexpr llvm::StringLiteral known[] = {
      "tosca_simple_yaml_1_0",
      "tosca_simple_yaml_1_0_0",
      "tosca_simple_yaml_1_1",
      "tosca_simple_yaml_1_1_0",
      "tosca_simple_yaml_1_2",
      "tosca_simple_yaml_1_2_0",
      "tosca_simple_yaml_1_3",
      "tosca_simple_yaml_1_3_0",
      "tosca_simple_profile_for_nfv_1_0",
      "tosca_simple_profile_for_nfv_1_0_0",
      "tosca_simple_profile_for_mec_1_0_0",
      "alien_dsl_1_2_0",
      "alien_dsl_1_3_0",
      "alien_dsl_1_4_0",
      "alien_dsl_2_0_0",
      "alien_dsl_3_0_0",
  };
  return llvm::is_contained(known, version);
}

/// In 1.0 and 1.1, and in what was made of them, a derived type says what it
/// likes of what it inherits; later texts have rules for that.
static bool isBeforeRefinement(StringRef version) {
  return !version.starts_with("tosca_simple_yaml_1_2") &&
         !version.starts_with("tosca_simple_yaml_1_3");
}

StringRef tosca::nearestVersion(StringRef version) {
  if (version == "tosca_2_0" || isOlderVersion(version))
    return version;
  return version.starts_with("tosca_simple") ? "tosca_simple_yaml_1_3"
                                             : "tosca_2_0";
}

const EarlierVersion *tosca::findEarlierVersion(StringRef version) {
  if (!isOlderVersion(version))
    return nullptr;
  static const grammar::Tables tables(grammar::entities(), grammar::shortForms,
                                      grammar::constraints);
  static const EarlierVersion first{tables.entities, "tosca1",
                                    /*hasRefinementRules=*/false};
  static const EarlierVersion later{tables.entities, "tosca1",
                                    /*hasRefinementRules=*/true};
  return isBeforeRefinement(version) ? &first : &later;
}
