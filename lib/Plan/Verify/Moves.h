//===- Moves.h - What each move reads and writes ----------------*- C++ -*-===//
///
/// \file
/// A move is the end of an operation, with the events it sends, or the firing
/// of a rule: the pieces that all orders of a ground system are made of. What
/// one may read, write and start is told from the text of the system.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_MOVES_H
#define TOSCAC_LIB_PLAN_MOVES_H

#include "Ground.h"

namespace toscac::plan {

/// The ends of operations, then the firings of rules.
using Move = uint32_t;

/// On whose behalf a move writes or reads: that of an operation that it may
/// start, or, with this value, its own.
inline constexpr uint32_t moveItself = ~0u;

struct MoveWrite {
  GroundWrite write;
  uint32_t by;
};

struct MoveRead {
  FormulaId formula;
  uint32_t by;
};

struct Effects {
  std::vector<MoveWrite> writes;
  std::vector<MoveRead> reads;
  std::vector<uint32_t> starts;
  /// Operations that its end sends an event to without a condition.
  std::vector<uint32_t> sends;
};

/// A condition that tests a cell, and for which values the test holds.
struct CellTest {
  FormulaId condition;
  uint64_t values;
};

class Moves {
public:
  explicit Moves(const GroundSystem &system);

  uint32_t size() const { return effects.size(); }
  Move firing(uint32_t rule) const { return numOperations + rule; }
  bool isFiring(Move move) const { return move >= numOperations; }
  uint32_t ruleOf(Move firing) const { return firing - numOperations; }

  const Effects &operator[](Move move) const { return effects[move]; }
  /// Moves that may write \p cell.
  llvm::ArrayRef<std::pair<Move, MoveWrite>> writersOf(uint32_t cell) const {
    return writers[cell];
  }
  /// Moves that read the condition \p formula, and by whom.
  llvm::ArrayRef<std::pair<Move, uint32_t>> readersOf(FormulaId formula) const {
    return readers[formula.index];
  }
  /// Rules that wait for the condition \p formula.
  llvm::ArrayRef<uint32_t> rulesWaitingFor(FormulaId formula) const {
    return waiting[formula.index];
  }
  /// Conditions that somebody reads or waits for.
  llvm::ArrayRef<CellTest> testsOf(uint32_t cell) const { return tests[cell]; }

private:
  void findEffects(Move move);
  void addStart(uint32_t operation, Effects &effects);
  void addSends(llvm::ArrayRef<GroundSend> sends, Effects &effects);

  const GroundSystem &system;
  const uint32_t numOperations;
  std::vector<Effects> effects;
  std::vector<std::vector<std::pair<Move, MoveWrite>>> writers;
  std::vector<llvm::SmallVector<std::pair<Move, uint32_t>, 1>> readers;
  std::vector<llvm::SmallVector<uint32_t, 1>> waiting;
  std::vector<std::vector<CellTest>> tests;
};

/// Calls \p visit with each test below \p formula.
template <typename Visit>
void forEachTest(const GroundSystem &system, FormulaId id, Visit visit) {
  const Formula &formula = system[id];
  if (formula.isTest())
    visit(formula);
  for (FormulaId part : formula.parts)
    forEachTest(system, part, visit);
}

} // namespace toscac::plan

#endif
