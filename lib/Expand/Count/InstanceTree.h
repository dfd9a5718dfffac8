//===- InstanceTree.h - Instances counted per container ---------*- C++ -*-===//
///
/// \file
/// Where counts are per container, templates and scaling groups are the entries
/// of a tree: a template stands below the group that it is a member of or else
/// below its container, a group below the group around it or else below the
/// container of its members. Instances are trees of that shape: each instance
/// of an entry has as many of each entry below as that one's count says.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_INSTANCETREE_H
#define TOSCAC_LIB_EXPAND_INSTANCETREE_H

#include "Recorded/Containment.h"
#include "toscac/Sema/Service.h"

namespace toscac::expanding {

/// The entries: node templates by their index, then groups.
class EntryTree {
public:
  static constexpr uint32_t none = ~0u;

  explicit EntryTree(const sema::CheckedProgram &program);

  const sema::Service &service;

  uint32_t size() const { return parents.size(); }
  uint32_t entryOf(const sema::Group &group) const {
    return service.nodes.size() + (&group - service.groups.data());
  }
  bool isGroup(uint32_t entry) const { return entry >= service.nodes.size(); }
  llvm::StringRef nameOf(uint32_t entry) const;
  /// By name, groups first; `none`: there is no such entry that is counted.
  uint32_t find(llvm::StringRef name) const;
  /// `none`: it is a root.
  uint32_t parentOf(uint32_t entry) const { return parents[entry]; }
  /// Parents before children.
  llvm::ArrayRef<uint32_t> order() const { return sorted; }
  /// The innermost group that \p a and \p b are both in; `none`: there is none.
  uint32_t commonGroup(uint32_t a, uint32_t b) const;
  bool isScaled(const sema::Group &group) const;

private:
  const sema::CheckedProgram &program;
  std::vector<uint32_t> parents;
  std::vector<uint32_t> sorted;
};

class InstanceTree {
public:
  static constexpr uint32_t none = ~0u;

  struct Instance {
    /// Its row among the instances of the parent entry.
    uint32_t parent = none;
    uint32_t index = 0;
    bool isNew = false;
    bool leaves = false;
  };

  explicit InstanceTree(const EntryTree &tree)
      : tree(tree), instances(tree.size()), nextIndices(tree.size()) {}

  const EntryTree &tree;

  /// Recorded ones come first, by index; then new ones.
  llvm::ArrayRef<Instance> of(uint32_t entry) const { return instances[entry]; }
  uint32_t nextIndex(uint32_t entry) const { return nextIndices[entry]; }

  /// Takes over the instances that are recorded.
  void addRecorded(const Containment &containment);
  void remove(uint32_t entry, uint32_t row) {
    instances[entry][row].leaves = true;
  }
  /// What is inside of instances that leave, leaves.
  void removeContents();
  /// Takes the newest away where there are more than \p counts says.
  void cut(llvm::ArrayRef<uint32_t> counts);
  /// Adds what is missing; false if there would be more than \p limit.
  bool fill(llvm::ArrayRef<uint32_t> counts, uint64_t limit);

  /// The row of the instance of \p above, an entry around \p entry, that the
  /// instance \p row of \p entry is in; `none`: in none.
  uint32_t above(uint32_t entry, uint32_t row, uint32_t above) const;
  /// Rows of staying instances by the row of their parent; roots have one list.
  std::vector<std::vector<uint32_t>> byParent(uint32_t entry) const;

private:
  void removeInside(uint32_t entry);
  void addGroups(const Recorded &recorded);
  void linkGroups(const Containment &containment, uint32_t entry, uint32_t node,
                  uint32_t row);
  uint32_t rowOf(uint32_t entry, uint32_t index) const;

  std::vector<std::vector<Instance>> instances;
  std::vector<uint32_t> nextIndices;
};

/// `pod` and 2 of `pod[2]`; false if \p name is of another form.
bool splitInstanceName(llvm::StringRef name, llvm::StringRef &entry,
                       uint32_t &index);

/// How many of each entry \p deployment has in one instance of its parent: as
/// recorded or, where nothing is, 1.
std::vector<uint32_t> recordedCounts(const EntryTree &tree,
                                     const state::Deployment &deployment);

} // namespace toscac::expanding

#endif
