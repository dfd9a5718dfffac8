//===- RaisedRules.h - Rules that a failure may set off ---------*- C++ -*-===//
///
/// \file
/// Says, once for all instances, whether what an operation writes when it fails
/// could make some level rule fire. For most operations it cannot, and nobody
/// has to look at their steps.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_RAISEDRULES_H
#define TOSCAC_LIB_PLAN_RAISEDRULES_H

#include "SymbolicRun.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

/// What \p atom is worth; anything where it is not known.
using AtomTruth = llvm::function_ref<Truth(AtomId)>;

/// What \p term is worth, if that follows without evaluating loops or values of
/// the run.
Truth quickTruth(const Conditions &conditions, TermId term, AtomTruth atom);

class RaisedRules {
public:
  explicit RaisedRules(const SymbolicRun &run);

  /// Whether the failure of an operation may raise a rule.
  bool mayRaise(SlotId slot, uint32_t operation);

private:
  bool compute(SlotId slot, uint32_t operation);
  bool mayRaise(SlotId failing, const ir::Operation &operation, uint32_t watch);
  /// Whether a rule that sends the operation could fire.
  bool couldBeSent(SlotId receiver, uint32_t operation);
  bool couldFire(const RuleBlock &block);
  Truth truthOf(TermId term, SlotId slot);
  /// The value that a cell has in all instances and that no step changes; none:
  /// there is no such value.
  ValueId constant(SlotId slot, uint32_t cell);

  const SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  /// Rules by what they send to their own machine, and operations that others
  /// send.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>,
                 llvm::SmallVector<const RuleBlock *, 1>>
      ownRules;
  llvm::DenseSet<const char *> sentByOthers;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, bool> known;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, ValueId> constants;
  /// Cells of the failing machine, while it is looked at.
  std::optional<SlotId> failing;
  llvm::SmallDenseMap<uint32_t, ValueId, 4> written;
};

} // namespace toscac::plan

#endif
