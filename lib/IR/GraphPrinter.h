//===- GraphPrinter.h - The printer of the graph's text form ----*- C++ -*-===//
///
/// \file
/// The counterpart of GraphParser.h: one function per production of docs/IR.md.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_GRAPHPRINTER_H
#define TOSCAC_LIB_IR_GRAPHPRINTER_H

#include "toscac/IR/Graph.h"
#include "llvm/Support/raw_ostream.h"

namespace toscac::ir {

class GraphPrinter {
public:
  GraphPrinter(const Graph &graph, llvm::raw_ostream &os);

  void print();

private:
  // PrintGraph.cpp
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

  // PrintColumns.cpp
  /// The value that is printed with the class.
  const Expr *commonValue(const Column &column, uint32_t rows);
  void printColumns(llvm::StringRef keyword,
                    llvm::ArrayRef<ValueColumn> columns, uint32_t rows);
  void printSlot(const MachineSlot &slot, uint32_t rows);
  /// Finds the columns of a class in which instances differ.
  void collectVarying(const NodeClass &nodeClass);
  void collectVarying(const RelationshipClass &relationshipClass);
  void addVarying(llvm::StringRef section, const CapabilityColumns *owner,
                  llvm::ArrayRef<ValueColumn> columns, uint32_t rows);
  void addVarying(llvm::ArrayRef<MachineSlot> slots, uint32_t rows);
  void printVarying(uint32_t row);

  // PrintMachine.cpp
  void printMachine(MachineId id);
  void printRoles(const Machine &machine);
  void printCell(const Cell &cell);
  void printOperation(const Machine &machine, const Operation &operation);
  void printReaction(llvm::StringRef keyword, const Machine &machine,
                     const Reaction &reaction);
  void printArguments(llvm::ArrayRef<Argument> arguments);
  void printInputBlock(llvm::ArrayRef<Argument> arguments);
  void printMappings(llvm::ArrayRef<OutputMapping> mappings);
  void printHandlers(llvm::ArrayRef<Handler> handlers);
  void printTrigger(const Trigger &trigger);
  void printWorkflow(const Workflow &workflow);
  void printStep(const Workflow &workflow, uint32_t number);
  void printActivities(llvm::ArrayRef<Activity> activities);
  void printPolicy(const PolicyTrigger &policy);
  void printCondition(const Expr *condition);

  /// Starts a line with \p keyword.
  llvm::raw_ostream &line(llvm::StringRef keyword);
  /// Ends a line that opens a block if \p isOpen.
  template <typename Body>
  void block(bool isOpen, Body body) {
    os << (isOpen ? " {\n" : "\n");
    if (!isOpen)
      return;
    ++depth;
    body();
    --depth;
    line("}") << '\n';
  }
  void name(llvm::StringRef text);
  void name(Name text) { name(text.str()); }
  void label(Name text, uint32_t ordinal);
  template <typename Range, typename Print>
  void list(const Range &items, Print print) {
    os << '[';
    llvm::StringRef separator = "";
    for (const auto &item : items) {
      os << separator;
      print(item);
      separator = ", ";
    }
    os << ']';
  }
  void names(llvm::ArrayRef<Name> items);
  void typeKind(TypeKind kind, TypeKind usual);
  void optionalType(TypeId type);
  void value(const Expr *expr);
  void nodeName(NodeId node);

  const Graph &graph;
  llvm::raw_ostream &os;
  unsigned depth = 0;

  // Each one's number among those of its name, from 1.
  std::vector<uint32_t> typeOrdinals;
  std::vector<uint32_t> artifactOrdinals;
  std::vector<uint32_t> machineOrdinals;
  std::vector<uint32_t> requirementOrdinals;

  /// Of the cells of each machine.
  std::vector<std::vector<Expr>> initialValues;

  struct Varying {
    /// `capability ` or `cell ` before the owner; empty: there is none.
    llvm::StringRef ownerKeyword;
    Name owner;
    /// `property `, `attribute `, `remaining `; empty for cells.
    llvm::StringRef section;
    Name name;
    const Column *column;
    const Expr *common;
    /// What a row without a value has.
    const Expr *unset;
  };
  /// Of the class whose instances are being printed.
  std::vector<Varying> varying;
};

} // namespace toscac::ir

#endif
