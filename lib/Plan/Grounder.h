//===- Grounder.h - Spelling out an event system ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_GROUNDER_H
#define TOSCAC_LIB_PLAN_GROUNDER_H

#include "Ground.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

class Grounder {
public:
  Grounder(const Start &start, const Run &run, Part part);

  std::optional<GroundSystem> ground(std::string &why);

private:
  using Bound = llvm::SmallVectorImpl<ir::EntityId>;

  void collectValues();
  ValueId valueAt(CellId cell, std::optional<Boundary> boundary) const;
  void addValue(CellId cell, ValueId value);
  std::optional<ValueId> valueOf(const ir::Set &set, EventId event);
  uint8_t indexOf(CellId cell, ValueId value) const;
  bool isConstant(CellId cell) const;

  FormulaId add(Formula formula);
  FormulaId constant(bool isTrue) {
    return add({isTrue ? Formula::Kind::And : Formula::Kind::Or, 0, 0, {}});
  }
  FormulaId compile(TermId term, ir::EntityId self);
  FormulaId build(TermId term, Bound &bound, bool wanted);
  FormulaId buildAtom(uint32_t atom, Bound &bound, bool wanted);
  FormulaId buildParts(const Term &term, Bound &bound, bool wanted);
  FormulaId buildLoop(uint32_t loop, Bound &bound, bool wanted);
  FormulaId buildOther(uint32_t other, ir::EntityId self, bool wanted);
  std::vector<CellId> cellsOf(const OtherTerm &other, ir::EntityId self);

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
    return add({Formula::Kind::Test, cell, uint64_t(1) << value, {}});
  }
  void addTaskOperation(std::vector<FormulaId> conditions,
                        std::vector<GroundWrite> writes);

  bool canHold(FormulaId id) const;
  void findPossible();
  bool tryAccept(uint32_t operation);
  std::vector<EventId> findSentInVain() const;
  GroundSystem prune();
  FormulaId simplify(FormulaId id, GroundSystem &into);
  void pruneOperation(const GroundOperation &old, GroundSystem &into);

  const Start &start;
  const Run &run;
  llvm::ArrayRef<CellGoal> goals;
  llvm::ArrayRef<EventId> events;
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
  /// What each cell has before the workflow sets goals.
  std::vector<uint8_t> atFirst;
  /// Cells that some operation writes.
  llvm::BitVector isWritten;
  /// By task: a cell that says that it is done, and what it begins after.
  std::vector<uint32_t> doneCells;
  std::vector<llvm::SmallVector<TaskId, 2>> precedingTasks;
  /// Conditions of tasks that are looked at before anything happens.
  llvm::BitVector decided;
  std::string problem;
};

} // namespace toscac::plan

#endif
