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

#include "Stubborn.h"
#include "Symmetry.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::plan {

class Search {
public:
  /// \p limit is the highest number of states to look at.
  Search(const GroundSystem &system, const Layout &layout, uint64_t limit)
      : independence(system), acts(system, independence), layout(layout),
        stubborn(acts, independence), limit(limit) {}

  enum class Verdict { Same, Breaks, Differs, Endless, Unfinished };
  Verdict search();
  /// The states on the way to the one that differs, the first one first.
  std::vector<ActState> schedule();

  size_t numStates() const { return visits.size(); }

  const Independence independence;
  Acts acts;
  /// How many completions every order has been followed for.
  size_t depth = 0;
  /// It does not matter where orders end.
  bool onlyPromises = false;

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

  /// What the present state, the one number \p number, shows.
  std::optional<Verdict> look(uint32_t number);
  bool isExpected() const;
  /// Notes the present state, after the end of \p ended.
  void reach(uint32_t parent, uint32_t ended, std::vector<ActState> &front);
  void follow(uint32_t parent, uint32_t ended, std::vector<ActState> &front);
  /// From the present state, the only one at the front, as long as there is
  /// one way on; then \p front has what follows.
  std::optional<Verdict> followOnly(std::vector<ActState> &front);
  Hash hashOf(const ActState &state) const;
  /// Whether \p replay can go on to the state number \p visit; does so.
  bool goTo(uint32_t visit, Acts &replay) const;

  const Layout &layout;
  Stubborn stubborn;
  /// Made where there is more than one way.
  std::optional<Symmetry> symmetry;
  uint64_t limit;
  std::vector<Visit> visits;
  llvm::DenseSet<Hash> seen;
  uint32_t different = 0;
};

} // namespace toscac::plan

#endif
