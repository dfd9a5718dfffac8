//===- toscac/Expand/ObsoleteTemplates.h - Lost templates -------*- C++ -*-===//
///
/// \file
/// Files that have changed say nothing of what they have lost, but the
/// deployment still has it, and an update takes it down.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_OBSOLETETEMPLATES_H
#define TOSCAC_EXPAND_OBSOLETETEMPLATES_H

#include "toscac/Sema/Models.h"
#include "toscac/State/State.h"

namespace toscac {
class NameTable;

/// Whether \p recorded may have something that \p service does not.
bool mayHaveObsolete(const state::Deployment &recorded,
                     const sema::Service &service);

/// Adds to \p program nodes and requirements that \p recorded has and its
/// services do not, with count 0.
void addObsolete(const state::Deployment &recorded,
                 sema::ObsoleteModels &models, NameTable &names,
                 sema::CheckedProgram &program);

/// Lets paths of services whose nodes are there once lead to the instances that
/// \p recorded has, or to those that come next: no index is given twice.
void followInstances(const state::Deployment &recorded,
                     sema::CheckedProgram &program);

/// Templates that \p recorded has, or had, and \p service does not have any
/// more, with the index that the next instance of each would get; and
/// requirements that are gone (`site.vpn`) with 0.
std::vector<std::pair<std::string, uint32_t>>
obsoleteTemplates(const sema::Service &service,
                  const state::Deployment &recorded);

} // namespace toscac

#endif
