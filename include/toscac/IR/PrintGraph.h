//===- toscac/IR/PrintGraph.h - Graphs as text ------------------*- C++ -*-===//
///
/// \file
/// Writes the text form of the graph, which docs/IR.md defines: one entity a
/// line, defaults left out. parseGraph() reads it back.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_PRINTGRAPH_H
#define TOSCAC_IR_PRINTGRAPH_H

#include "toscac/IR/Graph.h"

namespace toscac::ir {

/// The text depends on the content of \p graph alone.
void printGraph(const Graph &graph, llvm::raw_ostream &os);

} // namespace toscac::ir

#endif
