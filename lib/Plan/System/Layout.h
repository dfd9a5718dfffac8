//===- Layout.h - Numbers for cells, events and rules -----------*- C++ -*-===//
///
/// \file
/// Every cell, event and level rule of a graph has a number. Numbers are given
/// slot by slot (a slot is one interface of one class), instance by instance,
/// so that they are computed, not stored.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_LAYOUT_H
#define TOSCAC_LIB_PLAN_LAYOUT_H

#include "toscac/IR/Graph.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

struct SlotId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(SlotId, SlotId) = default;
};
struct CellId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(CellId, CellId) = default;
  friend auto operator<=>(CellId, CellId) = default;
};
/// An operation of an interface of an entity.
struct EventId {
  uint32_t index;
  friend bool operator==(EventId, EventId) = default;
  friend auto operator<=>(EventId, EventId) = default;
};

/// One interface of all instances of one class.
struct Slot {
  ir::MachineId machine;
  ir::EntityKind kind;
  /// Entities from this one on have it.
  uint32_t firstEntity;
  uint32_t rows;
  uint32_t firstCell;
  uint32_t firstEvent;
  uint32_t cellsPerRow;
  uint32_t eventsPerRow;
  Name interface;
  /// Where the names of its cells begin in Layout::cellNames.
  uint32_t firstCellName;
  const ir::MachineSlot *columns;
};

/// Machines of a graph as a workflow needs them: with operations that stand for
/// its activities.
struct MachineSet {
  MachineSet() = default;
  /// As the graph has them.
  explicit MachineSet(const ir::Graph &graph) : machines(graph.machines) {}

  /// Those of the graph, with operations added at the end, then others.
  std::vector<ir::Machine> machines;
  /// What services get in addition, by subgraph; empty: nothing.
  std::vector<std::vector<ir::MachineSlot>> ofServices;
};

/// An id taken apart.
struct CellPlace {
  SlotId slot;
  uint32_t row;
  uint32_t cell;
};
struct EventPlace {
  SlotId slot;
  uint32_t row;
  uint32_t operation;
};

/// Finds the range that has an id, of ranges that follow one another, without a
/// search through all of them: ids are looked up in blocks. What the ranges
/// begin with is copied, so that it stands close together.
class RangeIndex {
public:
  RangeIndex() = default;
  /// \p first is the id that a range begins with, \p total the number of ids.
  template <typename Range>
  RangeIndex(llvm::ArrayRef<Range> ranges, uint32_t Range::*first,
             uint32_t total) {
    firsts.reserve(ranges.size());
    for (const Range &range : ranges)
      firsts.push_back(range.*first);
    uint32_t range = 0;
    for (uint32_t id = 0; id < total; id += blockSize) {
      while (range + 1 != firsts.size() && firsts[range + 1] <= id)
        ++range;
      blocks.push_back(range);
    }
    blocks.push_back(firsts.empty() ? 0 : firsts.size() - 1);
  }

  /// Empty ranges begin where the next one does: the last of them has the id.
  uint32_t find(uint32_t id) const {
    uint32_t low = blocks[id / blockSize], high = blocks[id / blockSize + 1];
    while (low != high) {
      uint32_t middle = low + (high - low + 1) / 2;
      if (firsts[middle] <= id)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

private:
  static constexpr uint32_t blockSize = 16;
  /// The range that has the first id of each block; and the last range.
  std::vector<uint32_t> blocks;
  std::vector<uint32_t> firsts;
};

class Layout {
public:
  Layout(const ir::Graph &graph, MachineSet set);

  const ir::Graph &graph;
  const MachineSet set;
  std::vector<Slot> slots;
  /// Set for the later part of a workflow: entities that leave have left, and
  /// conditions do not see them any more.
  bool leavingHasLeft = false;
  /// By entity: left out, because others stand for it; null: none is.
  const llvm::BitVector *hidden = nullptr;

  uint32_t numCells() const { return cells; }
  uint32_t numEvents() const { return events; }

  const ir::Machine &machine(SlotId slot) const {
    return set.machines[slots[slot.index].machine.index];
  }
  /// The slots of the entity's class, one after another.
  ir::IdRange<SlotId> slotsOf(ir::EntityId entity) const {
    uint32_t c = classNumber(entity);
    return {firstSlots[c], firstSlots[c + 1] - firstSlots[c]};
  }
  /// None: the entity has no such interface.
  LLVM_ATTRIBUTE_ALWAYS_INLINE SlotId findSlot(ir::EntityId entity,
                                               Name interface) const {
    uint32_t c = classNumber(entity);
    for (uint32_t i = firstSlots[c], end = firstSlots[c + 1]; i != end; ++i)
      if (slots[i].interface == interface)
        return {i};
    return {};
  }
  uint32_t rowOf(SlotId slot, ir::EntityId entity) const {
    return entity.index - slots[slot.index].firstEntity;
  }

  CellId cell(SlotId slot, uint32_t row, uint32_t cell) const {
    const Slot &at = slots[slot.index];
    return {at.firstCell + row * at.cellsPerRow + cell};
  }
  CellId cell(const CellPlace &at) const {
    return cell(at.slot, at.row, at.cell);
  }
  EventId event(SlotId slot, uint32_t row, uint32_t operation) const {
    const Slot &at = slots[slot.index];
    return {at.firstEvent + row * at.eventsPerRow + operation};
  }
  EventId event(const EventPlace &at) const {
    return event(at.slot, at.row, at.operation);
  }
  /// None: the entity has no such cell. The heart of every condition, and
  /// small: as a call it would cost more.
  LLVM_ATTRIBUTE_ALWAYS_INLINE CellId findCell(ir::EntityId entity,
                                               Name interface,
                                               Name cell) const {
    SlotId slot = findSlot(entity, interface);
    if (!slot)
      return {};
    const Slot &at = slots[slot.index];
    for (uint32_t i = 0; i != at.cellsPerRow; ++i)
      if (cellNames[at.firstCellName + i] == cell)
        return this->cell(slot, rowOf(slot, entity), i);
    return {};
  }
  std::optional<EventId> findEvent(ir::EntityId entity, Name interface,
                                   Name operation) const;

  CellPlace place(CellId cell) const {
    SlotId slot{cellSlots.find(cell.index)};
    const Slot &at = slots[slot.index];
    uint32_t offset = cell.index - at.firstCell, row = offset / at.cellsPerRow;
    return {slot, row, offset - row * at.cellsPerRow};
  }
  EventPlace place(EventId event) const {
    SlotId slot{eventSlots.find(event.index)};
    const Slot &at = slots[slot.index];
    uint32_t offset = event.index - at.firstEvent;
    uint32_t row = offset / at.eventsPerRow;
    return {slot, row, offset - row * at.eventsPerRow};
  }

  ir::EntityId entity(SlotId slot, uint32_t row) const {
    return {slots[slot.index].firstEntity + row};
  }
  ir::EntityId entityOf(EventId event) const {
    EventPlace at = place(event);
    return entity(at.slot, at.row);
  }
  ir::EntityId entityOf(CellId cell) const {
    CellPlace at = place(cell);
    return entity(at.slot, at.row);
  }
  const ir::Operation &operation(EventId event) const {
    EventPlace at = place(event);
    return machine(at.slot).operations[at.operation];
  }
  bool isHidden(ir::EntityId entity) const {
    return hidden && hidden->test(entity.index);
  }
  bool hasLeft(ir::EntityId entity) const {
    return (leavingHasLeft &&
            graph.presenceOf(entity) == ir::Presence::Leaving) ||
           isHidden(entity);
  }
  /// The value that a cell has before the plan.
  const Value &initial(CellId cell) const;

  /// `site[2].standard.create` and `site[2].standard.state`.
  std::string nameOf(EventId event) const;
  std::string nameOf(CellId cell) const;

private:
  void addClass(llvm::ArrayRef<ir::MachineSlot> machines, ir::EntityKind kind,
                uint32_t firstEntity, uint32_t rows);
  void addSlots(llvm::ArrayRef<ir::MachineSlot> machines, ir::EntityKind kind,
                uint32_t firstEntity, uint32_t rows);

  /// Classes of nodes, then of relationships, then services.
  uint32_t classNumber(ir::EntityId entity) const {
    if (graph.isNode(entity))
      return graph.classOfNode[entity.index].index;
    uint32_t number = graph.nodeClasses.size();
    if (graph.isRelationship(entity))
      return number +
             graph.classOfRelationship[graph.relationship(entity).index].index;
    return number + graph.relationshipClasses.size() +
           graph.subgraph(entity).index;
  }

  uint32_t cells = 0;
  uint32_t events = 0;
  /// Of the machines, one after another: what is asked for most stands close
  /// together.
  std::vector<Name> cellNames;
  std::vector<uint32_t> firstCellNames;
  RangeIndex cellSlots;
  RangeIndex eventSlots;
  /// By class number, and one more: its first slot.
  std::vector<uint32_t> firstSlots;
};

} // namespace toscac::plan

#endif
