//===- ExistingRelationships.h - Relationships already there ----*- C++ -*-===//
///
/// \file
/// Recorded relationships stay where both ends stay and the template does not
/// ask for something else: they are pins for those who choose targets.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_EXISTINGRELATIONSHIPS_H
#define TOSCAC_LIB_EXPAND_EXISTINGRELATIONSHIPS_H

#include "ExistingInstances.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace toscac::expanding {

/// A recorded relationship.
struct Pin {
  uint32_t recorded;
  ir::NodeId target;
  uint16_t capability;
};

class ExistingRelationships {
public:
  ExistingRelationships(Expansion &expansion, ExistingInstances &instances)
      : expansion(expansion), instances(instances),
        recorded(instances.recorded) {}

  /// Those that an update leaves keep their targets.
  bool holdsPins = true;

  /// To be called when all nodes of \p subgraph are there: finds the class of
  /// each recorded relationship.
  bool linkSubgraph(ir::SubgraphId subgraph);
  /// Those of \p relationshipClass that leave the source in \p row.
  llvm::ArrayRef<Pin> pinsOf(uint32_t relationshipClass, uint32_t row) const;
  bool stays(uint32_t relationshipClass, const Pin &pin) const;
  /// The recorded relationship \p recorded does not stay.
  void unpin(uint32_t relationshipClass, uint32_t recorded);
  /// The container that the change has chosen for a new instance; none: any
  /// will do.
  std::optional<ir::NodeId> placeOf(uint32_t relationshipClass,
                                    uint32_t row) const;
  /// Joins the recorded relationships of a class with the links that Fulfil has
  /// found for it.
  void mergeLinks(uint32_t relationshipClass);

  // When all links are merged.
  /// By row of \p relationshipClass in the graph: the recorded one; `none`: it
  /// is new.
  llvm::ArrayRef<uint32_t> recordedRows(uint32_t relationshipClass) const {
    return recordedLinks[relationshipClass];
  }
  /// Whether it goes although its ends stay.
  bool isUnpinned(uint32_t relationshipClass, uint32_t recorded) const {
    return kept[relationshipClass].unpinned.contains(recorded);
  }
  /// Whether it goes because its target has no room for it any more.
  bool hasMoved(uint32_t relationshipClass, uint32_t recorded) const {
    return kept[relationshipClass].moved.contains(recorded);
  }

private:
  /// Relationships of a class by source row.
  struct Kept {
    std::vector<uint32_t> offsets;
    std::vector<Pin> pins;
    /// Those that do not stay although their ends do.
    llvm::DenseSet<uint32_t> unpinned;
    /// Those among them whose target has no room for them any more.
    llvm::DenseSet<uint32_t> moved;
  };

  bool leadsTo(uint32_t relationship, uint32_t relationshipClass) const;
  uint32_t classOf(uint32_t relationship, const ir::NodeClass &source,
                   std::vector<uint32_t> &filled) const;
  bool linkClass(uint32_t nodeClass);
  /// The assignments of \p source by name; none: there are several.
  std::map<llvm::StringRef, uint32_t>
  classesByName(const ir::NodeClass &source) const;
  std::optional<uint16_t> capabilityOf(uint32_t relationship,
                                       ir::NodeId target) const;
  /// The next index of a relationship of the source in \p row.
  uint32_t &nextNumber(uint32_t nodeClass, uint32_t row, Name requirement);

  Expansion &expansion;
  ExistingInstances &instances;
  const Recorded &recorded;
  std::vector<Kept> kept;
  /// By class of relationships, then by row of the graph: the recorded one.
  std::vector<std::vector<uint32_t>> recordedLinks;
  /// By source node and name: the next index of a relationship.
  llvm::DenseMap<std::pair<uint32_t, const char *>, uint32_t> nextNumbers;
};

} // namespace toscac::expanding

#endif
