//===- toscac/IR/Workflow.h - Imperative workflows --------------*- C++ -*-===//
///
/// \file
/// Workflows as lists of steps (TOSCA 2.0 §13.2), and triggers of policies,
/// names bound.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_WORKFLOW_H
#define TOSCAC_IR_WORKFLOW_H

#include "toscac/IR/Machine.h"

namespace toscac::ir {

struct Activity {
  enum class Kind : uint8_t {
    /// Sends `interface.operation` to the step's targets.
    CallOperation,
    /// Writes `value` to the cell `interface.operation` names.
    SetState,
    /// Runs the workflow `workflow` of the service that substitutes the target,
    /// or the workflow that the profile defines for the target.
    Delegate,
    /// Runs the workflow `workflow` of this service here.
    Inline
  };
  Kind kind;
  Name interface;
  Name operation;
  Name workflow;
  Value value;
  llvm::ArrayRef<Argument> inputs;
  SourceRange range;
};

struct WorkflowStep {
  Name name;
  /// A node template or group; empty for a step that only inlines.
  Name target;
  /// Not empty: indices of the instances of the target that are meant, which is
  /// a node template then.
  llvm::ArrayRef<uint32_t> instances;
  /// Not empty: the requirement of the target whose relationships are meant.
  Name targetRelationship;
  /// Null: always. Relative to each target.
  const Expr *filter = nullptr;
  llvm::ArrayRef<Activity> activities;
  /// Indices into Workflow::steps.
  llvm::ArrayRef<uint32_t> onSuccess;
  llvm::ArrayRef<uint32_t> onFailure;
  SourceRange range;
};

struct Workflow {
  Name name;
  llvm::ArrayRef<Argument> inputs;
  /// Null: always.
  const Expr *precondition = nullptr;
  /// Rules of entities that no step addresses are suspended.
  bool othersRest = false;
  enum class Order : uint8_t {
    /// As steps follow each other.
    Steps,
    /// What steps do on a relationship waits for what they do on its source.
    Source,
    /// So it does, and what they do on a node waits for what they do on the
    /// targets of its relationships, be it through nodes that none addresses.
    Target
  };
  Order order = Order::Steps;
  llvm::ArrayRef<WorkflowStep> steps;
  /// Runs the steps, where the workflow is a script as a whole.
  llvm::ArrayRef<Handler> handlers;
  llvm::ArrayRef<OutputMapping> outputs;
  SourceRange range;
};

/// What a policy does when its event arrives.
struct PolicyTrigger {
  Name name;
  /// What `--workflow` calls it, and outsiders send.
  Name event;
  /// Null: always.
  const Expr *condition = nullptr;
  /// Node templates and groups whose members the actions address.
  llvm::ArrayRef<Name> targets;
  llvm::ArrayRef<Activity> actions;
  SourceRange range;
};

} // namespace toscac::ir

#endif
