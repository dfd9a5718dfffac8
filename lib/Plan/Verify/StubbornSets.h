//===- StubbornSets.h - Completions that must be tried now ------*- C++ -*-===//
///
/// \file
/// Partial-order reduction by stubborn sets (Valmari): of the operations that
/// run, only those that something else can interfere with before they end have
/// to end in every order. No outcome is lost.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_STUBBORNSETS_H
#define TOSCAC_LIB_PLAN_STUBBORNSETS_H

#include "GroundInterpreter.h"

namespace toscac::plan {

class StubbornSets {
public:
  StubbornSets(const GroundInterpreter &interpreter,
               const Independence &independence);

  /// Which of the operations that run have to end in every order.
  std::vector<uint32_t> choose();
  /// Likewise; others than \p firsts are like one of these.
  std::vector<uint32_t> choose(llvm::ArrayRef<uint32_t> firsts);
  /// Whether it is enough to let \p completion, which runs, end now.
  bool isEnough(uint32_t completion) { return grow(completion, 2).size() == 1; }

private:
  /// The smallest stubborn set with \p first, as far as it is known, if less
  /// than \p most of its operations run; else empty.
  std::vector<uint32_t> grow(uint32_t first, size_t most);
  template <typename Completions>
  std::vector<uint32_t> chooseAmong(const Completions &firsts);
  bool add(uint32_t completion);
  bool isIn(uint32_t completion) const { return rounds[completion] == round; }
  /// Completions without which \p operation, which does not run, never starts.
  std::vector<uint32_t> needsOf(uint32_t operation) const;
  /// Completions without which \p formula, which is false, never holds.
  std::vector<uint32_t> needsOf(FormulaId formula) const;
  size_t costOf(llvm::ArrayRef<uint32_t> needs) const;

  const GroundInterpreter &interpreter;
  const Independence &independence;
  const GroundSystem &system;
  /// By operation: the rules that send it, and whether something else does.
  std::vector<llvm::SmallVector<uint32_t, 1>> rules;
  llvm::BitVector isSent;
  /// The set that is grown: the round in which a completion came to be in one.
  std::vector<uint32_t> rounds;
  uint32_t round = 0;
  std::vector<uint32_t> open, enabled;
};

} // namespace toscac::plan

#endif
