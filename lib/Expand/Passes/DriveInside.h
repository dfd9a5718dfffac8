//===- DriveInside.h - Workflows that drive a service inside ----*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_DRIVEINSIDE_H
#define TOSCAC_LIB_EXPAND_DRIVEINSIDE_H

#include "Graph/Expansion.h"
#include "toscac/IR/StateSpace.h"
#include <memory>

namespace toscac::expanding {

/// A class of a graph: of nodes, or of relationships.
struct ClassRef {
  bool isRelationship;
  uint32_t index;
  friend bool operator==(ClassRef, ClassRef) = default;
};

/// Whether an operation of a machine is still to come, in each state that the
/// machine's own rules lead to.
class Course {
public:
  Course(const ir::Machine &machine, Name operation, ValueArena &arena);

  const ir::Machine machine;
  /// Whether the operation may come after \p earlier, if \p workflow has set
  /// its intent.
  bool comesAfter(const ir::Operation &earlier, Name workflow) const;
  /// A condition, for entities inside the node: the operation is still to come,
  /// or in flight. Null if no condition over the cells of the machine says so.
  const Expr *isAhead() const;

private:
  void findAhead();
  bool isPursued(const ir::StateSpace::Transition &transition);
  std::vector<ir::StateSpace::State> runningStates() const;

  ValueArena &arena;
  uint32_t operation = none;
  /// Transitions are those that rules bring about.
  ir::StateSpace space;
  ir::OwnConditions holds;
  /// By state: whether the operation is still to come.
  std::vector<bool> ahead;
};

/// An operation of a substituted node that is a workflow of the service inside.
struct DrivingOperation {
  /// What the workflow calls.
  struct Call {
    ClassRef target;
    Name interface;
    Name operation;
  };

  std::shared_ptr<const Course> course;
  std::vector<Call> calls;

  bool callsSomeOf(ClassRef target, Name interface) const;
};

/// The operations that workflows of services stand for, by subgraph.
std::vector<std::vector<DrivingOperation>>
findDrivingOperations(ir::Graph &graph);

} // namespace toscac::expanding

#endif
