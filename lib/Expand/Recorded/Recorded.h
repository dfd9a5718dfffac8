//===- Recorded.h - A recorded deployment, indexed --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_RECORDED_H
#define TOSCAC_LIB_EXPAND_RECORDED_H

#include "toscac/State/State.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace toscac::expanding {

/// Entities are named by their position in the deployment.
class Recorded {
public:
  explicit Recorded(const state::Deployment &deployment);

  static constexpr uint32_t none = ~0u;
  const state::Deployment &deployment;

  const state::Entity &operator[](uint32_t row) const {
    return deployment.entities[row];
  }
  uint32_t find(llvm::StringRef name) const;
  /// Nodes of a template, by index. \p path is its name, after that of the
  /// node it is inside of: `db[0]/vm`.
  llvm::ArrayRef<uint32_t> nodesOf(llvm::StringRef path) const;
  /// The paths of all node templates that have instances, in their order.
  llvm::ArrayRef<llvm::StringRef> templates() const { return paths; }
  /// Relationships that leave the node \p row, and that lead to it; those of
  /// which an end is missing are left out.
  llvm::ArrayRef<uint32_t> outgoing(uint32_t row) const;
  llvm::ArrayRef<uint32_t> incoming(uint32_t row) const;
  uint32_t sourceOf(uint32_t relationship) const {
    return sources[relationship];
  }
  uint32_t targetOf(uint32_t relationship) const {
    return targets[relationship];
  }
  uint32_t indexOf(uint32_t row) const { return indices[row]; }
  /// Entities with the same number have the same origin, type, capability and
  /// values; those with different ones may.
  uint32_t shapeOf(uint32_t row) const { return shapes[row]; }
  /// The lowest index that was never given to an instance of \p path.
  uint32_t nextIndex(llvm::StringRef path) const;

private:
  /// Relationships by one of their ends.
  struct Ends {
    std::vector<uint32_t> offsets;
    std::vector<uint32_t> relationships;
    void build(llvm::ArrayRef<uint32_t> nodes);
    llvm::ArrayRef<uint32_t> of(uint32_t row) const {
      return llvm::ArrayRef(relationships)
          .slice(offsets[row], offsets[row + 1] - offsets[row]);
    }
  };

  /// Nodes of one template, which are asked for one after another.
  struct Nodes {
    llvm::StringRef path;
    llvm::ArrayRef<uint32_t> rows;
  };
  void addNodes();
  void addShapes();
  uint32_t findNode(llvm::StringRef name, Nodes &last) const;

  /// What findNode() does not find: services, and nodes with other names than
  /// their indices say.
  llvm::DenseMap<llvm::StringRef, uint32_t> byName;
  /// Made when the first is asked for.
  mutable llvm::DenseMap<llvm::StringRef, uint32_t> relationshipsByName;
  llvm::DenseMap<llvm::StringRef, std::vector<uint32_t>> byPath;
  std::vector<llvm::StringRef> paths;
  // By row; `none` where it is no relationship.
  std::vector<uint32_t> sources, targets;
  // By row: what is asked for most stands close together.
  std::vector<uint32_t> indices, shapes;
  Ends leaving, arriving;
};

/// `db[0]/vm` of `db[0]/vm[1]`.
llvm::StringRef templatePath(llvm::StringRef nodeName);

} // namespace toscac::expanding

#endif
