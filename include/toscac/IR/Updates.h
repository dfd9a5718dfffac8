//===- toscac/IR/Updates.h - Who tells nodes of changes ---------*- C++ -*-===//

#ifndef TOSCAC_IR_UPDATES_H
#define TOSCAC_IR_UPDATES_H

#include "toscac/IR/Machine.h"
#include "llvm/ADT/STLExtras.h"

namespace toscac::ir {

/// The cell `outdated` of a machine with an operation that takes over changed
/// properties. It is true where they have changed, and rules of the machine see
/// to the rest; nobody sends the operation then.
inline std::optional<uint32_t> outdatedCell(const Machine &machine) {
  auto found = llvm::find_if(machine.cells, [](const Cell &cell) {
    return cell.name.str() == "outdated";
  });
  if (!machine.update || found == machine.cells.end())
    return std::nullopt;
  return found - machine.cells.begin();
}

} // namespace toscac::ir

#endif
