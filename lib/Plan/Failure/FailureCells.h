//===- FailureCells.h - What is known after a failure -----------*- C++ -*-===//
///
/// \file
/// The cells as they are after a step of the plan has failed. What the steps
/// before it wrote is known; what waits for it never runs; a cell that any
/// other step writes is unknown.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FAILURECELLS_H
#define TOSCAC_LIB_PLAN_FAILURECELLS_H

#include "Steps/EventSteps.h"
#include "Steps/PlanOrder.h"

namespace toscac::plan {

struct FailureCell {
  /// None: unknown.
  ValueId value;
  /// The failure step that wrote it, counted from the failure on.
  std::optional<uint32_t> writer;
  /// Written on entry by a failure step that has not ended.
  bool isInFlight = false;
};

class FailureCells {
public:
  FailureCells(const PlanData &plan, PlanOrder &order)
      : plan(plan), order(order) {}

  /// Forgets everything; now \p failed has failed, but written nothing since
  /// its start.
  void begin(StepId failed);
  const FailureCell &operator[](CellId cell);
  /// Whether a step that goes on may still write another value than the one
  /// that is known.
  bool isVolatile(CellId cell);
  void write(CellId cell, FailureCell content) {
    cells[cell.index] = content;
    written.insert(cell.index);
  }

private:
  ValueId valueOf(CellId cell);
  bool isSkippable(StepId origin) const;

  const PlanData &plan;
  PlanOrder &order;
  StepId failed;
  llvm::DenseMap<uint32_t, FailureCell> cells;
  /// Since the failure.
  llvm::DenseSet<uint32_t> written;
};

} // namespace toscac::plan

#endif
