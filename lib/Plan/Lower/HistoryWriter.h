//===- HistoryWriter.h - What operations write ------------------*- C++ -*-===//
///
/// \file
/// Puts writes into the history of the symbolic run, and finds what has to be
/// looked at again: counters of loops follow each write, conditions wait until
/// the act is complete.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_HISTORYWRITER_H
#define TOSCAC_LIB_PLAN_HISTORYWRITER_H

#include "AffectedReaders.h"
#include "Steps/EquivalentRows.h"
#include "System/Truth.h"
#include "System/WatchedCells.h"

namespace toscac::plan {

class HistoryWriter {
public:
  HistoryWriter(SymbolicRun &run, TruthOf &truth, Repetitions &repetitions,
                AffectedReaders &affected)
      : run(run), system(run.system), layout(run.system.layout), truth(truth),
        repetitions(repetitions), affected(affected), watched(run.system),
        touched(layout) {}

  /// \p ending is what the cell will have when \p step ends.
  void write(const CellPlace &at, ValueId value, StepId step,
             ValueId ending = settled);
  /// What the operation of \p step writes when it starts, and when it ends:
  /// then what was written on entry settles.
  void writeOnEntry(StepId step);
  void writeOnSuccess(StepId step);

  const WrittenEntities &writtenEntities() const { return touched; }
  /// What is written was not known; there is a report.
  bool hasFailed = false;

private:
  void writeOutputs(StepId step, const EventPlace &at);
  void countElement(uint32_t loop, const Watch &watch, ir::EntityId written);
  ValueId literal(const Expr &expr);
  /// None, after a report: it is not known.
  ValueId valueOf(const ir::Set &set, ir::EntityId entity);

  SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  TruthOf &truth;
  Repetitions &repetitions;
  AffectedReaders &affected;
  WatchedCells watched;
  WrittenEntities touched;
  llvm::DenseMap<const Expr *, ValueId> literals;
};

} // namespace toscac::plan

#endif
