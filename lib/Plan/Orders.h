//===- Orders.h - Other orders, as far as anybody may look ------*- C++ -*-===//
///
/// \file
/// What becomes of a run in other orders of completion, within a budget that
/// grows with the run: the proof, or the doubt, that a plan comes with.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ORDERS_H
#define TOSCAC_LIB_PLAN_ORDERS_H

#include "Explore.h"
#include "Search.h"

namespace toscac::plan {

class Orders {
public:
  Orders(const Start &start, const Run &run, Part part)
      : start(start), run(run), part(part) {}

  enum class Verdict { Same, Differs, Breaks, NotProved };
  /// Looks for the first time that it is asked, at \p most states at most.
  Verdict verdict(uint64_t most = ~uint64_t(0));
  /// Why nothing is proved.
  const std::string &problem() const { return why; }
  /// Warns of the order that differs or breaks a promise.
  void warn();
  /// What happens in which order; null if that is too much.
  const Exploration *seen();

private:
  bool makeSystem();
  Verdict find(uint64_t most);

  const Start &start;
  const Run &run;
  const Part part;
  std::optional<Verdict> found;
  std::string why;
  std::optional<GroundSystem> system;
  std::optional<Search> search;
  std::optional<Exploration> exploration;
};

} // namespace toscac::plan

#endif
