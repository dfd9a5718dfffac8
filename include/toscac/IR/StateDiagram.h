//===- toscac/IR/StateDiagram.h - The states of one cell -------*- C++ -*-===//
///
/// \file
/// A machine as a figure: the values of a cell, and operations that lead from
/// one to the next. What is passed while an operation runs is left out, as is
/// what only a failure leads to, unless a failure sets the cell itself.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_STATEDIAGRAM_H
#define TOSCAC_IR_STATEDIAGRAM_H

#include "toscac/IR/DrawMachines.h"

namespace toscac::ir {

struct StateDiagram {
  const ShownMachine *shown;
  const Cell *cell;
  /// Indices into the domain of the cell.
  uint32_t initial;
  std::vector<uint32_t> values;
  struct Edge {
    uint32_t from;
    uint32_t to;
    Name operation;
    bool fails;
    friend bool operator==(const Edge &, const Edge &) = default;
  };
  std::vector<Edge> edges;

  std::string valueName(uint32_t value) const;
  std::string label(const Edge &edge) const;
  /// `standard of vm, web`; with the cell, where the machine has several.
  std::string title;
};

/// One diagram for each cell that operations lead from value to value.
std::vector<StateDiagram> diagramsOf(llvm::ArrayRef<ShownMachine> machines);

} // namespace toscac::ir

#endif
