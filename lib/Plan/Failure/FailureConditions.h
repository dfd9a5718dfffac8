//===- FailureConditions.h - Conditions after a failure ---------*- C++ -*-===//
///
/// \file
/// What a condition is worth where cells of steps that go on are unknown. What
/// depends on those is left as a guard.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FAILURECONDITIONS_H
#define TOSCAC_LIB_PLAN_FAILURECONDITIONS_H

#include "FailureCells.h"
#include "Steps/Guards.h"
#include "llvm/Support/SaveAndRestore.h"

namespace toscac::plan {

/// What a condition is worth, and on which failure steps and values of the run
/// that depends.
struct Answer {
  Truth truth = Truth::True;
  Guards guards;
  llvm::SmallVector<uint32_t, 2> writers;
  /// It depends on a cell whose writer has not ended.
  bool isUnsettled = false;

  bool isPossible() const { return truth != Truth::False && !isUnsettled; }
  void add(const Answer &other) {
    addGuards(guards, other.guards);
    writers.append(other.writers);
  }
};

/// Which cells conditions of events read, and which of them other failure steps
/// write at any time.
class CellReads {
public:
  /// Of an event and a cell, by number.
  using Read = std::pair<uint32_t, uint32_t>;

  /// Forgets what was read, but not what is contested.
  void clear() { reads.clear(); }
  void clearAll() {
    reads.clear();
    contested.clear();
  }
  /// For as long as the result lives, \p event is the one whose precondition,
  /// or rule, is looked at.
  llvm::SaveAndRestore<std::optional<EventId>> lookAt(EventId event) {
    return {receiver, std::optional(event)};
  }
  void note(CellId cell, ValueId value) {
    if (receiver)
      reads[{receiver->index, cell.index}] = value;
  }
  /// Whether the cell may be another one when the event that is looked at is
  /// accepted.
  bool isContested(CellId cell) const {
    return receiver && contested.contains({receiver->index, cell.index});
  }
  /// Cells of which \p isRacing says that a step writes them which nothing
  /// orders against that of the event; whether there are more than are known.
  bool findContested(llvm::function_ref<bool(Read)> isRacing);

private:
  std::optional<EventId> receiver;
  /// What the cell was when that was looked at last.
  llvm::DenseMap<Read, ValueId> reads;
  llvm::DenseSet<Read> contested;
};

class FailureConditions {
public:
  FailureConditions(PlanData &plan, FailureCells &cells)
      : plan(plan), system(plan.system), cells(cells) {}

  /// Of \p self; if \p strict, values that steps wrote on entry count.
  Answer of(TermId term, ir::EntityId self, bool strict = false);
  Answer of(const Expr *expr, ir::EntityId self);
  /// Whether \p event would be accepted.
  Answer of(EventId event);
  /// Whether a rule fires: its condition, and the precondition of what it
  /// sends.
  Answer of(const RulePlace &rule, bool strict);

  CellReads reads;

private:
  PlanData &plan;
  EventSystem &system;
  FailureCells &cells;
};

} // namespace toscac::plan

#endif
