//===- CellText.cpp - Cells of entities as JSON ---------------------------===//

#include "CellText.h"

#include "toscac/Basic/JSONWriter.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::StringRef;

ValueId CellText::valueBefore(CellId cell) const {
  const History &history = plan.run.history;
  WriteId write = history.lastWrite(cell);
  while (write && history.writes[write.index].step)
    write = history.writes[write.index].previous;
  return history.valueAfter(cell, write);
}

std::string CellText::write(ir::IdRange<SlotId> slots,
                            ArrayRef<ValueId> values) const {
  std::string result;
  llvm::raw_string_ostream os(result);
  JSONWriter json(os);
  json.objectBegin();
  for (SlotId slot : slots.ids()) {
    const ir::Machine &machine = plan.system.layout.machine(slot);
    if (machine.cells.empty())
      continue;
    json.attributeBegin(machine.interface.str());
    json.objectBegin();
    for (const ir::Cell &cell : machine.cells) {
      ValueId value = values.front();
      values = values.drop_front();
      if (value == atRunTime)
        continue;
      json.attributeBegin(cell.name.str());
      writeJSON(json, plan.system.values[value]);
    }
    json.objectEnd();
  }
  json.objectEnd();
  return result;
}

StringRef CellText::of(ir::EntityId entity, bool atEnd) {
  const Layout &layout = plan.system.layout;
  ir::IdRange<SlotId> slots = layout.slotsOf(entity);
  llvm::SmallVector<uint32_t, 2> machines;
  llvm::SmallVector<ValueId, 8> values;
  for (SlotId slot : slots.ids()) {
    machines.push_back(layout.slots[slot.index].machine.index);
    uint32_t row = layout.rowOf(slot, entity);
    for (uint32_t i = 0; i != layout.slots[slot.index].cellsPerRow; ++i) {
      CellId cell = layout.cell(slot, row, i);
      values.push_back(atEnd ? plan.run.history.value(cell)
                             : valueBefore(cell));
    }
  }
  if (values.empty())
    return "";
  Known &known = (atEnd ? after : before)[machines.front()];
  if (known.values != values || known.machines != machines) {
    known.text = write(slots, values);
    known.values = std::move(values);
    known.machines = std::move(machines);
  }
  return known.text;
}
