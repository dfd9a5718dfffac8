//===- toscac/Sema/Service.h - The checked service --------------*- C++ -*-===//
///
/// \file
/// What every front end makes and Expand takes: templates with every name
/// bound, every inherited definition merged in, every value typed. Nothing in
/// it depends on the language it was written in.
///
/// Expressions are checked, and what is known is folded. Where they query the
/// graph, the paths of TOSCA 2.0 §10.3 have one form, that of IR/Path.h:
///
///   start       SELF, or the variable of a `$for_each`
///   steps       RELATIONSHIP name index
///               CAPABILITY name RELATIONSHIP index   from a node
///               CAPABILITY RELATIONSHIP index        from a relationship: the
///                                       others of its source and requirement
///               SOURCE, TARGET
///               NODE name index                      a template of the service
///   end         CAPABILITY name         at a node
///               CAPABILITY              at a relationship: its target
///               INTERFACE name
///   and then    the name of a property, attribute, artifact or cell, and keys
///               into its value
///
/// Every index is written, as an integer, an expression or ALL. The path of a
/// `$for_each` ends before the name. `$node_index` and `$relationship_index`
/// have replaced older words. In a node template SELF is the node, also in the
/// values of its capabilities and in the counts of its requirements; in the
/// rest of a requirement it is the relationship, and `$node_index` that of its
/// source; in steps of workflows it is each target; in inputs, outputs and
/// policies it is the service.
/// Machines have the stricter form that IR/Machine.h describes.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_SERVICE_H
#define TOSCAC_SEMA_SERVICE_H

#include "toscac/IR/Types.h"
#include "toscac/IR/Workflow.h"
#include "toscac/IR/WorkflowRoles.h"
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace toscac::sema {

/// A property, attribute or parameter with what was assigned to it.
struct Assignment {
  Name name;
  const Type *type;
  /// The assigned or default value; null if there is neither.
  const Expr *value = nullptr;
  /// Of nodes whose instances were written one by one: the value of each by
  /// its index, a literal. Those beyond have the one above.
  llvm::ArrayRef<const Expr *> each;
  bool required = false;
  bool sensitive = false;
  /// Of the value, or else of the definition.
  SourceRange range;
};

struct InputDefinition {
  Name name;
  const Type *type;
  /// Null if there is none.
  const Expr *defaultValue = nullptr;
  /// The default is the only value it can have.
  bool isFixed = false;
  bool required = true;
  bool sensitive = false;
  llvm::StringRef description;
  SourceRange range;
};

struct OutputDefinition {
  Name name;
  const Type *type;
  const Expr *value = nullptr;
  bool sensitive = false;
  /// Other deployments may rely on it: metadata `shared: true`.
  bool shared = false;
  SourceRange range;
};

struct Capability {
  Name name;
  ir::TypeId type;
  std::vector<Assignment> properties;
  std::vector<Assignment> attributes;
  /// Node types whose instances may use it; none: all.
  std::vector<ir::TypeId> validSources;
  /// Relationship types that may lead here; none: all.
  std::vector<ir::TypeId> validRelationships;
  /// Directives `internal`, `external` of the capability assignment.
  bool internalOnly = false;
  bool externalOnly = false;
  /// Other deployments may use it.
  bool mayBeExternal = false;
  SourceRange range;
};

/// Takes some of a capability's property for each relationship.
struct Allocation {
  Name property;
  const Expr *amount;
  SourceRange range;
};

/// Where the machines of a template come from.
enum class MachineOrigin : uint8_t {
  /// Its type.
  Type,
  /// Its type; but what operations run, the template says.
  OwnOperations,
  /// The template adds cells, conditions or triggers.
  Refined
};

/// What each relationship of a requirement is like.
struct Relationship {
  /// Not set where neither the definition nor the assignment names one.
  ir::TypeId type;
  std::vector<Assignment> properties;
  std::vector<Assignment> attributes;
  std::vector<ir::MachineId> machines;
  MachineOrigin machineOrigin = MachineOrigin::Type;
  /// Node types it may lead to; none: all. Types of the requirement and of the
  /// relationship are combined: all lists must be satisfied.
  std::vector<std::vector<ir::TypeId>> validTargets;
  std::vector<std::vector<ir::TypeId>> validSources;
  std::vector<std::vector<ir::TypeId>> validCapabilities;
};

/// How a requirement gets its targets, which are instances of one template.
enum class Pairing : uint8_t {
  /// Some are chosen, as below.
  Chosen,
  /// The instance that the source is inside of.
  Container,
  /// All or, where source and target are in one scaling group, all in the same
  /// instance of it; of several such groups the innermost counts.
  All,
  /// One, the same for all sources and for ever.
  One
};

/// One requirement assignment, implicit ones included: `count` relationships
/// to nodes of which all these are true.
struct Requirement {
  Name name;
  /// If it is not Chosen, only `node`, `capability` and `relationship` matter.
  Pairing pairing = Pairing::Chosen;
  /// An integer; null: 1 for an assignment that stands there, else the lower
  /// bound of the count range.
  const Expr *count = nullptr;
  /// Counts of all assignments of one name must add up to this range.
  uint32_t minCount = 1;
  uint32_t maxCount = ~0u;
  /// Where no target is found, there is no relationship and no error.
  bool optional = false;
  /// Nobody assigned it: it comes from the definition alone, because that
  /// wants some or because a substitution mapping leads to it.
  bool implicit = false;
  /// The template has it no more, but the deployment does.
  bool isObsolete = false;

  /// An instance of this template of the service; index into Service::nodes.
  std::optional<uint32_t> node;
  /// The instance with this index; null: any.
  const Expr *nodeIndex = nullptr;
  /// A node of this type; not set: any.
  ir::TypeId nodeType;
  /// The capability of this name at the target; empty: any that fits.
  Name capability;
  ir::TypeId capabilityType;
  /// Must hold, with the relationship as SELF.
  std::vector<const Expr *> filters;
  std::vector<Allocation> allocations;
  /// Where targets are looked for: in this service, in other deployments.
  bool mayBeInternal = true;
  bool mayBeExternal = false;
  /// In other deployments first, where it may be both.
  bool prefersExternal = false;

  Relationship relationship;
  SourceRange range;
};

/// How the node comes into being (directives), in order of preference.
enum class Directive : uint8_t { Create, Select, Substitute };

struct NodeTemplate {
  Name name;
  ir::TypeId type;
  /// An integer; null: 1.
  const Expr *count = nullptr;
  std::vector<Directive> directives;
  /// For Select: must hold of the node, as SELF.
  const Expr *filter = nullptr;
  std::vector<Assignment> properties;
  std::vector<Assignment> attributes;
  std::vector<Capability> capabilities;
  std::vector<Requirement> requirements;
  std::vector<ir::MachineId> machines;
  MachineOrigin machineOrigin = MachineOrigin::Type;
  /// The service has it no more, but the deployment does.
  bool isObsolete = false;
  /// Tags that a substituting service must not contradict: metadata of the
  /// template.
  llvm::ArrayRef<ir::Mark> metadata;
  /// By name, for `$get_artifact`.
  std::vector<std::pair<Name, ir::ArtifactId>> artifacts;
  SourceRange range;
};

struct Group {
  Name name;
  ir::TypeId type;
  /// Indices into Service::nodes, or names of groups.
  std::vector<uint32_t> nodes;
  std::vector<Name> groups;
  std::vector<Assignment> properties;
  SourceRange range;
};

/// A value that flows between a substituted node and its service.
struct MappedValue {
  /// A query with the node as SELF: `$get_property` of what becomes an input,
  /// `$get_attribute` of what an output is written to. With ALL, it is a list.
  const Expr *outer;
  /// The input or output of the service.
  Name inner;
  SourceRange range;
};

/// A capability of the substituted node is one of a node in the service.
struct MappedCapability {
  Name outer;
  /// Index into Service::nodes.
  uint32_t node;
  Name inner;
  SourceRange range;
};

/// Relationships of the substituted node whose targets become targets in the
/// service.
struct MappedRequirement {
  Name outer;
  /// How many of them, in their order, after those of earlier mappings; not
  /// set: all that are left.
  std::optional<uint32_t> count;
  struct Target {
    /// Index into Service::nodes.
    uint32_t node;
    /// Which has a requirement of this name. Empty: the node is not made, it
    /// is the target itself.
    Name requirement;
  };
  /// Each of the relationships counts for all of these.
  std::vector<Target> targets;
  SourceRange range;
};

/// An operation of the substituted node is a workflow of the service.
struct MappedOperation {
  Name interface;
  Name operation;
  Name workflow;
  SourceRange range;
};

/// What the service substitutes, and how (TOSCA 2.0 chapter 15).
struct Substitution {
  ir::TypeId nodeType;
  /// Must hold of the substituted node, as SELF.
  const Expr *filter = nullptr;
  std::vector<MappedValue> properties;
  std::vector<MappedValue> attributes;
  std::vector<MappedCapability> capabilities;
  /// In order; several may have one outer name.
  std::vector<MappedRequirement> requirements;
  std::vector<MappedOperation> operations;
  SourceRange range;
};

struct Service {
  /// From metadata `template_name`, else the file's name without its ending.
  Name name;
  std::vector<InputDefinition> inputs;
  std::vector<OutputDefinition> outputs;
  std::vector<NodeTemplate> nodes;
  std::vector<Group> groups;
  /// Counts of templates and scaling groups are those in each instance of what
  /// they are inside of: a container, or a scaling group.
  bool countsPerContainer = false;
  /// Each node is there once: index 0 in a path means it, whatever index its
  /// instance has got meanwhile.
  bool hasSingles = false;
  /// Events of the service.
  std::vector<ir::MachineId> machines;
  std::vector<ir::Workflow> workflows;
  std::vector<ir::PolicyTrigger> policies;
  std::optional<Substitution> substitution;
  /// Tags by which substitution may choose: metadata of the template.
  std::vector<ir::Mark> metadata;
  SourceRange range;
};

/// All services that were read, with what they share. One is compiled; the
/// others may substitute its nodes.
struct CheckedProgram {
  /// Whether the entry file has a service, which is the first then.
  bool hasEntry = false;
  /// Owns values, types of values, expressions and the arrays of machines.
  std::shared_ptr<ValueArena> arena;
  std::vector<ir::TypeInfo> types;
  std::vector<ir::Machine> machines;
  std::vector<ir::Artifact> artifacts;
  std::vector<Service> services;
  /// Node types as templates without assignments or requirements, for nodes of
  /// other deployments; empty where no requirement may lead to one.
  std::vector<NodeTemplate> nodeTypes;
  ir::WorkflowRoles roles;
  /// Files with bindings that gave machines to types.
  std::vector<FileId> bindings;
  /// The machines of interface types by themselves, for those who look at a
  /// profile.
  std::vector<ir::Machine> interfaceTypes;
};

} // namespace toscac::sema

#endif
