//===- GroundNumbers.cpp - Numbers of what is spelt out -------------------===//

#include "GroundNumbers.h"

using namespace toscac;
using namespace toscac::plan;

GroundNumbers::GroundNumbers(const Layout &layout) : layout(layout) {
  if (!layout.hidden)
    return;
  rowNumbers.resize(layout.graph.numEntities());
  uint32_t cells = 0, operations = 0;
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    const Slot &slot = layout.slots[i];
    firstCells.push_back(cells);
    firstEvents.push_back(operations);
    uint32_t rows = 0;
    for (uint32_t row = 0; row != slot.rows; ++row)
      if (ir::EntityId entity = layout.entity({i}, row);
          !layout.isHidden(entity))
        rowNumbers[entity.index] = rows++;
    cells += rows * slot.cellsPerRow;
    operations += rows * slot.eventsPerRow;
  }
}
