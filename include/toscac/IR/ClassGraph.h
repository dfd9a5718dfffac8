//===- toscac/IR/ClassGraph.h - Paths, class by class -----------*- C++ -*-===//
///
/// \file
/// The graph with its classes as vertices: small even where there are a million
/// instances. A path over it leads to every class that it leads to for some
/// instance, and perhaps to more.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_CLASSGRAPH_H
#define TOSCAC_IR_CLASSGRAPH_H

#include "toscac/IR/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac::ir {

/// A node class, a relationship class or a subgraph.
struct ClassRef {
  EntityKind kind;
  uint32_t index;
};

/// `class 'site'`, `requirement 'vpn' of 'site'`: how messages call them.
std::string describe(const Graph &graph, const NodeClass &nodeClass);
std::string describe(const Graph &graph, const RelationshipClass &requirement);

class ClassGraph {
public:
  using Visit = llvm::function_ref<bool(ClassRef)>;

  explicit ClassGraph(const Graph &graph);

  /// Calls \p visit with the classes that \p steps lead to from \p start, until
  /// it returns false; then, gives false. A class may be met more than once.
  bool forEachClass(ClassRef start, llvm::ArrayRef<PathStep> steps,
                    Visit visit) const;

  llvm::ArrayRef<MachineSlot> machinesOf(ClassRef ref) const;
  /// For messages.
  std::string describe(ClassRef ref) const;

private:
  llvm::iota_range<uint32_t> ranksBeside(uint32_t relationshipClass,
                                         bool before) const;
  SubgraphId subgraphOf(ClassRef ref) const;

  // Each is false if a visit was.
  bool leave(uint32_t nodeClass, Name requirement, Visit visit) const;
  bool enter(uint32_t nodeClass, Name capability, Visit visit) const;
  bool visitNode(uint32_t nodeClass, Visit visit) const;
  bool visitNodes(SubgraphId subgraph, Name name, Visit visit) const;
  bool visitFromRelationship(uint32_t from, const PathStep &step,
                             Visit visit) const;
  bool visitNext(ClassRef at, const PathStep &step, Visit visit) const;

  const Graph &graph;
  /// For each relationship class, the node classes of its targets.
  std::vector<llvm::SmallVector<uint32_t, 1>> targets;
  struct Incoming {
    uint16_t capability;
    uint32_t relationshipClass;
  };
  /// For each node class, the services that stand for its nodes.
  std::vector<llvm::SmallVector<uint32_t, 1>> inside;
  /// For each node class, what leads to it.
  std::vector<llvm::SmallVector<Incoming, 1>> incoming;
};

} // namespace toscac::ir

#endif
