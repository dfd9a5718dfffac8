//===- Layout.cpp - Numbers for cells, events and rules -------------------===//

#include "Layout.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

Layout::Layout(const ir::Graph &graph, MachineSet added)
    : graph(graph), set(std::move(added)) {
  for (const ir::Machine &machine : set.machines) {
    firstCellNames.push_back(cellNames.size());
    for (const ir::Cell &cell : machine.cells)
      cellNames.push_back(cell.name);
  }
  for (const ir::NodeClass &c : graph.nodeClasses)
    addClass(c.machines, ir::EntityKind::Node, c.nodes.first, c.nodes.count);
  for (const ir::RelationshipClass &c : graph.relationshipClasses)
    addClass(c.machines, ir::EntityKind::Relationship,
             graph.numNodes() + c.relationships.first, c.relationships.count);
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs)) {
    ir::EntityId service = graph.entity(ir::SubgraphId{uint32_t(i)});
    addClass(subgraph.machines, ir::EntityKind::Service, service.index, 1);
    if (i < set.ofServices.size())
      addSlots(set.ofServices[i], ir::EntityKind::Service, service.index, 1);
  }
  firstSlots.push_back(slots.size());
  cellSlots = RangeIndex(llvm::ArrayRef(slots), &Slot::firstCell, cells);
  eventSlots = RangeIndex(llvm::ArrayRef(slots), &Slot::firstEvent, events);
}

void Layout::addClass(ArrayRef<ir::MachineSlot> machines, ir::EntityKind kind,
                      uint32_t firstEntity, uint32_t rows) {
  firstSlots.push_back(slots.size());
  addSlots(machines, kind, firstEntity, rows);
}

void Layout::addSlots(ArrayRef<ir::MachineSlot> machines, ir::EntityKind kind,
                      uint32_t firstEntity, uint32_t rows) {
  for (const ir::MachineSlot &columns : machines) {
    const ir::Machine &machine = set.machines[columns.machine.index];
    uint32_t cellsPerRow = machine.cells.size();
    uint32_t eventsPerRow = machine.operations.size();
    slots.push_back({.machine = columns.machine,
                     .kind = kind,
                     .firstEntity = firstEntity,
                     .rows = rows,
                     .firstCell = cells,
                     .firstEvent = events,
                     .cellsPerRow = cellsPerRow,
                     .eventsPerRow = eventsPerRow,
                     .interface = machine.interface,
                     .firstCellName = firstCellNames[columns.machine.index],
                     .columns = &columns});
    cells += rows * cellsPerRow;
    events += rows * eventsPerRow;
  }
}

std::optional<EventId> Layout::findEvent(ir::EntityId entity, Name interface,
                                         Name name) const {
  SlotId slot = findSlot(entity, interface);
  if (!slot)
    return std::nullopt;
  for (auto [i, found] : llvm::enumerate(machine(slot).operations))
    if (found.name == name)
      return event(slot, rowOf(slot, entity), i);
  return std::nullopt;
}

const Value &Layout::initial(CellId id) const {
  CellPlace at = place(id);
  const Expr *value = slots[at.slot.index].columns->cells[at.cell].at(at.row);
  if (value && value->isLiteral())
    return value->value();
  return machine(at.slot).cells[at.cell].initial;
}

std::string Layout::nameOf(EventId event) const {
  EventPlace at = place(event);
  const ir::Machine &owner = machine(at.slot);
  return graph.nameOf(entity(at.slot, at.row)) + "." +
         owner.interface.str().str() + "." +
         owner.operations[at.operation].name.str().str();
}

std::string Layout::nameOf(CellId cell) const {
  CellPlace at = place(cell);
  const ir::Machine &owner = machine(at.slot);
  return graph.nameOf(entity(at.slot, at.row)) + "." +
         owner.interface.str().str() + "." +
         owner.cells[at.cell].name.str().str();
}
