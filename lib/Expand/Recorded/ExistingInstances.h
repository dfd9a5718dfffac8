//===- ExistingInstances.h - Instances already there ------------*- C++ -*-===//
///
/// \file
/// What the passes of expansion ask where a deployment is there already: which
/// instances a template has, and what becomes of them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_EXISTINGINSTANCES_H
#define TOSCAC_LIB_EXPAND_EXISTINGINSTANCES_H

#include "Graph/Expansion.h"
#include "Recorded.h"
#include "toscac/Expand/DeploymentChange.h"

namespace toscac::expanding {

class ExistingInstances {
public:
  ExistingInstances(Expansion &expansion, const DeploymentChange &change);

  const DeploymentChange &change;

private:
  std::shared_ptr<const Recorded> indexed;

public:
  const Recorded &recorded;

  /// Instances of \p nodeClass: recorded ones, then new ones. \p count is what
  /// the template says; it counts for updates only.
  uint32_t setInstances(uint32_t nodeClass, uint32_t count);
  /// The same, where others have decided: \p leaves says of each recorded
  /// instance whether it goes, \p added how many are new.
  void setInstances(uint32_t nodeClass, llvm::ArrayRef<bool> leaves,
                    uint32_t added);
  /// Of the node that \p nodeClass is inside of.
  ir::Presence presenceAround(uint32_t nodeClass) const;
  uint32_t indexOf(uint32_t nodeClass, uint32_t row) const;
  /// Which of the instances that the template wants this one is. Indices are
  /// not given twice, so that the fourth of four may be `db[5]`; none for one
  /// that goes.
  uint32_t positionOf(uint32_t nodeClass, uint32_t row);
  uint32_t nextIndex(uint32_t nodeClass) const {
    return classes[nodeClass].nextIndex;
  }
  ir::Presence presenceOf(uint32_t nodeClass, uint32_t row) const {
    return classes[nodeClass].presence[row];
  }
  /// Of all instances of \p nodeClass.
  llvm::ArrayRef<ir::Presence> presenceOf(uint32_t nodeClass) const {
    return classes[nodeClass].presence;
  }

  /// The recorded entities of the first rows of \p nodeClass.
  llvm::ArrayRef<uint32_t> recordedRows(uint32_t nodeClass) const {
    return classes[nodeClass].recorded;
  }
  /// The recorded entity that the node of \p nodeClass in \p row is; null: it
  /// is new.
  const state::Entity *recordedNode(uint32_t nodeClass, uint32_t row) const;
  /// What the deployment calls the template of \p nodeClass.
  std::string pathOf(uint32_t nodeClass) const;

  // By recorded entity.
  /// To be called when all nodes of \p subgraph are there.
  void enterNodes(ir::SubgraphId subgraph);
  /// `none`: the template has it no more.
  ir::NodeId nodeOf(uint32_t recordedNode) const { return nodes[recordedNode]; }
  bool isLeaving(uint32_t recordedNode) const;
  bool isReplaced(uint32_t row) const {
    return !change.replaced.empty() &&
           change.replaced.contains(recorded[row].name);
  }
  /// Reports that the template has no more what the state has; false.
  bool reportLost(uint32_t row) const;

private:
  struct Class {
    /// Recorded entities of the first rows.
    std::vector<uint32_t> recorded;
    std::vector<ir::Presence> presence;
    uint32_t firstNew = 0;
    uint32_t nextIndex = 0;
    /// See positionOf(); empty until somebody asks.
    std::vector<uint32_t> positions;
  };
  void findPositions(uint32_t nodeClass);

  Expansion &expansion;
  std::vector<Class> classes;
  /// By recorded row.
  std::vector<ir::NodeId> nodes;
};

} // namespace toscac::expanding

#endif
