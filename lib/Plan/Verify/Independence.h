//===- Independence.h - Which moves are independent -------------*- C++ -*-===//
///
/// \file
/// A move is the end of an operation, with the events it sends, or the firing
/// of a rule. Two moves accord if, wherever both are possible, neither hinders
/// the other and their order leaves no trace. An act is the end of an operation
/// together with the rules that fire thereafter; acts are independent if all
/// their moves accord. All this is told from the text of conditions and writes,
/// once for the whole system.
///
/// What holds while a move is possible tells which moves never meet: the
/// precondition and entry of an operation, as far as nothing that may happen
/// while it runs changes it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_INDEPENDENCE_H
#define TOSCAC_LIB_PLAN_INDEPENDENCE_H

#include "Ground.h"
#include "llvm/ADT/BitVector.h"
#include <deque>

namespace toscac::plan {

class Independence {
public:
  explicit Independence(const GroundSystem &system);

  /// Rules whose firing does not accord with that of \p rule.
  llvm::ArrayRef<uint32_t> rulesAgainst(uint32_t rule) const {
    return againstRules[rule];
  }
  /// Rules that may fire in the same act after \p rule and because of it.
  llvm::ArrayRef<uint32_t> rulesAfter(uint32_t rule) const {
    return after[numOperations + rule];
  }
  /// Acts, each the end of an operation, that are not independent of \p act.
  llvm::ArrayRef<uint32_t> against(uint32_t act) const;
  /// Acts in which \p operation may start.
  llvm::ArrayRef<uint32_t> startersOf(uint32_t operation) const {
    return starters[operation];
  }
  /// Acts that may write to \p cell, with the values.
  struct ActWrite {
    uint32_t act;
    uint8_t value;
    friend auto operator<=>(ActWrite, ActWrite) = default;
  };
  llvm::ArrayRef<ActWrite> writesTo(uint32_t cell) const {
    return actWrites[cell];
  }

private:
  /// The ends of operations, then the firings of rules.
  using Move = uint32_t;
  Move firing(uint32_t rule) const { return numOperations + rule; }
  bool isFiring(Move move) const { return move >= numOperations; }

  /// By whom a move writes or reads: an operation that it may start, or this.
  static constexpr uint32_t itself = ~0u;
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
  /// What the value of a cell is known to be one of.
  struct Known {
    uint32_t cell;
    uint64_t values;
  };
  /// Sorted by cell.
  using Knowledge = std::vector<Known>;

  void findEffects(Move move);
  void addStart(uint32_t operation, Effects &effects);
  void addSends(llvm::ArrayRef<GroundSend> sends, Effects &effects);

  void require(FormulaId formula, Knowledge &knowledge) const;
  void requireAny(llvm::ArrayRef<FormulaId> parts, Knowledge &knowledge) const;
  static void tidy(Knowledge &knowledge);
  static uint64_t valuesOf(const Knowledge &knowledge, uint32_t cell);
  static bool areCompatible(const Knowledge &a, const Knowledge &b);
  void findKnowledge();
  bool staysTrue(uint32_t operation, Known known) const;

  void findAgainst();
  void addAgainst(Move a, Move b);
  bool isHelpful(const Effects &writer, const MoveWrite &write,
                 const Effects &reader, const MoveRead &read,
                 uint64_t values) const;
  void compareWithReaders(Move writer, const MoveWrite &write);
  struct Context;
  struct Turning;
  void findTurning(FormulaId id, const Context *context,
                   std::deque<Context> &contexts, std::vector<Turning> &raising,
                   std::vector<Turning> &falling) const;
  void compareFalling();
  void watchPromises();

  bool mayRaise(Move move, uint32_t rule) const;
  void findRaised();
  void findAfter();
  void findActs();

  const GroundSystem &system;
  const uint32_t numOperations;
  const uint32_t numMoves;
  /// By move.
  std::vector<Effects> effects;
  /// By operation, what its precondition asks for at least; by move, what holds
  /// wherever it is possible.
  std::vector<Knowledge> required, known;
  /// By formula that is a condition: its tests.
  struct Asked {
    FormulaId formula;
    uint64_t values;
  };
  /// By cell: the conditions that test it, and for which values each holds.
  std::vector<std::vector<Asked>> asked;
  /// By condition: moves that read it, and rules that wait for it.
  std::vector<llvm::SmallVector<std::pair<Move, uint32_t>, 1>> readers;
  std::vector<llvm::SmallVector<uint32_t, 1>> waiting;
  /// By cell: moves that may write it.
  std::vector<std::vector<std::pair<Move, MoveWrite>>> writers;
  /// By move: those that it does not accord with; the rules that may rise with
  /// it, and all that may fire after it in one act.
  std::vector<std::vector<Move>> moveAgainst;
  std::vector<std::vector<uint32_t>> againstRules, raised, after;
  /// By move: the acts that it may be part of.
  std::vector<std::vector<uint32_t>> actsOf;
  std::vector<std::vector<uint32_t>> starters;
  std::vector<std::vector<ActWrite>> actWrites;
  mutable std::vector<std::optional<std::vector<uint32_t>>> actAgainst;
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
