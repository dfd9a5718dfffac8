//===- toscac/IR/ImmediateRemoval.h - Relationships gone --------*- C++ -*-===//

#ifndef TOSCAC_IR_IMMEDIATEREMOVAL_H
#define TOSCAC_IR_IMMEDIATEREMOVAL_H

#include "toscac/IR/Graph.h"

namespace toscac::ir {

/// Whether \p at is a relationship that goes while both of its ends stay, and
/// for which there is nothing to do: it is gone at once, and no path leads
/// over it.
inline bool isRemovedAtOnce(const Graph &graph, EntityId at) {
  if (!graph.hasRecorded || !graph.isRelationship(at))
    return false;
  RelationshipId id = graph.relationship(at);
  return graph.presenceOf(id) == Presence::Leaving &&
         graph.classOf(id).machines.empty() &&
         graph.presenceOf(graph.source[id.index]) != Presence::Leaving &&
         graph.presenceOf(graph.target[id.index]) != Presence::Leaving;
}

} // namespace toscac::ir

#endif
