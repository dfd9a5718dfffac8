//===- GraphParser.h - The parser of the graph's text form ------*- C++ -*-===//
///
/// \file
/// The sections of a text, each of which has a parser.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_GRAPHPARSER_H
#define TOSCAC_LIB_IR_GRAPHPARSER_H

#include "ServiceParser.h"

namespace toscac::ir {

/// They come when all nodes are known, class by class, then by source, then by
/// index: the order of their ids.
class RelationshipParser : public PartParser {
public:
  RelationshipParser(ParsedText &parsed, ServiceParser &services,
                     InstanceParser &instances, NodeReader &nodes)
      : PartParser(parsed), services(services), instances(instances),
        nodes(nodes) {}

  bool parseRelationship();
  /// Ends the classes that have not ended.
  void finish() { startClass(graph->relationshipClasses.size()); }

private:
  /// Ends classes up to \p next, which the following relationships are of.
  void startClass(uint32_t next);
  /// Whether a relationship may follow the last one.
  bool isNext(uint32_t inClass, NodeId source, uint32_t index) const;

  ServiceParser &services;
  InstanceParser &instances;
  NodeReader &nodes;
  /// The class that the last relationship was of.
  uint32_t relationshipClass = ~0u;
};

class GraphParser : public PartParser {
public:
  using PartParser::PartParser;

  /// Whether all of the text is in the graph.
  bool parse();

private:
  template <typename Parser>
  bool parseAll(llvm::StringRef keyword, Parser &parser,
                bool (Parser::*parse)());
  bool parseType();
  bool resolveParents();
  bool parseArtifact();
  bool parseInput() { return services.parseInput(graph->inputs); }
  bool parseOutput();
  bool parseShared();
  bool parseGroup();
  bool readGroupSubgraph(SubgraphId &subgraph);
  bool parseGroupInstance(Group &group);
  bool parseDeployment();
  bool parseDeploymentPart(Deployment &deployment);
  bool parseGoal();

  MachineParser machines{parsed};
  InstanceParser instances{parsed};
  NodeReader nodes{parsed};
  ServiceParser services{parsed, machines, instances, nodes};
  RelationshipParser relationships{parsed, services, instances, nodes};

  struct PendingParent {
    TypeId type;
    Label parent;
  };
  std::vector<PendingParent> parents;
};

} // namespace toscac::ir

#endif
