//===- toscac/IR/VerifyGraph.h - What passes can break ----------*- C++ -*-===//
///
/// \file
/// The rules that every graph obeys between two passes: ids lead somewhere,
/// ranges and columns fit each other, machines name cells and operations that
/// exist. Whether values are of their types is Sema's and Expand's to check.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_VERIFYGRAPH_H
#define TOSCAC_IR_VERIFYGRAPH_H

#include "toscac/IR/Graph.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::ir {

/// True if \p graph is sound. Costs time in proportion to its size. Where an id
/// leads nowhere, what depends on it is not looked at. \p names has the names
/// of the graph.
bool verify(const Graph &graph, NameTable &names, DiagnosticEngine &diags);

} // namespace toscac::ir

#endif
