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

/// When an operation of a machine comes, as far as the machine's own rules
/// tell.
class Course {
public:
  Course(const ir::Machine &machine, Name operation, ValueArena &arena);

  const ir::Machine machine;
  /// Whether it may still be to come when the operation \p earlier has run
  /// because \p workflow wants that.
  bool comesAfter(const ir::Operation &earlier, Name workflow) const;
  /// That it is still to come or in flight, as entities inside the node see it;
  /// null: it cannot be said.
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
  /// States from which it is still to come.
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
