//===- toscac/IR/Unlinked.h - Relationships that are no more ----*- C++ -*-===//

#ifndef TOSCAC_IR_UNLINKED_H
#define TOSCAC_IR_UNLINKED_H

#include "toscac/IR/Graph.h"

namespace toscac::ir {

/// Whether \p at is a relationship that goes while both of its ends stay, and
/// for which there is nothing to do: it is gone at once, and no path leads
/// over it.
inline bool isUnlinked(const Graph &graph, EntityId at) {
  if (!graph.isContinued || !graph.isRelationship(at))
    return false;
  RelationshipId id = graph.relationship(at);
  return graph.presenceOf(id) == Presence::Leaving &&
         graph.classOf(id).machines.empty() &&
         graph.presenceOf(graph.source[id.index]) != Presence::Leaving &&
         graph.presenceOf(graph.target[id.index]) != Presence::Leaving;
}

} // namespace toscac::ir

#endif
