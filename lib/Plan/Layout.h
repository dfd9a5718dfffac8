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

namespace toscac::plan {

struct SlotId {
  uint32_t index;
  friend bool operator==(SlotId, SlotId) = default;
};
struct CellId {
  uint32_t index;
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
  /// What services get in addition, by scope; empty: nothing.
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

class Layout {
public:
  Layout(const ir::Graph &graph, MachineSet set);

  const ir::Graph &graph;
  const MachineSet set;
  std::vector<Slot> slots;

  uint32_t numCells() const { return cells; }
  uint32_t numEvents() const { return events; }

  const ir::Machine &machine(SlotId slot) const {
    return set.machines[slots[slot.index].machine.index];
  }
  /// The slots of the entity's class, one after another.
  ir::IdRange<SlotId> slotsOf(ir::EntityId entity) const;
  std::optional<SlotId> findSlot(ir::EntityId entity, Name interface) const;
  uint32_t rowOf(SlotId slot, ir::EntityId entity) const {
    return entity.index - slots[slot.index].firstEntity;
  }

  CellId cell(SlotId slot, uint32_t row, uint32_t cell) const {
    return {slots[slot.index].firstCell +
            row * uint32_t(machine(slot).cells.size()) + cell};
  }
  EventId event(SlotId slot, uint32_t row, uint32_t operation) const {
    return {slots[slot.index].firstEvent +
            row * uint32_t(machine(slot).operations.size()) + operation};
  }
  std::optional<CellId> findCell(ir::EntityId entity, Name interface,
                                 Name cell) const;
  std::optional<EventId> findEvent(ir::EntityId entity, Name interface,
                                   Name operation) const;

  CellPlace place(CellId cell) const;
  EventPlace place(EventId event) const;

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
  /// From now on what leaves has left: conditions do not see it any more.
  void forgetLeaving() { leavingHasLeft = true; }
  bool hasLeft(ir::EntityId entity) const {
    return leavingHasLeft && graph.presenceOf(entity) == ir::Presence::Leaving;
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

  uint32_t cells = 0;
  uint32_t events = 0;
  bool leavingHasLeft = false;
  /// For each class (of nodes, relationships, services), and one more: its
  /// first slot.
  std::vector<uint32_t> firstSlots;
};

} // namespace toscac::plan

#endif
