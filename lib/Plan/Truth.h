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

#include "EventSystem.h"
#include <functional>

namespace toscac::plan {

enum class Truth : uint8_t { False, Unknown, True };

struct Truths {
  bool strict;
  Truth stable;
  friend bool operator==(const Truths &, const Truths &) = default;
};

inline Truth negate(Truth truth) { return Truth(2 - unsigned(truth)); }

/// A part of a condition that reads no cell.
struct StaticAnswer {
  bool holds;
  /// Not null: it is known only when the plan runs, and taken to hold.
  const Expr *guard;
};

class TruthOf {
public:
  TruthOf(EventSystem &system, const History &history)
      : system(system), history(history) {}

  /// As of \p moment; the counters of loops serve only the present.
  Truths operator()(TermId term, ir::EntityId self, Moment moment = never);

  /// What \p atom is worth where its cell is as in \p state.
  Truths atom(AtomId atom, const CellState &state);

  /// Where \p bound has the entity that has the condition, then the elements
  /// of loops.
  using Bound = llvm::SmallVectorImpl<ir::EntityId>;
  Truths evaluate(TermId term, Bound &bound, Moment moment);

  const StaticAnswer &staticAnswer(uint32_t other, ir::EntityId self);
  /// The answer of the evaluator; stable where cells in flight are unknown.
  StaticAnswer general(uint32_t other, ir::EntityId self, Moment moment,
                       bool stable, bool &known);

  /// To be called after a write to a cell of \p element: counters of the loop
  /// \p loop at \p owner follow.
  void elementChanged(uint32_t loop, ir::EntityId owner, ir::EntityId element);

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
  /// What is known only when the plan runs is taken to be as it is wanted.
  bool wanted = true;
  Truths known(const StaticAnswer &answer) const;
  Truths evaluateValues(AtomId atom, CellId cell);
  Truths evaluateAtom(AtomId atom, Bound &bound, Moment moment);
  Truths evaluateParts(const Term &term, Bound &bound, Moment moment);
  Truths evaluateLoop(uint32_t loop, Bound &bound, Moment moment);
  Truths evaluateGeneral(uint32_t other, ir::EntityId self, Moment moment);

  /// How many elements of a loop are not true, in either sense.
  struct Counter {
    uint32_t notStrict = 0;
    uint32_t notStable = 0;
    uint32_t isFalse = 0;

    void add(Truths truths, int sign) {
      notStrict += truths.strict ? 0 : sign;
      notStable += truths.stable == Truth::True ? 0 : sign;
      isFalse += truths.stable == Truth::False ? sign : 0;
    }
    Truths truths() const {
      return {notStrict == 0, isFalse     ? Truth::False
                              : notStable ? Truth::Unknown
                                          : Truth::True};
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
