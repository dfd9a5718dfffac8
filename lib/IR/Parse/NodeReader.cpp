//===- NodeReader.cpp - Names of nodes in the text form -------------------===//

#include "NodeReader.h"

using namespace toscac;
using namespace toscac::ir;

bool NodeReader::readNode(NodeId &node) {
  NodePath path;
  return readNodePath(path) && resolve(path, node);
}

bool NodeReader::readNodePath(NodePath &path) {
  do {
    NamedNode &node = path.emplace_back();
    node.range = text.here();
    if (!text.readName(node.name) || !text.readIndex(node.index))
      return false;
  } while (text.consume("/"));
  return true;
}

bool NodeReader::resolve(llvm::ArrayRef<NamedNode> path, NodeId &node) {
  uint32_t subgraph = 0;
  for (auto [i, step] : llvm::enumerate(path)) {
    if (i > 0) {
      auto inner = subgraphOfNode.find(node.index);
      if (inner == subgraphOfNode.end())
        return unknown("service for node",
                       {path[i - 1].name, 1, path[i - 1].range});
      subgraph = inner->second;
    }
    auto found = graph->findClass({subgraph}, step.name);
    if (!found)
      return unknown("class", {step.name, 1, step.range});
    auto instance =
        graph->findNode(graph->nodeClasses[found->index], step.index);
    if (!instance) {
      diags.report(
          step.range, diag::IrUnknownName, "node",
          (step.name.str() + "[" + llvm::Twine(step.index) + "]").str());
      return false;
    }
    node = *instance;
  }
  return true;
}

bool NodeReader::substitute(llvm::ArrayRef<NamedNode> path,
                            SubgraphId subgraph) {
  NodeId node{};
  if (!resolve(path, node))
    return false;
  if (!subgraphOfNode.try_emplace(node.index, subgraph.index).second) {
    diags.report(path.back().range, diag::IrRepeatedName, "service for node",
                 graph->nameOf(node));
    return false;
  }
  graph->subgraphs[subgraph.index].substitutes = node;
  return true;
}
