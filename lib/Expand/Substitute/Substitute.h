//===- Substitute.h - Services that stand for nodes -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_SUBSTITUTE_H
#define TOSCAC_LIB_EXPAND_SUBSTITUTE_H

#include "Graph/Expansion.h"

namespace toscac::expanding {

/// The service that is to stand for \p node: the only one whose type and filter
/// fit. Null after a report, or where none fits and that is no error: the node
/// can come into being in another way.
const sema::Service *chooseService(Expansion &expansion, ir::NodeId node,
                                   bool isOptional);

/// What the inputs of \p service get from \p node, parallel to them. False
/// after a report.
bool mapInputs(Expansion &expansion, const sema::Service &service,
               ir::NodeId node, std::vector<const Expr *> &inputs);

/// Targets of \p node that a service inside it uses.
struct MappedTargets {
  /// A node and its capability that the relationship led to.
  struct End {
    ir::NodeId node;
    uint16_t capability;
  };
  /// For a requirement of a template of the service.
  struct Requirement {
    uint32_t node;
    Name name;
    std::vector<End> ends;
  };
  std::vector<Requirement> requirements;
  /// Nodes that stand for a template of the service.
  std::vector<SelectedNodes> selected;
};
MappedTargets mapTargets(const Expansion &expansion,
                         const sema::Service &service, ir::NodeId node);

/// Makes relationships of the last subgraph of what \p targets has for its
/// requirements. False after a report.
bool linkTargets(Expansion &expansion, const MappedTargets &targets);

/// Makes attributes of substituted nodes from outputs of \p subgraph.
void mapAttributes(Expansion &expansion, ir::SubgraphId subgraph);

} // namespace toscac::expanding

#endif
