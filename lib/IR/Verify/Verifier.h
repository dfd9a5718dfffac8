//===- Verifier.h - The verifier's parts ------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_VERIFIER_H
#define TOSCAC_LIB_IR_VERIFIER_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsIR.h"
#include "toscac/IR/Graph.h"

namespace toscac::ir {

/// Ids, ranges, rows, offsets: what everything else is looked up by. Whatever
/// refers to something is checked before it is followed.
class StructureVerifier {
public:
  StructureVerifier(const Graph &graph, DiagnosticEngine &diags)
      : graph(graph), diags(diags) {}

  void verify();

private:
  // VerifyStructure.cpp
  void verifyTypes();
  void verifyMachine(const Machine &machine);
  void verifyReaction(const Machine &machine, const Reaction &reaction);
  void verifyHandlers(llvm::ArrayRef<Handler> handlers, llvm::StringRef owner,
                      SourceRange range);
  void verifyCellIndex(const Machine &machine, uint32_t cell,
                       SourceRange range);
  void verifyWorkflow(const Workflow &workflow);
  void verifySelected(const Subgraph &subgraph, size_t numNodes);
  void verifySubgraphs();
  void verifyGroup(const Group &group);

  // VerifyInstances.cpp
  void verifyNodeClasses();
  void verifyNodes(NodeClassId id);
  void verifyRelationshipClasses();
  void verifyRelationships(RelationshipClassId id);
  void verifyRelationship(RelationshipId id, RelationshipClassId inClass);
  void verifyOffsets(const RelationshipClass &requirement);
  void verifySlots(llvm::ArrayRef<MachineSlot> slots, llvm::StringRef owner,
                   uint32_t rows, SourceRange range);
  void verifyColumns(llvm::ArrayRef<ValueColumn> columns, llvm::StringRef owner,
                     uint32_t rows, SourceRange range);
  void verifyColumn(const Column &column, Name name, llvm::StringRef owner,
                    uint32_t rows, SourceRange range);
  void verifyLinks();

  bool verifyId(llvm::StringRef owner, llvm::StringRef noun, uint32_t index,
                size_t count, SourceRange range);
  void verifyType(llvm::StringRef owner, TypeId type, TypeInfo::Kind kind,
                  SourceRange range);
  /// A range must begin where the last one ended.
  template <typename Id>
  bool verifyRange(llvm::StringRef owner, llvm::StringRef noun,
                   const IdRange<Id> &ids, size_t &next, size_t count,
                   SourceRange range);

  const Graph &graph;
  DiagnosticEngine &diags;
};

/// Names within one entity differ.
void verifyNames(const Graph &graph, DiagnosticEngine &diags);
/// Values of cells, and what expressions and triggers refer to.
void verifyReferences(const Graph &graph, NameTable &names,
                      DiagnosticEngine &diags);

} // namespace toscac::ir

#endif
