//===- ServiceParser.h - Services in the text form --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_SERVICEPARSER_H
#define TOSCAC_LIB_IR_SERVICEPARSER_H

#include "InstanceParser.h"
#include "NodeReader.h"
#include "WorkflowParser.h"

namespace toscac::ir {

class ServiceParser : public PartParser {
public:
  ServiceParser(ParsedText &parsed, MachineParser &machines,
                InstanceParser &instances, NodeReader &nodes)
      : PartParser(parsed), machines(machines), instances(instances),
        nodes(nodes) {}

  bool parseService();
  bool parseInput(std::vector<InputValue> &inputs);
  /// What services say of nodes, when all nodes are there.
  bool resolveNodes() { return resolveSubstitutions() && resolveSelections(); }

  /// The class of the relationships of \p requirement that leave \p source.
  bool findRelationshipClass(NodeId source, const Label &requirement,
                             uint32_t &found);
  bool readCapability(NodeId target, uint16_t &found);

private:
  bool parseServicePart(Subgraph &subgraph);
  bool parseCapabilityMapping(Subgraph &subgraph);
  bool parseOperationMapping(Subgraph &subgraph);
  bool parseClass();
  bool parseClassPart(NodeClass &nodeClass);
  bool parseCapability(NodeClass &nodeClass);
  bool parseRequirement();
  bool parseNode();
  /// Gives the columns of the last class their rows.
  void finishClass();
  /// Nodes that stand for the class that is about to be added.
  bool parseSelection();
  bool resolveSubstitutions();
  bool resolveSelections();

  MachineParser &machines;
  InstanceParser &instances;
  NodeReader &nodes;
  WorkflowParser workflows{parsed, machines};

  struct PendingSubstitution {
    SubgraphId subgraph;
    NodePath path;
  };
  std::vector<PendingSubstitution> substitutions;
  struct PendingSelection {
    uint32_t nodeClass;
    std::vector<NodePath> nodes;
  };
  std::vector<PendingSelection> selections;
  /// By node class, and the address of a name.
  using MemberKey = std::pair<uint32_t, const char *>;
  llvm::DenseMap<MemberKey, uint16_t> capabilities;
  llvm::DenseMap<MemberKey, llvm::SmallVector<uint32_t, 1>> requirements;
};

} // namespace toscac::ir

#endif
