//===- SuspendedRules.h - Rules that a workflow switches off ----*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_SUSPENDEDRULES_H
#define TOSCAC_LIB_PLAN_SUSPENDEDRULES_H

#include "Layout.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

/// Level rules that do not fire in this plan, although their condition holds.
class SuspendedRules {
public:
  explicit SuspendedRules(const Layout &layout) : layout(layout) {}

  /// Those of a machine that pursue an intent: the workflow itself calls the
  /// operations.
  void add(SlotId slot, uint32_t row) { machines.insert({slot.index, row}); }
  /// All of \p entity.
  void add(ir::EntityId entity) {
    if (entities.empty())
      entities.resize(layout.graph.numEntities());
    entities.set(entity.index);
  }

  bool empty() const { return machines.empty() && entities.empty(); }
  /// A rule of the machine in \p slot and \p row.
  bool contains(SlotId slot, uint32_t row, bool pursuesIntent) const {
    if (!entities.empty() && entities.test(layout.entity(slot, row).index))
      return true;
    return pursuesIntent && machines.contains({slot.index, row});
  }

private:
  const Layout &layout;
  /// Slots and rows.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> machines;
  /// Empty: none.
  llvm::BitVector entities;
};

} // namespace toscac::plan

#endif
