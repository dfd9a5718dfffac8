//===- External.h - Nodes of other deployments as targets -------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_EXTERNAL_H
#define TOSCAC_LIB_EXPAND_EXTERNAL_H

#include "Graph/Expansion.h"

namespace toscac::expanding {

/// Adds classes for what other deployments share and requirements of \p
/// subgraph, the last one, may lead to.
void addExternalClasses(Expansion &expansion, ir::SubgraphId subgraph);

/// Gives the nodes of these classes the values that the state has.
void fillExternalNodes(Expansion &expansion, ir::SubgraphId subgraph);

/// Names of the external nodes that are targets.
llvm::StringSet<> usedExternalNodes(const Expansion &expansion);

/// What \p relationshipClass could lead to in other deployments if it were
/// shared; empty: nothing.
std::string externalButNotShared(const Expansion &expansion,
                                 uint32_t relationshipClass);

/// Adds what the service shares to the graph.
void addShared(Expansion &expansion);

} // namespace toscac::expanding

#endif
