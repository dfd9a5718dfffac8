//===- ExistingInstances.h - Instances already there ------------*- C++ -*-===//
///
/// \file
/// What the passes of expansion ask where a deployment is there already: which
/// instances a template has, which relationships they keep, and in the end
/// which values are recorded.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_EXISTINGINSTANCES_H
#define TOSCAC_LIB_EXPAND_EXISTINGINSTANCES_H

#include "Graph/Expansion.h"
#include "Recorded.h"
#include "toscac/Expand/DeploymentChange.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace toscac::expanding {

class ExistingInstances {
public:
  ExistingInstances(Expansion &expansion, const DeploymentChange &change);

  const DeploymentChange &change;

private:
  std::shared_ptr<const Recorded> indexed;

public:
  const Recorded &recorded;
  /// Recorded relationships that an update leaves keep their targets.
  bool holdsPins = true;

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

  /// To be called when all nodes of \p subgraph are there: finds the class of
  /// each recorded relationship.
  bool linkSubgraph(ir::SubgraphId subgraph);
  /// A recorded relationship.
  struct Pin {
    uint32_t recorded;
    ir::NodeId target;
    uint16_t capability;
  };
  /// Those of \p relationshipClass that leave the source in \p row.
  llvm::ArrayRef<Pin> pinsOf(uint32_t relationshipClass, uint32_t row) const;
  bool stays(uint32_t relationshipClass, const Pin &pin) const;
  /// The recorded relationship \p recorded does not stay.
  void unpin(uint32_t relationshipClass, uint32_t recorded);
  /// The container that a new instance must go to.
  std::optional<ir::NodeId> placeOf(uint32_t relationshipClass,
                                    uint32_t row) const;
  /// Adds what is recorded to the links that Fulfil has found for a class.
  void mergeLinks(uint32_t relationshipClass);

  /// Presence of all entities, and recorded cells, attributes and properties.
  /// False after a report.
  bool finish();

  /// The recorded entity that the node of \p nodeClass in \p row is; null: it
  /// is new.
  const state::Entity *recordedNode(uint32_t nodeClass, uint32_t row) const;

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
  /// Relationships of a class by source row.
  struct Kept {
    std::vector<uint32_t> offsets;
    std::vector<Pin> pins;
    /// Those that do not stay although their ends do.
    llvm::DenseSet<uint32_t> unpinned;
    /// Those among them whose target has no room for them any more.
    llvm::DenseSet<uint32_t> moved;
  };

  std::string pathOf(uint32_t nodeClass) const;
  bool leadsTo(uint32_t relationship, uint32_t relationshipClass) const;
  uint32_t classOf(uint32_t relationship, const ir::NodeClass &source,
                   std::vector<uint32_t> &filled) const;
  bool linkClass(uint32_t nodeClass);
  bool isLeaving(uint32_t recordedNode) const;
  bool isReplaced(uint32_t row) const {
    return !change.replaced.empty() &&
           change.replaced.contains(recorded[row].name);
  }
  /// The assignments of \p source by name; none: there are several.
  std::map<llvm::StringRef, uint32_t>
  classesByName(const ir::NodeClass &source) const;
  std::optional<uint16_t> capabilityOf(uint32_t relationship,
                                       ir::NodeId target) const;
  /// The next index of a relationship of the source in \p row.
  uint32_t &nextNumber(uint32_t nodeClass, uint32_t row, Name requirement);
  bool reportLost(uint32_t recorded) const;

  // What finish() does.
  void setNodePresence();
  void forgetOutdated();
  void setRelationshipPresence();
  /// Instances whose container changes, and what is in replaced ones; whether
  /// there are any.
  bool replaceContents();
  void restoreValues();
  void checkBounds() const;
  /// Why what the template has no more, or what has to move, is taken down.
  void noteTemplates();
  void explainReplaced();
  void explainLeaving();
  /// Inputs that the deployment does not have.
  void reportInputs() const;
  /// Templates that the deployment does not know yet, or that are gone.
  void reportNovel() const;
  /// Instances that the template has no room for.
  void reportRemoved() const;
  /// What instances of a class have.
  struct Columns {
    std::vector<ir::ValueColumn> &properties;
    std::vector<ir::ValueColumn> &attributes;
    std::vector<ir::MachineSlot> &machines;
    uint32_t rows;

    bool areShared() const;
    void repeat(uint32_t first, uint32_t end);
  };
  /// \p from has the recorded entities of the first rows, or none.
  void restoreAll(llvm::ArrayRef<uint32_t> from, ir::EntityId first,
                  Columns columns);
  // Each says whether the template gives the properties that are recorded.
  bool restore(const state::Entity &entity, ir::EntityId id, Columns columns,
               uint32_t row);
  bool compare(const state::Entity &entity, ir::EntityId id, Columns columns,
               uint32_t row);
  void note(ir::EntityId id, ir::Presence presence, const llvm::Twine &reason);

  Expansion &expansion;
  std::vector<Class> classes;
  std::vector<Kept> kept;
  /// By recorded row.
  std::vector<ir::NodeId> nodeOf;
  /// By class of relationships, then by row of the graph: the recorded one.
  std::vector<std::vector<uint32_t>> recordedLinks;
  /// By source node and name: the next index of a relationship.
  llvm::DenseMap<std::pair<uint32_t, const char *>, uint32_t> nextNumbers;
};

} // namespace toscac::expanding

#endif
