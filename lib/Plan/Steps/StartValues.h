//===- StartValues.h - Cells as a step may find them ------------*- C++ -*-===//
///
/// \file
/// The values that a cell can have when a step starts, over all replays of a
/// plan: each step starts at any time after the steps it waits for have ended,
/// and runs for any time. Steps that are ordered before it leave what the last
/// of them wrote; each step that nothing orders may have started or ended, or
/// neither. One that it excludes may have ended, but is not running.
///
/// The sets are never too small. So a condition that holds for all of their
/// members surely holds, and one that does not may.
///
/// An output that a step's guard asks for is as the guard says. What any other
/// will be is not known.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_STARTVALUES_H
#define TOSCAC_LIB_PLAN_STARTVALUES_H

#include "Steps/PlanOrder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace toscac::plan {

/// A step that writes a cell.
struct CellWriter {
  StepId step;
  /// None: it writes the cell only when it ends.
  ValueId onEntry;
  ValueId atEnd;
  /// The write at its end.
  WriteId last;
};

class StartValues {
public:
  /// \p order is that of the plan, by the steps of \p run.
  StartValues(const SymbolicRun &run, PlanOrder &order);

  /// By cell: what it may have besides; null: nothing.
  using MoreValues = llvm::DenseMap<uint32_t, llvm::SmallVector<ValueId, 2>>;
  const MoreValues *more = nullptr;

  /// Whether \p term of \p self holds in every replay when \p step starts.
  bool surelyHolds(StepId step, TermId term, ir::EntityId self);

  /// Steps that write \p cell, other than \p reader (none: at the end of the
  /// plan), as far as the workflow itself does not write it after them and
  /// before \p reader; the last first.
  llvm::SmallVector<CellWriter, 8> writersOf(CellId cell, StepId reader) const {
    ValueId base;
    return writersOf(cell, reader, base);
  }
  /// Whether all steps that write \p cell are ordered one after another.
  bool isSequential(CellId cell) const { return !unordered.test(cell.index); }
  /// Whether neither step waits for the other one.
  bool areUnordered(StepId a, StepId b) { return !order.areOrdered(a, b); }

private:
  using Values = llvm::SmallVectorImpl<ValueId>;
  llvm::SmallVector<CellWriter, 8> writersOf(CellId cell, StepId reader,
                                             ValueId &base) const;
  void find(CellId cell, Values &values);
  std::optional<ValueId> findOnly(CellId cell);
  void findAll(CellId cell, Values &values);
  /// What the reader knows of what \p writer leaves.
  ValueId valueOf(const CellWriter &writer) const;
  bool holdsForAll(TermId term, ir::EntityId self);

  const SymbolicRun &run;
  PlanOrder &order;
  TruthOf truth;
  /// Cells with steps that write them and that nothing orders.
  llvm::BitVector unordered;
  // Of the question at hand.
  StepId reader;
  /// Cells with several values.
  llvm::MapVector<uint32_t, llvm::SmallVector<ValueId, 4>> open;
  /// The one of several that is looked at.
  llvm::DenseMap<uint32_t, ValueId> chosen;
};

} // namespace toscac::plan

#endif
