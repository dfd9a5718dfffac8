//===- toscac/IR/DrawMachines.h - Machines for people -----------*- C++ -*-===//
///
/// \file
/// Machines as text with all that belongs to them, and as diagrams of states.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_DRAWMACHINES_H
#define TOSCAC_IR_DRAWMACHINES_H

#include "toscac/IR/Machine.h"
#include <string>
#include <vector>

namespace toscac::ir {

struct ShownMachine {
  const Machine *machine;
  /// Whose machine it is: `vm`, `web.host`.
  std::vector<std::string> owners;
};

void printMachines(llvm::ArrayRef<ShownMachine> machines,
                   llvm::raw_ostream &os);
/// What \p operation of \p machine needs, and what it leads to.
void printOperation(const Machine &machine, const Operation &operation,
                    llvm::raw_ostream &os);
void drawMachinesAsDot(llvm::ArrayRef<ShownMachine> machines,
                       llvm::raw_ostream &os);
void drawMachinesAsMermaid(llvm::ArrayRef<ShownMachine> machines,
                           llvm::raw_ostream &os);

} // namespace toscac::ir

#endif
