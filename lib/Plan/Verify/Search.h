//===- Search.h - Every order of completion ---------------------*- C++ -*-===//
///
/// \file
/// Follows a ground system through every order in which its operations can end,
/// up to orders that make no difference and instances that are alike, in
/// breadth: what is found first is shortest.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_SEARCH_H
#define TOSCAC_LIB_PLAN_SEARCH_H

#include "StubbornSets.h"
#include "Symmetry.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

class Search {
public:
  Search(const GroundSystem &system, const Layout &layout, uint64_t limit)
      : independence(system), interpreter(system, independence),
        stubborn(interpreter, independence), limit(limit), layout(layout) {}

  enum class Verdict { Same, Breaks, Differs, Endless, Unfinished };
  Verdict search();
  /// Leaves out no order, be it like another, and calls \p visit with the
  /// number of each state, which is the present one then.
  Verdict searchAll(llvm::function_ref<void(uint32_t number)> visit);
  /// The states on the way to the one that differs, the first one first.
  std::vector<GroundState> schedule();
  /// The operations that end on the way to the state number \p number.
  std::vector<uint32_t> endsBefore(uint32_t number) const;

  size_t numStates() const { return visits.size(); }

  const Independence independence;
  GroundInterpreter interpreter;
  StubbornSets stubborn;
  /// Made where there is more than one way, unless it is given.
  std::optional<Symmetry> symmetry;
  /// How many completions every order has been followed for.
  size_t depth = 0;
  /// It does not matter where orders end.
  bool onlyPromises = false;
  /// The highest number of states to look at.
  uint64_t limit;

private:
  using Hash = std::pair<uint64_t, uint64_t>;
  /// A state that was reached; only those at the front are kept whole.
  struct Visit {
    uint32_t parent;
    /// What ended last; none: nothing.
    uint32_t ended;
    Hash hash{};
  };
  static constexpr uint32_t none = ~0u;
  /// Of the states within completions, far more than the tests' examples need.
  static constexpr uint64_t triesPerState = 16;

  /// What the present state, the one number \p number, shows.
  std::optional<Verdict> look(uint32_t number);
  /// Notes the present state, after the end of \p ended.
  void reach(uint32_t parent, uint32_t ended, std::vector<GroundState> &front);
  void follow(uint32_t parent, uint32_t ended, std::vector<GroundState> &front);
  /// The operations that are to end in the present state.
  std::vector<uint32_t> choose();
  /// From the present state, the only one at the front, as long as there is
  /// one way on; then \p front has what follows.
  std::optional<Verdict> followOnly(std::vector<GroundState> &front);
  Hash hashOf(const GroundState &state) const;
  /// Where nothing was found that differs.
  Verdict verdictAtEnd() const;
  /// Whether \p replay can go on to the state number \p visit; does so.
  bool goTo(uint32_t visit, GroundInterpreter &replay) const;

  const Layout &layout;
  std::vector<Visit> visits;
  llvm::DenseSet<Hash> seen;
  uint32_t different = 0;
};

} // namespace toscac::plan

#endif
