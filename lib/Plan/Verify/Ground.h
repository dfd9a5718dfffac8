//===- Ground.h - An event system spelt out ---------------------*- C++ -*-===//
///
/// \file
/// The event system of a run with every path followed: conditions are formulas
/// over numbered cells, events go to numbered operations. What can never
/// happen, whatever the order, is left out. It is what exploring all orders
/// and writing a model for another checker need, and it is as large as
/// instances times conditions: not for a million sites.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_GROUND_H
#define TOSCAC_LIB_PLAN_GROUND_H

#include "Steps/Start.h"
#include "Steps/SymbolicRun.h"

namespace toscac::plan {

struct FormulaId {
  uint32_t index;
  friend bool operator==(FormulaId, FormulaId) = default;
};

/// A condition on one entity, with all paths followed. Negations and loops are
/// gone: what is left are tests, with a bit for each value that makes them
/// true, and groups of which so many parts are to hold.
struct Formula {
  enum class Kind : uint8_t { Test, Group };
  Kind kind;
  /// Of a test.
  uint32_t cell = 0;
  uint64_t values = 0;
  /// Of a group.
  std::vector<FormulaId> parts;
  uint32_t needed = 0;

  static Formula test(uint32_t cell, uint64_t values) {
    return {Kind::Test, cell, values, {}, 0};
  }
  static Formula group(std::vector<FormulaId> parts, uint32_t needed) {
    return {Kind::Group, 0, 0, std::move(parts), needed};
  }
  static Formula all(std::vector<FormulaId> parts) {
    uint32_t number = parts.size();
    return group(std::move(parts), number);
  }
  static Formula any(std::vector<FormulaId> parts) {
    return group(std::move(parts), 1);
  }
  static Formula constant(bool holds) { return group({}, holds ? 0 : 1); }

  bool isTest() const { return kind == Kind::Test; }
  bool isConstant() const { return !isTest() && parts.empty(); }
  bool isTrue() const { return isConstant() && needed == 0; }
  bool needsAll() const { return !isTest() && needed == parts.size(); }

  /// Whether as many parts of a group as it takes are as \p isSo says.
  template <typename IsSo>
  bool areEnough(IsSo isSo) const {
    size_t left = parts.size(), missing = needed;
    for (FormulaId part : parts) {
      if (missing == 0 || left < missing)
        break;
      --left;
      missing -= isSo(part);
    }
    return missing == 0;
  }
};

/// Of what belongs to no entity: how far the tasks of a workflow are.
inline constexpr CellId noCell{~0u};
inline constexpr EventId noOperation{~0u};

struct GroundCell {
  CellId id;
  /// All that it can have; a state has an index into these.
  std::vector<ValueId> values;
  uint8_t initial;
  /// What it has after the run.
  uint8_t expected;
};

struct GroundWrite {
  static constexpr uint8_t anything = ~0;
  uint32_t cell;
  uint8_t value;
  /// It writes only over this.
  uint8_t from = anything;
  bool isSure() const { return from == anything; }
  friend bool operator==(GroundWrite, GroundWrite) = default;
};

struct GroundSend {
  FormulaId condition;
  uint32_t operation;
};

struct GroundOperation {
  EventId id;
  FormulaId precondition;
  std::vector<GroundWrite> entry, success;
  std::vector<GroundSend> onEntry, onSuccess;
  /// How often the run accepted it.
  uint32_t expected = 0;
  /// Not null: it happens when this promise of `owner` is broken.
  const ir::Promise *promise = nullptr;
  ir::EntityId owner{~0u};

  /// Stands for the beginning or the end of a task.
  bool isTask() const { return id == noOperation && !promise; }
  bool takesNoTime() const { return id == noOperation; }
};

struct GroundRule {
  FormulaId condition;
  uint32_t operation;
  ir::EntityId owner;
  /// It holds before anything happens, and has fired.
  bool hasHeld = false;
  /// It says itself when it wants the operation.
  bool isConditional = false;
  /// It is a call that waits: others that want the operation get it later.
  bool isCall = false;
};

/// Of what a workflow wants, one thing after another.
enum class Part : uint8_t { First, Later };

struct GroundSystem {
  std::vector<Formula> formulas;
  std::vector<GroundCell> cells;
  std::vector<GroundOperation> operations;
  std::vector<GroundRule> rules;
  /// What the workflow sends at first.
  std::vector<uint32_t> events;
  /// What is sent, or wanted by a rule with a condition, and never accepted.
  std::vector<EventId> sentInVain;
  /// The run leaves tasks undone, as its outcome does not let it call what they
  /// call. How far they are is then no matter of order.
  bool leavesTasks = false;

  /// Whether it has to be as often as in the run.
  bool isCompared(const GroundOperation &operation) const {
    return !operation.promise && !(leavesTasks && operation.isTask());
  }
  /// Whether it has to end with what it has after the run.
  bool isCompared(const GroundCell &cell) const {
    return !(leavesTasks && cell.id == noCell);
  }

  const Formula &operator[](FormulaId id) const { return formulas[id.index]; }

  template <typename ValueOf>
  bool holds(FormulaId id, ValueOf valueOf) const {
    const Formula &formula = formulas[id.index];
    if (formula.isTest())
      return formula.values >> valueOf(formula.cell) & 1;
    return formula.areEnough(
        [&](FormulaId part) { return holds(part, valueOf); });
  }
};

/// Spells out the system that \p part of \p start starts, with the outcome of
/// \p run. Otherwise says why that cannot be done.
std::optional<GroundSystem> ground(const Start &start, const SymbolicRun &run,
                                   Part part, std::string &problem);

/// The same without the entities that are \p hidden; none where that cannot be
/// done, or where a condition may tell entities apart that are alike.
std::optional<GroundSystem> groundAlike(const Start &start,
                                        const SymbolicRun &run, Part part,
                                        const llvm::BitVector &hidden);

} // namespace toscac::plan

#endif
