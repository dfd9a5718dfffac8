//===- Orders.h - Bounded search of other orders ----------------*- C++ -*-===//
///
/// \file
/// Explores other orders of completion than that of the symbolic run, with a
/// budget of states that grows with the run, so that every compile can afford
/// it. The verdict is a proof that all orders do the same, an order that does
/// not, or that the budget did not suffice (`not-proved`).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ORDERS_H
#define TOSCAC_LIB_PLAN_ORDERS_H

#include "Witness.h"

namespace toscac::plan {

class Orders {
public:
  Orders(const Start &start, const SymbolicRun &run, Part part)
      : start(start), run(run), part(part) {}

  enum class Verdict { Same, Differs, Breaks, NotProved };
  /// Looks for the first time that it is asked.
  Verdict verdict();
  /// Why nothing is proved.
  const std::string &problem() const { return why; }
  /// Warns of the order that differs or breaks a promise, where outputs are as
  /// \p given says.
  void warn(llvm::StringRef given = {});
  /// An order that differs, with \p first or \p second late if that suffices;
  /// none where nothing is known to differ.
  std::optional<Witness> witness(Occurrence first, Occurrence second);
  /// What happens in which order; null if that is too much.
  const Interleavings *seen();

private:
  bool makeSystem();
  Verdict find();

  const Start &start;
  const SymbolicRun &run;
  const Part part;
  std::optional<Verdict> found;
  std::string why;
  bool wasMade = false;
  /// By representatives.
  bool isProved = false;
  std::optional<GroundSystem> system;
  std::optional<Search> search;
  std::optional<Interleavings> interleavings;
};

} // namespace toscac::plan

#endif
