//===- FiringOrder.h - Which rules have to be tried first -------*- C++ -*-===//
///
/// \file
/// Several level rules may rise at once, and their order may matter. Where one
/// of them makes no difference to anything that may yet fire in the same
/// completion, it is enough to let that one fire first.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FIRINGORDER_H
#define TOSCAC_LIB_PLAN_FIRINGORDER_H

#include "Independence.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

class FiringOrder {
public:
  FiringOrder(const GroundSystem &system, const Independence &independence)
      : system(system), independence(independence),
        mayFire(system.rules.size()) {}

  /// Those of \p risen that have to be tried: one, or all of them. Refers to
  /// \p risen.
  llvm::ArrayRef<uint32_t> toTry(llvm::ArrayRef<uint32_t> risen);
  /// Drops from \p rules those whose operation is also called by a task among
  /// them: the call gets it first.
  void letCallsPass(std::vector<uint32_t> &rules) const;

private:
  const GroundSystem &system;
  const Independence &independence;
  llvm::BitVector mayFire;
};

} // namespace toscac::plan

#endif
