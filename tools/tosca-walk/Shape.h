//===- Shape.h - States up to the indices of instances ----------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_SHAPE_H
#define TOSCAC_TOOLS_TOSCA_WALK_SHAPE_H

#include "toscac/State/State.h"
#include <map>

namespace toscac::walk {

/// A text for each entity, sorted, in which no index occurs: two deployments
/// whose instances differ in their numbers only have the same.
///
/// Nodes are distinguished by what is recorded of them and, round by round, by
/// the classes of their neighbours (colour refinement).
std::vector<std::string> shapeOf(const state::Deployment &deployment);

/// The same without neighbours: for patterns in which somebody chose who goes.
std::vector<std::string> contentOf(const state::Deployment &deployment);

/// The lines of nodes and relationships by name.
std::map<std::string, std::string> linesOf(const state::Deployment &deployment);

/// How many instances of each template there are.
std::map<std::string, int64_t> countsOf(const state::Deployment &deployment);

/// What cannot be true of a state; empty: nothing.
std::string contradictionIn(const state::Deployment &deployment);

} // namespace toscac::walk

#endif
