//===- NodeGroups.h - Scaling groups by node --------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_NODEGROUPS_H
#define TOSCAC_LIB_PLAN_NODEGROUPS_H

#include "toscac/IR/Graph.h"

namespace toscac::plan {

class NodeGroups {
public:
  explicit NodeGroups(const ir::Graph &graph);

  /// `pod[0]`: the instances of groups that \p node belongs to, innermost
  /// first.
  llvm::ArrayRef<std::string> of(ir::NodeId node) const;

private:
  llvm::DenseMap<uint32_t, std::vector<std::string>> names;
};

} // namespace toscac::plan

#endif
