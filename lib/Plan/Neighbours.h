//===- Neighbours.h - Nodes that stay beside what changes -------*- C++ -*-===//
///
/// \file
/// Nodes that stay and lose relationships, or get some. Where nodes are
/// replaced, also those that lie between: so order reaches through what stays.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_NEIGHBOURS_H
#define TOSCAC_LIB_PLAN_NEIGHBOURS_H

#include "toscac/IR/Graph.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

struct Neighbours {
  /// By NodeId.
  llvm::BitVector nodes;
  /// They take turns with each other, too.
  bool inTurn = false;
};

/// Those that lose (\p isDown) or get relationships.
Neighbours findNeighbours(const ir::Graph &graph, bool isDown);

} // namespace toscac::plan

#endif
