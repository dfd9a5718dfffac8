//===- GraphPrinter.h - The printer of the graph's text form ----*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_GRAPHPRINTER_H
#define TOSCAC_LIB_IR_GRAPHPRINTER_H

#include "InstancePrinter.h"
#include "MachineTextPrinter.h"

namespace toscac::ir {

class GraphPrinter : public PartPrinter {
public:
  using PartPrinter::PartPrinter;

  void print();

private:
  void printType(TypeId id);
  void printArtifact(ArtifactId id);
  void printInput(const InputValue &input);
  void printOutput(const OutputValue &output);
  void printShared(const SharedValue &shared);
  void printGroup(const Group &group);
  void printDeployment();
  void printGoal();
  void printServiceMappings(const Subgraph &subgraph);
  void printService(const Subgraph &subgraph);
  void printClass(const NodeClass &nodeClass);
  void printCapability(const CapabilityColumns &capability, uint32_t rows);
  void printRequirement(RelationshipClassId id);
  void printNode(const NodeClass &nodeClass, NodeId node);
  void printChange(EntityId entity);
  void printRelationship(RelationshipId relationship);

  MachineTextPrinter machines{printed};
  InstancePrinter instances{printed};
};

} // namespace toscac::ir

#endif
