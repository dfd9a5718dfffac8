//===- GrammarWords.h - The words of grammar tables -------------*- C++ -*-===//
///
/// \file
/// What the tables of a Grammar.def say for presence and shapes, and how tables
/// become rules. For the files that include one.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_GRAMMARWORDS_H
#define TOSCAC_LIB_PARSE_TOSCA_GRAMMARWORDS_H

#include "toscac/Parse/TOSCA/Grammar.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

/// A namespace with a name, because the enumerators that are opened here must
/// not hide classes elsewhere.
namespace toscac::tosca::grammar {

using enum EntityKind;
using Status = KeyRule::Status;

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

struct ShortFormOf {
  EntityKind kind;
  ShortForm form;
};

struct ConstraintOf {
  EntityKind kind;
  KeyConstraint constraint;
};

/// The rules of all entities, with their short forms and constraints.
struct Tables {
  std::vector<EntityRule> entities;
  std::vector<std::vector<KeyConstraint>> constraintsOf;

  Tables(std::vector<EntityRule> rules, llvm::ArrayRef<ShortFormOf> shortForms,
         llvm::ArrayRef<ConstraintOf> constraints)
      : entities(std::move(rules)), constraintsOf(entities.size()) {
    for (const ShortFormOf &entry : shortForms)
      entities[static_cast<size_t>(entry.kind)].shortForm = &entry.form;
    for (const ConstraintOf &entry : constraints)
      constraintsOf[static_cast<size_t>(entry.kind)].push_back(
          entry.constraint);
    for (auto [entity, list] : llvm::zip_equal(entities, constraintsOf))
      entity.constraints = list;
  }
};

} // namespace toscac::tosca::grammar

#endif
