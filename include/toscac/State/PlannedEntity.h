//===- toscac/State/PlannedEntity.h - Entities of plans ---------*- C++ -*-===//
///
/// \file
/// An entity as a plan lists it: as in a state, but relationships have the
/// numbers of their ends, and it may be about to leave.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_STATE_PLANNEDENTITY_H
#define TOSCAC_STATE_PLANNEDENTITY_H

#include "toscac/State/State.h"
#include "llvm/Support/Error.h"

namespace toscac {
class JSONReader;
}

namespace toscac::state {

/// What a plan makes of an entity.
enum class PlannedChange : uint8_t {
  /// It is there before and after.
  None,
  New,
  /// It gets other properties and stays up.
  Updated,
  /// It is taken down and brought up again.
  Replaced,
  /// It is gone in the end.
  Gone
};
/// As plans spell it; empty for those that they do not.
llvm::StringRef spelling(PlannedChange change);

struct PlannedEntity {
  /// Without the names of a relationship's ends.
  Entity content;
  /// Numbers of the ends of a relationship in the plan.
  uint32_t source = 0;
  uint32_t target = 0;
  /// It leaves the state when these steps have ended.
  std::optional<llvm::ArrayRef<uint32_t>> gone;
  /// Its properties are those recorded until these steps have ended; not set:
  /// until a step has begun to work on it.
  std::optional<llvm::ArrayRef<uint32_t>> renewed;
  PlannedChange change = PlannedChange::None;
  /// Why it is updated or replaced; empty: nobody said.
  llvm::StringRef reason;
  /// What it is called where it is recorded; empty: as here.
  llvm::StringRef movedFrom;
  /// Operations that other steps carry out: a list of maps with `interface`,
  /// the cells of its `entry`, and what its `failure` writes. A run that ends
  /// while cells are as on entry has not carried it out.
  Value lasting;
  /// The properties that it is taken down with, if these are others.
  Value former;
};

/// Reads the line \p json of a plan.
llvm::Expected<PlannedEntity>
readPlannedEntity(llvm::StringRef json, JSONReader &reader, ValueArena &arena);

} // namespace toscac::state

#endif
