//===- EquivalentRows.h - Instances that start alike ------------*- C++ -*-===//
///
/// \file
/// Instances of a class whose cells have the same values before the plan are
/// alike: what their own cells rule out for one of them, they rule out for all,
/// as long as nobody writes to them. So a plan that changes a few of a million
/// instances looks at those few.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_EQUIVALENTROWS_H
#define TOSCAC_LIB_PLAN_EQUIVALENTROWS_H

#include "SymbolicRun.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

/// Rows of a slot that follow one another.
struct RowRange {
  uint32_t first;
  uint32_t end;
};

class EquivalentRows {
public:
  EquivalentRows(EventSystem &system, const History &history);

  /// All rows of \p slot.
  llvm::ArrayRef<RowRange> of(SlotId slot) const {
    return ranges[rangesOfSlot[slot.index]];
  }
  /// Whether \p term is false for each row of \p range, whatever other entities
  /// do; those that were written to are left out.
  bool isFalse(TermId term, SlotId slot, RowRange range) const;
  /// Whether a rule can be true for these; as above.
  bool canFire(const RuleBlock &block, RowRange range) const;

private:
  std::vector<RowRange> find(ir::IdRange<SlotId> slots) const;

  EventSystem &system;
  const History &history;
  /// By class with instances, from 1 on; 0 has none.
  std::vector<std::vector<RowRange>> ranges;
  std::vector<uint32_t> rangesOfSlot;
};

/// Entities that have cells which were written to.
class WrittenEntities {
public:
  explicit WrittenEntities(const Layout &layout)
      : layout(layout), written(layout.graph.numEntities()) {}

  void add(ir::EntityId entity) { written.set(entity.index); }
  bool contains(ir::EntityId entity) const {
    return written.test(entity.index);
  }
  /// Calls \p visit with each row of \p range, in ascending order, that has
  /// been added before its turn comes.
  template <typename Visit>
  void forEachRow(SlotId slot, RowRange range, Visit visit) const {
    uint32_t first = layout.slots[slot.index].firstEntity;
    int at = written.find_first_in(first + range.first, first + range.end);
    while (at != -1) {
      visit(at - first);
      at = written.find_first_in(at + 1, first + range.end);
    }
  }

private:
  const Layout &layout;
  llvm::BitVector written;
};

} // namespace toscac::plan

#endif
