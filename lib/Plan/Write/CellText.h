//===- CellText.h - Cells of entities as JSON -------------------*- C++ -*-===//
///
/// \file
/// Entities with the same machines mostly have the same values in their cells:
/// the text of the last one serves the next.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_CELLTEXT_H
#define TOSCAC_LIB_PLAN_CELLTEXT_H

#include "Steps/PlanData.h"

namespace toscac::plan {

class CellText {
public:
  explicit CellText(const PlanData &plan)
      : plan(plan), before(plan.system.layout.set.machines.size()),
        after(plan.system.layout.set.machines.size()) {}

  /// `{"standard": {"state": "initial"}}` before the plan or after it; empty
  /// where the entity has no cell. Valid until the next call.
  llvm::StringRef of(ir::EntityId entity, bool atEnd);

private:
  struct Known {
    /// The machines that the entity has, and the values of all their cells.
    llvm::SmallVector<uint32_t, 2> machines;
    llvm::SmallVector<ValueId, 8> values;
    std::string text;
  };
  ValueId valueBefore(CellId cell) const;
  std::string write(ir::IdRange<SlotId> slots,
                    llvm::ArrayRef<ValueId> values) const;

  const PlanData &plan;
  /// By the first machine.
  std::vector<Known> before;
  std::vector<Known> after;
};

} // namespace toscac::plan

#endif
