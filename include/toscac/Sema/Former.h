//===- toscac/Sema/Former.h - What a deployment still has -------*- C++ -*-===//
///
/// \file
/// A manifest or stack that has changed says nothing of what it has lost, but
/// the deployment still has it, and an update takes it down. Languages whose
/// nodes all follow a few models, as of a profile, need no template to know
/// how.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_FORMER_H
#define TOSCAC_SEMA_FORMER_H

#include "toscac/Sema/Service.h"
#include "toscac/State/State.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac {
class NameTable;

namespace sema {

/// What recorded nodes and relationships are like.
struct FormerModels {
  /// A node like \p entity; nothing where there is no model for it.
  llvm::function_ref<std::optional<NodeTemplate>(const state::Entity &entity)>
      node;
  /// A requirement of \p source like the relationship \p entity.
  llvm::function_ref<std::optional<Requirement>(const NodeTemplate &source,
                                                const state::Entity &entity)>
      requirement;
  /// Whether an entity is of this service; null: all are.
  llvm::function_ref<bool(const state::Entity &entity)> concerns = nullptr;
};

/// Whether \p recorded may have something that \p service does not.
bool mayHaveFormer(const state::Deployment &recorded, const Service &service);

/// Adds to \p service nodes and requirements that \p recorded has and it does
/// not, each of them to be there not once.
void addFormer(const state::Deployment &recorded, const FormerModels &models,
               NameTable &names, ValueArena &arena, Service &service);

/// Templates that \p recorded has, or had, and \p service does not have any
/// more, with the index that the next instance of each would get; and former
/// requirements (`site.vpn`) with 0.
std::vector<std::pair<std::string, uint32_t>>
formerTemplates(const Service &service, const state::Deployment &recorded);

} // namespace sema
} // namespace toscac

#endif
