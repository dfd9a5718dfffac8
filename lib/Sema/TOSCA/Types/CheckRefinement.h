//===- CheckRefinement.h - May this refine that? ----------------*- C++ -*-===//
///
/// \file
/// The rules of Refinement.def that compare one keyname with its parent's.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKREFINEMENT_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKREFINEMENT_H

#include "Flatten.h"
#include <optional>

namespace toscac::sema {

struct RefinementRule {
  enum Rule : uint8_t {
    RefineOrAdd,
    Add,
    RefineOnly,
    Redefine,
    Nested,
    Narrow,
    Subset,
    OnlyTrue,
    Fixed,
    Frozen,
    Conjoin,
    Within,
    AddOnly
  };
  EntityKind entity;
  Key key;
  Rule rule;
  EntityKind kind;
};

/// The row for \p key of \p entity; null if there is none.
const RefinementRule *findRule(EntityKind entity, Key key);

/// The kind of type that `type` names in a definition of \p kind.
std::optional<EntityKind> typeOfDefinition(EntityKind kind);

/// Checks \p field of \p flat's nearest layer against \p base (null: nothing is
/// refined, only names are resolved).
void checkRefinement(Program &program, const RefinementRule &rule, Flat &flat,
                     const Flat *base, const Field &field);

/// Reports a refinement of what has a fixed value.
void checkNotFixed(Program &program, const Flat &flat, const Flat &base);

/// Reports that \p flat, refined before the type of its owner was narrowed at
/// \p narrowed, is of another type than there, \p inType.
void reportNotNarrower(Program &program, const Flat &flat, const Flat &inType,
                       SourceRange narrowed);

/// Reports that \p entity refines nothing in \p owner.
void reportNothingToRefine(Program &program, const Flat &owner, Key key,
                           const Entity &entity);

} // namespace toscac::sema

#endif
