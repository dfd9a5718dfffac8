//===- GroundNumbers.h - Numbers of what is spelt out -----------*- C++ -*-===//
///
/// \file
/// The cells and events of a layout that a ground system has, and their numbers
/// in it: those of the layout, unless some entities are hidden. What is left is
/// then numbered without gaps.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_GROUNDNUMBERS_H
#define TOSCAC_LIB_PLAN_GROUNDNUMBERS_H

#include "System/Layout.h"

namespace toscac::plan {

class GroundNumbers {
public:
  /// The entities that \p layout hides now have no numbers.
  explicit GroundNumbers(const Layout &layout);

  uint32_t of(CellId cell) const {
    if (!layout.hidden)
      return cell.index;
    CellPlace at = layout.place(cell);
    return firstCells[at.slot.index] +
           rowNumber(at.slot, at.row) *
               layout.slots[at.slot.index].cellsPerRow +
           at.cell;
  }
  uint32_t of(EventId event) const {
    if (!layout.hidden)
      return event.index;
    EventPlace at = layout.place(event);
    return firstEvents[at.slot.index] +
           rowNumber(at.slot, at.row) *
               layout.slots[at.slot.index].eventsPerRow +
           at.operation;
  }

  /// Calls \p visit with each slot and row of an entity that is not hidden.
  template <typename Visit>
  void forEachRow(Visit visit) const {
    for (uint32_t i = 0; i != layout.slots.size(); ++i)
      for (uint32_t row = 0; row != layout.slots[i].rows; ++row)
        if (!layout.isHidden(layout.entity({i}, row)))
          visit(SlotId{i}, row);
  }
  /// In the order of their numbers, as below.
  template <typename Visit>
  void forEachEvent(Visit visit) const {
    forEachRow([&](SlotId slot, uint32_t row) {
      for (uint32_t i = 0; i != layout.slots[slot.index].eventsPerRow; ++i)
        visit(layout.event(slot, row, i));
    });
  }
  template <typename Visit>
  void forEachCell(Visit visit) const {
    forEachRow([&](SlotId slot, uint32_t row) {
      for (uint32_t i = 0; i != layout.slots[slot.index].cellsPerRow; ++i)
        visit(layout.cell(slot, row, i));
    });
  }

private:
  uint32_t rowNumber(SlotId slot, uint32_t row) const {
    return rowNumbers[layout.entity(slot, row).index];
  }

  const Layout &layout;
  // Where some entities are hidden: by entity, its number among those of its
  // class that are not, and by slot, its first cell and event.
  std::vector<uint32_t> rowNumbers, firstCells, firstEvents;
};

} // namespace toscac::plan

#endif
