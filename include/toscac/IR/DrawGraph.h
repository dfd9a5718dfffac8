//===- toscac/IR/DrawGraph.h - Pictures of topologies -----------*- C++ -*-===//
///
/// \file
/// Draws the instances of a graph, those of a template together, and the
/// relationships between them. Many instances of a template are drawn as one
/// stack, relationships of a stack as one edge with their number. Containment
/// (a mark of relationship types) is drawn in bold.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_DRAWGRAPH_H
#define TOSCAC_IR_DRAWGRAPH_H

#include "toscac/IR/Graph.h"

namespace toscac::ir {

struct DrawOptions {
  /// Templates with more instances become a stack.
  uint32_t foldAbove = 6;
};

/// For Graphviz: `dot -Tsvg`.
void drawGraphAsDot(const Graph &graph, const DrawOptions &options,
                    llvm::raw_ostream &os);
/// A flowchart of Mermaid.
void drawGraphAsMermaid(const Graph &graph, const DrawOptions &options,
                        llvm::raw_ostream &os);

} // namespace toscac::ir

#endif
