//===- EquivalentRows.cpp - Instances that start alike --------------------===//

#include "EquivalentRows.h"

#include "RaisedRules.h"

using namespace toscac;
using namespace toscac::plan;

EquivalentRows::EquivalentRows(EventSystem &system, const History &history)
    : system(system), history(history), ranges(1) {
  const Layout &layout = system.layout;
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    if (layout.slots[i].rows == 0) {
      rangesOfSlot.push_back(0);
      continue;
    }
    auto slots = layout.slotsOf(layout.entity({i}, 0));
    if (slots.first == i)
      ranges.push_back(find(slots));
    rangesOfSlot.push_back(ranges.size() - 1);
  }
}

std::vector<RowRange> EquivalentRows::find(ir::IdRange<SlotId> slots) const {
  const Layout &layout = system.layout;
  uint32_t rows = layout.slots[slots.first].rows;
  llvm::BitVector differs(rows);
  for (SlotId slot : slots.ids()) {
    const Slot &info = layout.slots[slot.index];
    for (uint32_t cell = 0; cell != info.cellsPerRow; ++cell) {
      if (info.columns->cells[cell].isShared())
        continue;
      for (uint32_t row = 1; row != rows; ++row)
        if (history.initial(layout.cell(slot, row, cell)) !=
            history.initial(layout.cell(slot, row - 1, cell)))
          differs.set(row);
    }
  }
  std::vector<RowRange> found;
  uint32_t first = 0;
  for (unsigned row : differs.set_bits()) {
    found.push_back({first, row});
    first = row;
  }
  found.push_back({first, rows});
  return found;
}

bool EquivalentRows::isFalse(TermId term, SlotId slot, RowRange range) const {
  const Layout &layout = system.layout;
  ir::EntityId entity = layout.entity(slot, range.first);
  auto valueOf = [&](AtomId id) {
    Atom &atom = system.conditions.atoms[id.index];
    if (atom.cell.route.origin != 0 || !atom.cell.route.steps.empty())
      return Truth::Unknown;
    CellId cell = layout.findCell(entity, atom.cell.interface, atom.cell.cell);
    bool holds = cell ? system.conditions.test(atom, history.initial(cell))
                      : atom.whereNothing;
    return holds ? Truth::True : Truth::False;
  };
  return quickTruth(system.conditions, term, valueOf) == Truth::False;
}

bool EquivalentRows::canFire(const RuleBlock &block, RowRange range) const {
  if (isFalse(block.condition, block.slot, range))
    return false;
  if (!block.own)
    return true;
  auto [receiver, operation] = *block.own;
  return !isFalse(system.program(receiver).preconditions[operation], receiver,
                  range);
}
