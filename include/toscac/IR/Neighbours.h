//===- toscac/IR/Neighbours.h - Who stays beside what changes ---*- C++ -*-===//

#ifndef TOSCAC_IR_NEIGHBOURS_H
#define TOSCAC_IR_NEIGHBOURS_H

#include "toscac/IR/Machine.h"
#include "llvm/ADT/STLExtras.h"

namespace toscac::ir {

/// The cell `links` of a machine, if it can be `reduced` and `extended`. It is
/// so at first in a node that stays and loses or gets relationships, and rules
/// of the machine see to the rest. Where nodes are replaced, it is
/// `reduced_in_turn` and `extended_in_turn`, also in nodes between such nodes.
inline std::optional<uint32_t> linksCell(const Machine &machine) {
  auto found = llvm::find_if(machine.cells, [](const Cell &cell) {
    auto has = [&](llvm::StringRef word) {
      return llvm::is_contained(cell.domain, Value::string(word));
    };
    return cell.name.str() == "links" && has("reduced") &&
           has("reduced_in_turn") && has("extended") && has("extended_in_turn");
  });
  if (found == machine.cells.end())
    return std::nullopt;
  return found - machine.cells.begin();
}

} // namespace toscac::ir

#endif
