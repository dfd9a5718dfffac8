//===- Stubborn.h - Completions that must be tried now ----------*- C++ -*-===//
///
/// \file
/// Partial-order reduction by stubborn sets (Valmari): of the operations that
/// run, only those that something else can interfere with before they end have
/// to end in every order. No outcome is lost.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_STUBBORN_H
#define TOSCAC_LIB_PLAN_STUBBORN_H

#include "Acts.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

class Stubborn {
public:
  explicit Stubborn(const Acts &acts);

  /// Which of \p running have to be tried from \p state.
  std::vector<uint32_t> choose(const ActState &state,
                               llvm::ArrayRef<uint32_t> running) const;

private:
  void findEffects(uint32_t operation);
  void addStart(uint32_t operation, uint32_t by);
  void findConflicts();
  void addNeeds(const ActState &state, uint32_t operation, llvm::BitVector &set,
                llvm::SmallVectorImpl<uint32_t> &open) const;
  /// A part of \p formula that is false and makes it so.
  bool falseTests(const ActState &state, FormulaId formula,
                  llvm::SmallVectorImpl<const Formula *> &tests) const;

  const Acts &acts;
  const GroundSystem &system;
  /// By operation whose end is meant: what may start in that act, and the
  /// cells that it may write or ask for.
  std::vector<llvm::BitVector> starts, writes, reads;
  /// Acts that may start an operation.
  std::vector<llvm::BitVector> startedBy;
  /// Acts that do not commute with it.
  std::vector<llvm::BitVector> conflicts;
  /// By cell: the acts that may write it.
  std::vector<llvm::BitVector> writers;
  /// By cell: the rules that ask for it, be it through a precondition.
  std::vector<std::vector<uint32_t>> rulesOfCell;
};

} // namespace toscac::plan

#endif
