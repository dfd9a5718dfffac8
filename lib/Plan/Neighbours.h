//===- Neighbours.h - Nodes that stay beside what changes -------*- C++ -*-===//
///
/// \file
/// Nodes that stay and lose relationships, or get some. Where nodes are
/// replaced, also those that lie between: so order reaches through what stays.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_NEIGHBOURS_H
#define TOSCAC_LIB_PLAN_NEIGHBOURS_H

#include "Simulate.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

/// What comes, or goes. Nodes by NodeId, relationships by RelationshipId.
struct Changes {
  llvm::BitVector nodes;
  llvm::BitVector relationships;
  llvm::BitVector staying;
  /// Those that stay take turns with each other, too.
  bool inTurn = false;
};

/// Tells those that stay and lose (\p isDown) or get relationships that they
/// do, by goals that nothing has to reach. Gives them, by NodeId.
llvm::BitVector tellNeighbours(const Changes &changes, bool isDown,
                               EventSystem &system,
                               std::vector<CellGoal> &goals);

} // namespace toscac::plan

#endif
