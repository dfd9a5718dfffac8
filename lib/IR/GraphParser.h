//===- GraphParser.h - The parser of the graph's text form ------*- C++ -*-===//
///
/// \file
/// One function per production of docs/IR.md. Each returns false after a
/// report, which ends the parse: what follows an error in a text that programs
/// print is not worth guessing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_GRAPHPARSER_H
#define TOSCAC_LIB_IR_GRAPHPARSER_H

#include "Labels.h"
#include "toscac/IR/Graph.h"

namespace toscac::ir {

class GraphParser {
public:
  GraphParser(const SourceManager &sources, FileId file, NameTable &names,
              DiagnosticEngine &diags)
      : graph(std::make_unique<Graph>()),
        text(sources, file, names, graph->arena, diags), diags(diags) {}

  std::unique_ptr<Graph> parse();

private:
  // ParseGraph.cpp
  bool parseSections();
  bool parseType();
  bool resolveParents();
  bool parseArtifact();
  bool parseInput() { return parseInput(graph->inputs); }
  bool parseInput(std::vector<InputValue> &inputs);
  bool parseOutput();
  bool parseShared();
  bool parseGroup();
  bool readGroupSubgraph(SubgraphId &subgraph);
  bool parseGroupInstance(Group &group);
  bool parseDeployment();
  bool parseDeploymentPart(Deployment &deployment);
  bool parseGoal();
  /// Checks that \p label is the next of its name, and gives it \p number.
  bool declare(llvm::StringRef noun, const Label &label, Labels &labels,
               uint32_t number);
  bool unknown(llvm::StringRef noun, const Label &label);
  bool readType(TypeInfo::Kind kind, TypeId &type);
  bool readOptionalType(TypeInfo::Kind kind, TypeId &type);
  bool readArtifact(ArtifactId &artifact);
  template <typename T>
  llvm::ArrayRef<T> save(const llvm::SmallVectorImpl<T> &items) {
    return graph->arena.save(llvm::ArrayRef<T>(items));
  }

  // ParseMachine.cpp
  bool parseMachine();
  bool parseCell(llvm::SmallVectorImpl<Cell> &cells);
  bool parseOperation(llvm::SmallVectorImpl<Operation> &operations);
  struct OperationParts;
  bool parseOperationPart(OperationParts &parts);
  struct ReactionParts;
  bool parseReaction(ReactionParts &parts);
  bool readOptions(Operation &operation);
  bool parseArgument(llvm::SmallVectorImpl<Argument> &arguments);
  /// A block of arguments, if one stands there.
  bool parseArguments(llvm::ArrayRef<Argument> &arguments);
  bool parseMapping(llvm::SmallVectorImpl<OutputMapping> &mappings);
  bool parseHandler(llvm::SmallVectorImpl<Handler> &handlers);
  bool parseTrigger(llvm::SmallVectorImpl<Trigger> &triggers);
  bool parseIntent(llvm::SmallVectorImpl<Intent> &intents);
  bool parsePromise(Promise::Kind kind,
                    llvm::SmallVectorImpl<Promise> &promises);
  bool parseFailure(llvm::SmallVectorImpl<FailureMark> &failures);
  bool parseRole(llvm::ArrayRef<Operation> operations, Roles &roles);
  bool readOperation(llvm::ArrayRef<Operation> operations,
                     std::optional<uint32_t> &found);
  /// What becomes of \p entity, the last of those of \p presence, and why.
  bool parseChange(EntityId entity, std::vector<Presence> &presence);
  /// `when EXPR`, if it stands there.
  bool readCondition(const Expr *&condition);
  /// A cell of the machine at hand.
  bool readCell(uint32_t &cell);

  // ParseWorkflow.cpp
  bool parseWorkflow(Subgraph &subgraph);
  bool parseStep(llvm::SmallVectorImpl<WorkflowStep> &steps);
  bool parseActivity(llvm::SmallVectorImpl<Activity> &activities);
  bool parsePolicy(Subgraph &subgraph);
  bool linkSteps(llvm::MutableArrayRef<WorkflowStep> steps);

  // ParseService.cpp
  bool parseService();
  bool parseServicePart(Subgraph &subgraph);
  bool parseOperationMapping(Subgraph &subgraph);
  bool parseClass();
  bool parseClassPart(NodeClass &nodeClass);
  bool parseColumn(std::vector<ValueColumn> &columns);
  bool parseCapability(NodeClass &nodeClass);
  bool parseSlot(std::vector<MachineSlot> &slots);
  bool parseRequirement(NodeClass &nodeClass);
  bool parseNode();
  void finishClass();
  bool parseCapabilityMapping(Subgraph &subgraph);
  bool parseSelection();
  bool resolveSubstitutions();
  bool resolveSelections();

  // ParseRelationships.cpp
  bool parseRelationship();
  /// Ends classes up to \p next, which the following relationships are of.
  void startClass(uint32_t next);
  bool findRelationshipClass(NodeId source, const Label &requirement,
                             uint32_t &found);
  bool readCapability(NodeId target, uint16_t &found);
  bool isNext(uint32_t inClass, NodeId source, uint32_t index) const;
  bool readNode(NodeId &node);
  struct NamedNode {
    Name name;
    uint32_t index;
    SourceRange range;
  };
  using NodePath = llvm::SmallVector<NamedNode, 1>;
  bool readNodePath(NodePath &path);
  bool resolve(llvm::ArrayRef<NamedNode> path, NodeId &node);

  // Columns.cpp
  /// `= EXPR` or `= none`.
  bool readColumnValue(const Expr *&value);
  /// What stands behind the name of an instance: values that differ from those
  /// of its class.
  bool parseAssignments(uint32_t row);
  bool parseAssignment(uint32_t row);
  bool assign(llvm::StringRef keyword, char section, Name owner, uint32_t row);
  void openColumns(std::vector<ValueColumn> &properties,
                   std::vector<ValueColumn> &attributes,
                   std::vector<MachineSlot> &machines);
  void openColumns(std::vector<ValueColumn> &columns, llvm::StringRef keyword,
                   const CapabilityColumns *owner);
  void closeColumns(uint32_t rows);

  std::unique_ptr<Graph> graph;
  TextReader text;
  DiagnosticEngine &diags;

  std::array<Labels, 5> types;
  struct PendingParent {
    TypeId type;
    Label parent;
  };
  std::vector<PendingParent> parents;
  Labels artifacts;
  Labels machines;
  /// The initial values of the cells of each machine.
  std::vector<std::vector<const Expr *>> initialValues;
  /// Of the machine at hand.
  Labels cells;
  /// Of the workflow at hand.
  struct PendingStep {
    uint32_t step;
    bool onSuccess;
    llvm::SmallVector<Label, 2> next;
  };
  std::vector<PendingStep> pendingSteps;

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
  /// The subgraph that stands for a node.
  llvm::DenseMap<uint32_t, uint32_t> subgraphOfNode;
  /// By node class, and the address of a name.
  using MemberKey = std::pair<uint32_t, const char *>;
  llvm::DenseMap<MemberKey, uint16_t> capabilities;
  llvm::DenseMap<MemberKey, llvm::SmallVector<uint32_t, 1>> requirements;

  /// The columns of the class whose instances are being read: by section, the
  /// capability or interface they belong to, and name.
  using ColumnKey = std::tuple<char, const char *, const char *>;
  llvm::DenseMap<ColumnKey, Column *> columns;
  struct Assignment {
    Column *column;
    uint32_t row;
    const Expr *value;
  };
  std::vector<Assignment> assignments;
  /// The class that the last relationship was of.
  uint32_t relationshipClass = ~0u;
};

} // namespace toscac::ir

#endif
