//===- Truth.h - Whether conditions hold ------------------------*- C++ -*-===//
///
/// \file
/// What a condition is worth at a moment of the symbolic run. There are two
/// answers. The strict one takes every cell at its value, as the event system
/// itself does. The stable one is three-valued: a cell that a step wrote on
/// entry is unknown until the step ends, except where neither the value before
/// nor those to come make a difference. A plan relies on the stable answer.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_TRUTH_H
#define TOSCAC_LIB_PLAN_TRUTH_H

#include "ConditionWalk.h"
#include "EventSystem.h"
#include <functional>

namespace toscac::plan {

struct Truths {
  bool strict;
  Truth stable;
  friend bool operator==(const Truths &, const Truths &) = default;
};

inline Truths negate(Truths truths) {
  return {!truths.strict, negate(truths.stable)};
}

/// A part of a condition that reads no cell.
struct StaticAnswer {
  bool holds;
  /// Not null: it is known only when the plan runs, and taken to hold.
  const Expr *guard;
};

class TruthOf : private ConditionWalk<TruthOf, Truths> {
public:
  TruthOf(EventSystem &system, const History &history)
      : ConditionWalk(system.conditions), system(system), history(history) {}

  Truths operator()(TermId term, ir::EntityId self, Moment moment = never);

  Truths evaluate(TermId term, Binding &bound, Moment moment);
  /// Whether \p term is surely as it is wanted where \p bound is bound.
  bool isWorth(TermId term, const Binding &bound, bool wanted, Moment moment);

  const StaticAnswer &staticAnswer(uint32_t other, ir::EntityId self);
  /// The answer of the evaluator; stable where cells in flight are unknown.
  StaticAnswer general(uint32_t other, ir::EntityId self, Moment moment,
                       bool stable, bool &known);

  /// To be called after a write to a cell of \p element: counters of the loop
  /// \p loop at \p owner follow.
  void elementChanged(uint32_t loop, ir::EntityId owner, ir::EntityId element);

  /// To be called after a write to a cell of \p owner that the body reads.
  void ownerChanged(uint32_t loop, ir::EntityId owner) {
    counters.erase({loop, owner.index});
  }

  /// To be called when elements of loops are not there any more.
  void countAnew() { counters.clear(); }

  /// Whether \p loop has counters at all.
  bool isCounting(uint32_t loop) const {
    return loop < loopHasCounters.size() && loopHasCounters[loop];
  }

  EventSystem &system;
  const History &history;
  /// Where it is set, it gives the values that a cell can have, instead of the
  /// history. What they do not agree on is unknown.
  std::function<void(CellId, llvm::SmallVectorImpl<ValueId> &)> cellValues;

private:
  friend ConditionWalk;
  Truths constant(bool holds) const { return {holds, toTruth(holds)}; }
  Truths atom(AtomId atom, Binding &bound, bool wanted);
  Truths other(const Term &term, Binding &bound, bool wanted);
  Truths group(const Group &group, Binding &bound);
  Truths loop(const Group &group, Binding &bound);

  /// What is known only when the plan runs is taken to be as it is wanted.
  Truths known(const StaticAnswer &answer, bool wanted) const {
    return constant(answer.guard || answer.holds == wanted);
  }
  Truths inState(AtomId atom, const CellState &state, bool wanted);
  Truths inValues(AtomId atom, CellId cell, bool wanted);

  /// As of then; the counters of loops serve only the present.
  Moment moment = never;

  /// Parts of a group, in either sense.
  struct Counter {
    Tally strict, stable;

    void add(Truths part, int times = 1) {
      strict.add(toTruth(part.strict), times);
      stable.add(part.stable, times);
    }
    bool decides(Quorum quorum) const {
      return strict.decides(quorum) && stable.decides(quorum);
    }
    Truths worth(Quorum quorum) const {
      return {strict.worth(quorum) == Truth::True, stable.worth(quorum)};
    }
  };
  /// Loops over fewer elements are run through each time.
  static constexpr uint32_t fewElements = 16;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Counter> counters;
  std::vector<bool> loopHasCounters;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, StaticAnswer> answers;
};

} // namespace toscac::plan

#endif
