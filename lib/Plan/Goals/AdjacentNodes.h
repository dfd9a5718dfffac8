//===- AdjacentNodes.h - Nodes that stay beside what changes ----*- C++ -*-===//
///
/// \file
/// Nodes that stay up while relationships of theirs are removed or added. Their
/// types may ask to be informed (the roles `links.*` of Roles.def), for example
/// to stop using a target before it goes.
///
/// With ChangedPart::inTurn, nodes on paths between changed nodes are informed,
/// too: each waits for the one before it, which orders the changed nodes at
/// both ends.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_ADJACENTNODES_H
#define TOSCAC_LIB_PLAN_ADJACENTNODES_H

#include "Steps/Start.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::plan {

/// What is added or removed (`nodes`, `relationships`), and which nodes stay
/// up. Nodes by NodeId, relationships by RelationshipId.
struct ChangedPart {
  llvm::BitVector nodes;
  llvm::BitVector relationships;
  llvm::BitVector staying;
  /// Nodes between changed ones are informed, too.
  bool inTurn = false;
};

/// Sets the cell `links.request` of staying nodes that lose (\p isDown) or get
/// relationships. These goals have no cell that must follow. Returns the nodes,
/// by NodeId.
llvm::BitVector addAdjacentGoals(const ChangedPart &changes, bool isDown,
                                 EventSystem &system,
                                 std::vector<CellGoal> &goals);

} // namespace toscac::plan

#endif
