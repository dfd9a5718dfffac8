//===- NodeReader.h - Names of nodes in the text form -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_NODEREADER_H
#define TOSCAC_LIB_IR_NODEREADER_H

#include "PartParser.h"

namespace toscac::ir {

struct NamedNode {
  Name name;
  uint32_t index;
  SourceRange range;
};

/// `db[0]/vm[1]`
using NodePath = llvm::SmallVector<NamedNode, 1>;

class NodeReader : public PartParser {
public:
  using PartParser::PartParser;

  bool readNode(NodeId &node);
  bool readNodePath(NodePath &path);
  bool resolve(llvm::ArrayRef<NamedNode> path, NodeId &node);
  /// \p subgraph stands for the node at \p path.
  bool substitute(llvm::ArrayRef<NamedNode> path, SubgraphId subgraph);

private:
  /// The subgraph that stands for a node.
  llvm::DenseMap<uint32_t, uint32_t> subgraphOfNode;
};

} // namespace toscac::ir

#endif
