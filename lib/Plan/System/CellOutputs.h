//===- CellOutputs.h - Outputs that become cells ----------------*- C++ -*-===//
///
/// \file
/// An output of an operation can be written to a cell of its own machine when
/// the operation ends. Which value that is, is known only when the plan runs.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_CELLOUTPUTS_H
#define TOSCAC_LIB_PLAN_CELLOUTPUTS_H

#include "EventSystem.h"

namespace toscac::plan {

struct CellOutput {
  /// Of the machine; none: it is not one of its own.
  std::optional<uint32_t> cell;
  const ir::OutputMapping *mapping;
};

llvm::SmallVector<CellOutput, 1> cellOutputs(const ir::Machine &machine,
                                             const ir::Operation &operation);

bool isOutput(const ir::Machine &machine, const ir::Operation &operation,
              uint32_t cell);

/// The cell that \p mapping writes, if that is one of \p machine.
std::optional<uint32_t> cellOf(const ir::Machine &machine,
                               const ir::OutputMapping &mapping);

/// The values that \p cell can turn out to have; where there is no end of them,
/// some that conditions tell apart.
std::vector<ValueId> outcomesOf(CellId cell, EventSystem &system);

} // namespace toscac::plan

#endif
