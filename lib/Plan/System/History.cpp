//===- History.cpp - Who wrote what, and when -----------------------------===//

#include "History.h"

using namespace toscac;
using namespace toscac::plan;

ValueId ValueTable::intern(const Value &value) {
  // The two highest hashes are DenseMap's own.
  auto &alike = byHash[value.hash() >> 2];
  for (ValueId id : alike)
    if (values[id.index] == value && values[id.index].kind() == value.kind())
      return id;
  ValueId id{uint32_t(values.size())};
  values.push_back(value);
  alike.push_back(id);
  return id;
}

/// The values of one cell for all rows of a slot.
static void readColumn(const ir::Column &column, const ir::Cell &cell,
                       uint32_t rows, ValueTable &values,
                       llvm::SmallVectorImpl<ValueId> &result) {
  const Expr *known = nullptr;
  ValueId id = values.intern(cell.initial);
  ValueId fallback = id;
  for (uint32_t row = 0; row != rows; ++row) {
    const Expr *value = column.at(row);
    if (value != known) {
      known = value;
      id = value && value->isLiteral() ? values.intern(value->value())
                                       : fallback;
    }
    result.push_back(id);
  }
}

History::History(const Layout &layout, ValueTable &values)
    : initials(layout.numCells()), last(layout.numCells()) {
  llvm::SmallVector<ValueId, 0> column;
  for (auto [i, slot] : llvm::enumerate(layout.slots)) {
    SlotId id{uint32_t(i)};
    for (auto [c, cell] : llvm::enumerate(layout.machine(id).cells)) {
      column.clear();
      readColumn(slot.columns->cells[c], cell, slot.rows, values, column);
      for (auto [row, value] : llvm::enumerate(column))
        initials[layout.cell(id, row, c).index] = value;
    }
  }
}

History::History(const History &before, Moment moment)
    : initials(before.initials.size()), last(before.last.size()) {
  for (uint32_t i = 0; i != initials.size(); ++i)
    initials[i] = before.valueAfter({i}, before.lastWrite({i}, moment));
}

llvm::SmallVector<WriteId, 8> History::writesTo(CellId cell) const {
  llvm::SmallVector<WriteId, 8> result;
  for (WriteId write = last[cell.index]; write;
       write = writes[write.index].previous)
    result.push_back(write);
  std::reverse(result.begin(), result.end());
  return result;
}
