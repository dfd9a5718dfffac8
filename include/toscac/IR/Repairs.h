//===- toscac/IR/Repairs.h - Who heals where it is --------------*- C++ -*-===//

#ifndef TOSCAC_IR_REPAIRS_H
#define TOSCAC_IR_REPAIRS_H

#include "toscac/IR/Machine.h"
#include "llvm/ADT/STLExtras.h"

namespace toscac::ir {

/// The cell `ailing` of a machine with an operation `heal`. The workflow `heal`
/// makes it true instead of replacing the node, and rules of the machine see to
/// the rest.
inline std::optional<uint32_t> ailingCell(const Machine &machine) {
  auto found = llvm::find_if(machine.cells, [](const Cell &cell) {
    return cell.name.str() == "ailing";
  });
  bool heals = llvm::any_of(machine.operations, [](const Operation &operation) {
    return operation.name.str() == "heal";
  });
  if (!heals || found == machine.cells.end())
    return std::nullopt;
  return found - machine.cells.begin();
}

} // namespace toscac::ir

#endif
