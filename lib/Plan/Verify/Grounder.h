//===- Grounder.h - Spelling out an event system ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_GROUNDER_H
#define TOSCAC_LIB_PLAN_GROUNDER_H

#include "Ground.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

class Grounder : private ConditionWalk<Grounder, FormulaId> {
public:
  Grounder(const Start &start, const SymbolicRun &run, Part part);

  /// Whether a condition reads what may tell entities apart that are alike.
  bool tellsApart = false;

  std::optional<GroundSystem> ground(std::string &why);

private:
  friend ConditionWalk;

  void numberRows();
  /// Numbers in `all`; entities that are hidden have none.
  uint32_t numberOf(CellId cell) const {
    if (!layout.hidden)
      return cell.index;
    CellPlace at = layout.place(cell);
    return firstCells[at.slot.index] +
           rowNumber(at.slot, at.row) *
               layout.slots[at.slot.index].cellsPerRow +
           at.cell;
  }
  uint32_t numberOf(EventId event) const {
    if (!layout.hidden)
      return event.index;
    EventPlace at = layout.place(event);
    return firstEvents[at.slot.index] +
           rowNumber(at.slot, at.row) *
               layout.slots[at.slot.index].eventsPerRow +
           at.operation;
  }
  uint32_t rowNumber(SlotId slot, uint32_t row) const {
    return rowNumbers[layout.entity(slot, row).index];
  }
  /// Calls \p visit with each slot and row of an entity that is not hidden.
  template <typename Visit>
  void forEachRow(Visit visit) const {
    for (uint32_t i = 0; i != layout.slots.size(); ++i)
      for (uint32_t row = 0; row != layout.slots[i].rows; ++row)
        if (!layout.isHidden(layout.entity({i}, row)))
          visit(SlotId{i}, row);
  }
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

  void collectValues();
  /// Calls \p visit with each cell that outputs of \p event are written to, and
  /// with what they turn out to be.
  void forEachOutput(EventId event,
                     llvm::function_ref<void(CellId, ValueId)> visit);
  ValueId valueAt(CellId cell, std::optional<Boundary> boundary) const;
  void addValue(CellId cell, ValueId value);
  std::optional<ValueId> valueOf(const ir::Set &set, EventId event);
  uint8_t indexOf(CellId cell, ValueId value) const;
  bool isConstant(CellId cell) const;

  FormulaId add(Formula formula);
  FormulaId constant(bool isTrue) { return add(Formula::constant(isTrue)); }
  FormulaId compile(TermId term, ir::EntityId self, bool wanted = true) {
    return walk(term, self, wanted);
  }
  FormulaId atom(AtomId atom, Binding &bound, bool wanted);
  FormulaId other(const Term &term, Binding &bound, bool wanted);
  FormulaId group(const Group &group, Binding &bound);

  void buildOperations();
  std::vector<GroundWrite> writesOf(EventId event,
                                    llvm::ArrayRef<ir::Set> sets);
  std::vector<GroundSend> sendsOf(EventId event,
                                  llvm::ArrayRef<ir::Trigger> triggers);
  void buildRules();
  bool holdsAtFirst(FormulaId id) const;

  void addPromises();
  void addPromise(const ir::Promise &promise, ir::EntityId owner);

  // Tasks.
  void addTasks();
  void addTask(TaskId task);
  void checkCalls();
  void findDecided();
  bool isSkipped(TaskConditionId condition);
  uint32_t addTaskCell(uint8_t expected);
  FormulaId isValue(uint32_t cell, uint8_t value) {
    return add(Formula::test(cell, uint64_t(1) << value));
  }
  void addTaskOperation(std::vector<FormulaId> conditions,
                        std::vector<GroundWrite> writes, uint32_t times);
  /// The group that \p task is in: an index of TaskGraph::groups.
  std::optional<uint32_t> groupOf(TaskId task) const;
  bool isBegunInRun(TaskId task) const;
  void addGroup(const TaskGroup &group);

  bool canHold(FormulaId id) const;
  void findPossible();
  bool tryAccept(uint32_t operation);
  std::vector<EventId> findSentInVain() const;
  GroundSystem prune();
  FormulaId simplify(FormulaId id, GroundSystem &into);
  void pruneOperation(const GroundOperation &old, GroundSystem &into);

  const Start &start;
  const SymbolicRun &run;
  std::vector<CellGoal> goals;
  /// Numbers of what the workflow sends at first.
  std::vector<uint32_t> events;
  /// Where what is wanted begins and ends; none: with the run.
  std::optional<Boundary> begin, end;
  EventSystem &system;
  const Layout &layout;
  GroundSystem all;
  /// By cell, a bit for each of its values.
  std::vector<uint64_t> possible;
  llvm::BitVector accepted;
  /// New numbers of what is kept.
  std::vector<uint32_t> cellNumbers, operationNumbers;
  // Where some entities are hidden: by entity, its number among those of its
  // class that are not, and by slot, its first cell and event.
  std::vector<uint32_t> rowNumbers, firstCells, firstEvents;
  /// What each cell has before the workflow sets goals.
  std::vector<uint8_t> atFirst;
  /// Cells that some operation writes.
  llvm::BitVector isWritten;
  /// By task: a cell that says that it is done, and what it begins after.
  std::vector<uint32_t> doneCells;
  /// By group: whether it is under way (Begun) or over (Skipped).
  std::vector<uint32_t> groupCells;
  std::vector<llvm::SmallVector<TaskId, 2>> precedingTasks;
  /// Conditions of tasks that are looked at before anything happens.
  llvm::BitVector decided;
  std::string problem;
};

} // namespace toscac::plan

#endif
