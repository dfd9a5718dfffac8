//===- Independence.h - Which moves are independent -------------*- C++ -*-===//
///
/// \file
/// Two moves accord if, wherever both are possible, neither hinders the other
/// and their order leaves no trace. A completion is the end of an operation
/// together with the rules that fire thereafter; completions are independent if
/// all their moves accord. All this is told from the text of conditions and
/// writes, once for the whole system.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_INDEPENDENCE_H
#define TOSCAC_LIB_PLAN_INDEPENDENCE_H

#include "Knowledge.h"
#include <deque>

namespace toscac::plan {

class Independence {
public:
  explicit Independence(const GroundSystem &system);

  /// Rules whose firing does not accord with that of \p rule.
  llvm::ArrayRef<uint32_t> rulesAgainst(uint32_t rule) const {
    return againstRules[rule];
  }
  /// Rules that may fire in the same completion after \p rule and because of
  /// it.
  llvm::ArrayRef<uint32_t> rulesAfter(uint32_t rule) const {
    return after[moves.firing(rule)];
  }
  /// Completions, each the end of an operation, that are not independent of \p
  /// completion.
  llvm::ArrayRef<uint32_t> against(uint32_t completion) const;
  /// Completions in which \p operation may start.
  llvm::ArrayRef<uint32_t> startersOf(uint32_t operation) const {
    return starters[operation];
  }
  /// Completions that may write to \p cell, with the values.
  struct CompletionWrite {
    uint32_t completion;
    uint8_t value;
    friend auto operator<=>(CompletionWrite, CompletionWrite) = default;
  };
  llvm::ArrayRef<CompletionWrite> writesTo(uint32_t cell) const {
    return completionWrites[cell];
  }

private:
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
  void findCompletions();

  const GroundSystem &system;
  const uint32_t numOperations;
  const Moves moves;
  /// By move, what holds wherever it is possible.
  const std::vector<Knowledge> known;
  /// By move: those that it does not accord with; the rules that may rise with
  /// it, and all that may fire after it in one completion.
  std::vector<std::vector<Move>> moveAgainst;
  std::vector<std::vector<uint32_t>> againstRules, raised, after;
  /// By move: the completions that it may be part of.
  std::vector<std::vector<uint32_t>> completionsOf;
  std::vector<std::vector<uint32_t>> starters;
  std::vector<std::vector<CompletionWrite>> completionWrites;
  mutable std::vector<std::optional<std::vector<uint32_t>>> completionAgainst;
};

} // namespace toscac::plan

#endif
