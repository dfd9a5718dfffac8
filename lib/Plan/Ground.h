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

#include "Run.h"
#include "Simulate.h"

namespace toscac::plan {

struct FormulaId {
  uint32_t index;
  friend bool operator==(FormulaId, FormulaId) = default;
};

/// Negations are gone: a test has a bit for each value that makes it true.
struct Formula {
  enum class Kind : uint8_t { Test, And, Or };
  Kind kind;
  /// Of a test.
  uint32_t cell = 0;
  uint64_t values = 0;
  /// Of the others: none make `And` true and `Or` false.
  std::vector<FormulaId> parts;
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
  uint32_t cell;
  uint8_t value;
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

  const Formula &operator[](FormulaId id) const { return formulas[id.index]; }

  template <typename ValueOf>
  bool holds(FormulaId id, ValueOf valueOf) const {
    const Formula &formula = formulas[id.index];
    auto part = [&](FormulaId child) { return holds(child, valueOf); };
    switch (formula.kind) {
    case Formula::Kind::Test:
      return formula.values >> valueOf(formula.cell) & 1;
    case Formula::Kind::And:
      return llvm::all_of(formula.parts, part);
    case Formula::Kind::Or:
      return llvm::any_of(formula.parts, part);
    }
    llvm_unreachable("all kinds are handled");
  }
};

/// Spells out the system that \p part of \p start starts, with the outcome of
/// \p run. Otherwise says why that cannot be done.
std::optional<GroundSystem> ground(const Start &start, const Run &run,
                                   Part part, std::string &problem);

} // namespace toscac::plan

#endif
