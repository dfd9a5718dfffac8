//===- toscac/Expand/DeploymentChange.h - Going on from a state -*- C++ -*-===//
///
/// \file
/// What expansion goes on from: a recorded deployment, and what is to become of
/// its instances. Recorded instances keep their indices, and those that stay
/// keep their relationships.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_DEPLOYMENTCHANGE_H
#define TOSCAC_EXPAND_DEPLOYMENTCHANGE_H

#include "toscac/State/State.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <memory>

namespace toscac {
namespace expanding {
class Recorded;
}

/// New instances of a node template.
struct Addition {
  uint32_t count = 0;
  /// Not 0: as many of them go to each of the new containers, which are
  /// instances of the template `container`.
  uint32_t perContainer = 0;
  std::string container;
};

struct DeploymentChange {
  const state::Deployment *recorded = nullptr;
  /// The same, indexed; null: nobody has done that yet.
  std::shared_ptr<const expanding::Recorded> indexed;
  /// Counts and properties are those that the template gives, not those
  /// recorded.
  bool updates = false;
  /// Nothing becomes of instances; those that are up are asked how they are.
  bool checks = false;
  /// The template must give recorded instances the properties they have.
  bool mustAgree = false;
  /// Names of instances that are taken down for good; where counts are per
  /// container, instances of scaling groups are among them.
  llvm::StringSet<> removed;
  /// Names of instances, and of relationships, that are taken down and brought
  /// up again.
  llvm::StringSet<> replaced;
  /// Why, by name.
  llvm::StringMap<std::string> reasons;
  /// Nodes that stay, and are told to heal themselves.
  llvm::StringSet<> healed;
  /// By node template.
  llvm::StringMap<Addition> added;
  /// By node template or scaling group, where counts are per container: how
  /// many there are then. Empty: nothing is added.
  llvm::StringMap<uint32_t> counts;
  /// By scaling group: how many instances it gets.
  llvm::StringMap<uint32_t> addedGroups;
};

} // namespace toscac

#endif
