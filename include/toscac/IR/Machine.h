//===- toscac/IR/Machine.h - Interface state machines -----------*- C++ -*-===//
///
/// \file
/// What an interface can receive, what that does to its cells, and whom it
/// tells. A machine is complete: what types and templates refined is merged,
/// names are bound, paths spelt out. It is shared by all instances of a class;
/// the values of its cells belong to the instances.
///
/// Expressions in machines are written relative to the entity that has the
/// interface. Queries in them have one canonical form: a path that begins with
/// SELF (or the variable of a `$for_each`), names every index, and ends in
/// `INTERFACE, interface, cell` where a cell is meant:
///   { $get_attribute: [ SELF, RELATIONSHIP, host, 0, TARGET, INTERFACE,
///     standard, state ] }
/// `$get_state` does not occur. See Path.h for what the steps mean.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_MACHINE_H
#define TOSCAC_IR_MACHINE_H

#include "toscac/IR/Path.h"
#include "toscac/Value/Type.h"

namespace llvm::vfs {
class FileSystem;
}

namespace toscac::ir {

struct TypeId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(TypeId, TypeId) = default;
};

/// Index into the artifacts of a service or graph.
struct ArtifactId {
  uint32_t index;
  friend bool operator==(ArtifactId, ArtifactId) = default;
};

/// A file that operations run or need.
struct Artifact {
  /// The name of the artifact type as written: `Bash`.
  Name type;
  /// As plans name it: relative to the entry file's folder, or
  /// `profile:NAME/file`.
  llvm::StringRef file;
  /// Of its content, in hexadecimal; empty: it was not read.
  llvm::StringRef sha256;
  /// Where to read it, empty if it is not here; not part of the text form.
  llvm::StringRef location;
  SourceRange range;
  /// What it is read from, if that is not the disk: an archive.
  llvm::vfs::FileSystem *archive = nullptr;
  /// Where it lies beside the file that needs it, `roles/web/tasks/main.yml`,
  /// if the template names a folder that it is in; else empty.
  llvm::StringRef placeBeside = {};
};

/// Where a handler runs: where the plan does, or on the machine of its entity,
/// of what contains that, or of an end of the relationship.
enum class HandlerPlace : uint8_t { Here, Self, Host, Source, Target };

/// A variable of the machine: an attribute of the interface.
struct Cell {
  Name name;
  TypeKind type = TypeKind::String;
  Value initial;
  /// All values it can have, in order of definition; empty: any number.
  llvm::ArrayRef<Value> domain;
  SourceRange range;
};

/// A value for a name: an input of an operation, trigger or handler.
struct Argument {
  Name name;
  TypeKind type = TypeKind::Any;
  /// Null: none, and it is required.
  const Expr *value = nullptr;
  bool required = true;
  bool sensitive = false;
  SourceRange range;
};

/// What becomes of an output: the attribute it is written to.
struct OutputMapping {
  Name output;
  TypeKind type = TypeKind::Any;
  /// As in plans: `[ SELF, address ]`, or with a capability or nested keys.
  llvm::ArrayRef<Name> target;
  SourceRange range;
};

struct Handler {
  ArtifactId artifact;
  /// Artifacts that must be there, too.
  llvm::ArrayRef<ArtifactId> files;
  llvm::ArrayRef<Argument> inputs;
  llvm::ArrayRef<OutputMapping> outputs;
  HandlerPlace place = HandlerPlace::Here;
};

/// Writes a cell of the own machine.
struct Set {
  /// Index into Machine::cells.
  uint32_t cell;
  const Expr *value;
  SourceRange range;
};

/// Sends an event: in a reaction once, at that moment; as a rule of the
/// machine whenever the condition and the receiver's precondition come to hold
/// together.
struct Trigger {
  /// Null: always.
  const Expr *condition = nullptr;
  /// From the machine's own entity to the receivers.
  Path receiver;
  Name interface;
  Name operation;
  /// Inputs of the operation that the sender gives.
  llvm::ArrayRef<Argument> inputs;
  SourceRange range;
  /// Types did not tell whether the receivers have the operation: the instances
  /// are looked at. Not part of the text form.
  bool isOpen = false;
};

struct Reaction {
  llvm::ArrayRef<Set> sets;
  llvm::ArrayRef<Trigger> triggers;
};

/// An operation or event. Without handlers it only writes and sends.
struct Operation {
  Name name;
  /// Null: always true. What layers added is one `$and`.
  const Expr *precondition = nullptr;
  llvm::ArrayRef<Argument> inputs;
  /// Outputs of the operation itself; handlers have their own.
  llvm::ArrayRef<OutputMapping> outputs;
  llvm::ArrayRef<Handler> handlers;
  Reaction entry;
  Reaction success;
  Reaction failure;
  /// Seconds; 0: none.
  uint32_t timeout = 0;
  uint32_t retries = 0;
  /// Sent by outsiders only.
  bool isNotification = false;
  SourceRange range;
};

/// The workflow \p workflow sets a cell of every such machine: metadata
/// `intent.WORKFLOW: started` of an interface type.
struct Intent {
  Name workflow;
  /// Index into Machine::cells: `desired_state`.
  uint32_t cell;
  Value value;
  /// The cell that must have reached this value in the end (`state`).
  uint32_t goal;
  /// Whether the workflow is the one that brings up or takes down what day two
  /// adds or removes.
  enum class Way : uint8_t { Other, Up, Down };
  Way way = Way::Other;
};

/// Operations and cells of a machine, and values of these, that day two needs.
struct Roles {
#define OPERATION_ROLE(field, mark) std::optional<uint32_t> field;
#define CELL_ROLE(field, mark) std::optional<uint32_t> field;
#define VALUE_ROLE(field, mark, cell) std::optional<Value> field;
#include "toscac/IR/Roles.def"
};

/// What the value of a cell says about the entity. It counts as failed while a
/// cell has this value: metadata `failed.error: true`.
struct FailureMark {
  uint32_t cell;
  Value value;
};

/// What the machine's author says of it. `always`: no step makes it false;
/// metadata `always.NAME`. `goal`: it holds when a workflow has ended; metadata
/// `goal.WORKFLOW`.
struct Promise {
  enum class Kind : uint8_t { Always, Goal };
  Kind kind;
  /// Its own, or that of the workflow.
  Name name;
  const Expr *condition = nullptr;
  SourceRange range;
};

struct Machine {
  /// The name of the interface at the entity: `standard`.
  Name interface;
  /// The interface type's: `Standard`. None if it was made for one workflow.
  Name type;
  llvm::ArrayRef<Cell> cells;
  llvm::ArrayRef<Operation> operations;
  /// Level rules.
  llvm::ArrayRef<Trigger> rules;
  llvm::ArrayRef<Intent> intents;
  llvm::ArrayRef<FailureMark> failures;
  /// While a cell has one of these values, the entity is known to be well:
  /// metadata `healthy.status: ok`.
  llvm::ArrayRef<FailureMark> health;
  Roles roles;
  llvm::ArrayRef<Promise> promises;
  SourceRange range;
};

/// Index into the machines of a service or graph.
struct MachineId {
  uint32_t index;
  friend bool operator==(MachineId, MachineId) = default;
};

} // namespace toscac::ir

#endif
