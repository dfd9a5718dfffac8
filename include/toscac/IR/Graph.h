//===- toscac/IR/Graph.h - The representation graph -------------*- C++ -*-===//
///
/// \file
/// Instances and relationships of a service: what planning starts from.
///
/// Instances are not objects. What is alike for all instances of a template is
/// said once, in a class; what differs stands in columns with a row for each.
/// Nodes are numbered class by class and, within a class, in ascending index;
/// relationships class by class, then by source node, then by index. So the
/// nodes of a class, the relationships of a class, and the relationships of one
/// class that leave one node are each a range of ids.
///
/// All that a plan depends on stands here, and in the text form: what is wanted
/// and what was recorded, too. What it refers to it owns, with others or alone;
/// only names belong to their table.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_GRAPH_H
#define TOSCAC_IR_GRAPH_H

#include "toscac/IR/Types.h"
#include "toscac/IR/Workflow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toscac::ir {

struct NodeId {
  uint32_t index;
  friend bool operator==(NodeId, NodeId) = default;
  friend auto operator<=>(NodeId, NodeId) = default;
};
struct RelationshipId {
  uint32_t index;
  friend bool operator==(RelationshipId, RelationshipId) = default;
  friend auto operator<=>(RelationshipId, RelationshipId) = default;
};
/// Nodes come first, then relationships, then services.
struct EntityId {
  uint32_t index;
  friend bool operator==(EntityId, EntityId) = default;
  friend auto operator<=>(EntityId, EntityId) = default;
};
enum class EntityKind : uint8_t { Node, Relationship, Service };
/// What a plan does with an entity as a whole.
enum class Presence : uint8_t {
  /// It is not there yet.
  New,
  /// It is there, and stays.
  Kept,
  /// It stays, but its properties change.
  Updated,
  /// It is taken down and brought up again.
  Replaced,
  /// It is taken down and forgotten.
  Leaving
};
/// `new`, `kept`, `updated`, `replaced`, `leaving`.
llvm::StringRef spelling(Presence presence);
struct NodeClassId {
  uint32_t index;
  friend bool operator==(NodeClassId, NodeClassId) = default;
};
struct RelationshipClassId {
  uint32_t index;
  friend bool operator==(RelationshipClassId, RelationshipClassId) = default;
};
struct SubgraphId {
  uint32_t index = 0;
  friend bool operator==(SubgraphId, SubgraphId) = default;
};

/// Ids from `first` on.
template <typename Id>
struct IdRange {
  uint32_t first = 0;
  uint32_t count = 0;

  bool contains(Id id) const {
    return id.index >= first && id.index - first < count;
  }
  Id operator[](uint32_t i) const { return {first + i}; }
  auto ids() const {
    return llvm::map_range(llvm::seq(first, first + count),
                           [](uint32_t i) { return Id{i}; });
  }
};

/// The values of one property, attribute or cell for all instances of a class.
/// A literal is known; anything else is evaluated while the plan runs.
class Column {
public:
  /// Null: not set.
  const Expr *at(uint32_t row) const {
    return each.empty() ? shared : each[row];
  }
  bool isShared() const { return each.empty(); }
  /// Rows that have values of their own; 0 if all share one.
  size_t numRows() const { return each.size(); }
  /// The same for all rows.
  void setAll(const Expr *value) {
    shared = value;
    each.clear();
  }
  /// For one of \p rows rows.
  void set(uint32_t row, const Expr *value, uint32_t rows) {
    if (each.empty()) {
      if (value == shared)
        return;
      each.assign(rows, shared);
    }
    each[row] = value;
  }
  /// Rows from \p first to before \p end get what the row before them has.
  void repeat(uint32_t first, uint32_t end) {
    if (!each.empty())
      std::fill(each.begin() + first, each.begin() + end, each[first - 1]);
  }

private:
  const Expr *shared = nullptr;
  std::vector<const Expr *> each;
};

/// A property or attribute with the values of all instances.
struct ValueColumn {
  Name name;
  TypeKind type = TypeKind::Any;
  bool sensitive = false;
  Column values;
};

/// An interface of a class: the machine and what its cells hold.
struct MachineSlot {
  MachineId machine;
  /// Parallel to Machine::cells; rows are literals.
  std::vector<Column> cells;
};

struct CapabilityColumns {
  Name name;
  TypeId type;
  std::vector<ValueColumn> properties;
  std::vector<ValueColumn> attributes;
  /// What relationships have left of a property that they allocate from.
  std::vector<ValueColumn> remaining;
};

/// The instances of one node template in one subgraph.
struct NodeClass {
  SubgraphId subgraph;
  /// The name of the template.
  Name name;
  TypeId type;
  IdRange<NodeId> nodes;
  /// In the order of requirement assignments.
  IdRange<RelationshipClassId> relationships;
  std::vector<ValueColumn> properties;
  std::vector<ValueColumn> attributes;
  std::vector<CapabilityColumns> capabilities;
  std::vector<MachineSlot> machines;
  /// Nodes of services around this one that stand for the template, which has
  /// no instances of its own then.
  std::vector<NodeId> selected;
  /// The lowest index that was never given.
  uint32_t nextIndex = 0;
  /// How many there are in each instance of what the template is inside of,
  /// where that is how they are counted.
  std::optional<uint32_t> perContainer;
  /// What the template is called where its instances are recorded; none: as
  /// now.
  Name movedFrom;
  /// Of the instances that stay, so many may be down at once; none: all.
  std::optional<uint32_t> maxUnavailable;
  SourceRange range;
};

/// The relationships of one requirement assignment of a node class.
struct RelationshipClass {
  NodeClassId source;
  Name requirement;
  TypeId type;
  IdRange<RelationshipId> relationships;
  /// For each node of the source class, and one more: where its relationships
  /// begin, counted from the first of the class.
  std::vector<uint32_t> offsets;
  std::vector<ValueColumn> properties;
  std::vector<ValueColumn> attributes;
  std::vector<MachineSlot> machines;
  SourceRange range;
};

struct InputValue {
  Name name;
  /// Null: it is given when the plan is run. Of a sensitive one, which always
  /// is: not its value, but some value of its type.
  const Expr *value;
  bool sensitive = false;
};

struct OutputValue {
  Name name;
  TypeKind type = TypeKind::Any;
  /// Known or residual; paths in it are written from the service.
  const Expr *value;
  bool sensitive = false;
  SourceRange range;
};

/// What other deployments may rely on, once this one is there.
struct SharedValue {
  /// Of an output, or of a capability.
  Name name;
  /// Of its value, or of the capability.
  Name type;
  /// The node that it belongs to, as plans name it; empty: none.
  Name provider;
  /// As that of an output; null: not known, or not to be seen.
  const Expr *value = nullptr;
  /// The value is all that is recorded of it, not one member of that.
  bool isRecord = false;
};

/// A service: the one compiled ([0]) or one inside a substituted node.
struct Subgraph {
  Name service;
  /// The node that stands for this service; none for the first.
  std::optional<NodeId> substitutes;
  IdRange<NodeClassId> classes;
  /// Events of the service.
  std::vector<MachineSlot> machines;
  std::vector<Workflow> workflows;
  std::vector<PolicyTrigger> policies;

  // Of a service inside a node. (What becomes an attribute of the node stands
  // there, with a path that leads INSIDE.)

  /// Paths in their values are written from the node. Those of the first
  /// service belong to the graph.
  std::vector<InputValue> inputs;
  /// Capabilities of the node that are those of nodes in here.
  struct CapabilityMapping {
    Name outer;
    /// The template, and its capability.
    Name node;
    Name inner;
  };
  std::vector<CapabilityMapping> capabilities;
  /// Operations of the substituted node that are workflows in here.
  struct OperationMapping {
    Name interface;
    Name operation;
    Name workflow;
  };
  std::vector<OperationMapping> operations;
};

struct Group {
  /// The service it belongs to.
  SubgraphId subgraph;
  Name name;
  TypeId type;
  /// Names of node templates and groups.
  std::vector<Name> members;
  std::vector<ValueColumn> properties;
  struct Instance {
    uint32_t index;
    std::vector<NodeId> nodes;
  };
  /// Of a group that is scaled as a whole.
  std::vector<Instance> instances;
  /// The lowest index that was never given to one of them.
  uint32_t nextIndex = 0;
  /// As of a node class.
  std::optional<uint32_t> perContainer;
  SourceRange range;
};

/// What is asked for.
struct Goal {
  /// None: nobody has asked for anything yet.
  Name workflow;
  /// Nobody asked for it by name: if nothing defines it, there is nothing to
  /// do.
  bool mayBeMissing = false;
  /// Its parameters; values are literals.
  std::vector<InputValue> parameters;
  enum class Reach : uint8_t {
    /// The workflow is what the service or its machines define.
    Defined,
    /// It adds, removes and replaces entities (Presence); others stay as they
    /// are.
    Change,
    /// The same, and whatever stays is to be up, too.
    Update,
    /// Nothing changes; what is up is asked how it is.
    Check
  };
  Reach reach = Reach::Defined;
};

/// What plans tell of a deployment besides its instances.
struct Deployment {
  /// Empty: nothing is known of it.
  llvm::StringRef name;
  /// The folder of the entry file. In the text form, it is as seen from the
  /// file with the text.
  llvm::StringRef root;
  /// A file that the graph was made from, as seen from the root.
  struct File {
    llvm::StringRef name;
    /// `sha256:…`
    llvm::StringRef digest;
  };
  std::vector<File> files;
  /// The digest of the state that it goes on from; empty: none.
  llvm::StringRef state;
  /// Plans have a list of what it shares, even if that is empty.
  bool tellsShared = false;
  /// What operations run where templates say so: see state::Deployment.
  Value operations;
  /// What the service has no more: a template, with the index that its next
  /// instance would get, or a requirement (`site.vpn`) with 0.
  struct Obsolete {
    llvm::StringRef name;
    uint32_t nextIndex = 0;
  };
  std::vector<Obsolete> obsolete;
};

struct Graph {
  /// Owns what expansion or the text parser made.
  ValueArena arena;
  /// Own what it was made from.
  std::vector<std::shared_ptr<const void>> origins;
  Goal goal;
  Deployment deployment;
  std::vector<TypeInfo> types;
  std::vector<Machine> machines;
  std::vector<Artifact> artifacts;
  /// Of the first service.
  std::vector<InputValue> inputs;
  std::vector<OutputValue> outputs;
  std::vector<SharedValue> shared;
  std::vector<Group> groups;

  std::vector<Subgraph> subgraphs;
  std::vector<NodeClass> nodeClasses;
  std::vector<RelationshipClass> relationshipClasses;

  // Columns with a row for each node.
  std::vector<NodeClassId> classOfNode;
  std::vector<uint32_t> indexOfNode;

  // Columns with a row for each relationship.
  std::vector<RelationshipClassId> classOfRelationship;
  /// Its number among those of its source and requirement name.
  std::vector<uint32_t> indexOfRelationship;
  std::vector<NodeId> source;
  std::vector<NodeId> target;
  /// Index into the capabilities of the target's class.
  std::vector<uint16_t> capability;

  // Of a graph that goes on from a recorded state; otherwise empty, and all is
  // new.
  std::vector<Presence> presenceOfNode;
  std::vector<Presence> presenceOfRelationship;
  /// It goes on from a recorded state.
  bool hasRecorded = false;
  /// Why entities are updated or replaced.
  llvm::DenseMap<uint32_t, llvm::StringRef> reasons;
  /// The properties that entities have before they are updated or replaced, a
  /// map, where they get others.
  llvm::DenseMap<uint32_t, Value> former;

  // Relationships by target node, then capability, made by linkIncoming().
  std::vector<uint32_t> incomingOffsets;
  std::vector<RelationshipId> incoming;

  uint32_t numNodes() const { return classOfNode.size(); }
  uint32_t numRelationships() const { return source.size(); }
  uint32_t numEntities() const {
    return numNodes() + numRelationships() + subgraphs.size();
  }

  EntityId entity(NodeId node) const { return {node.index}; }
  EntityId entity(RelationshipId relationship) const {
    return {numNodes() + relationship.index};
  }
  EntityId entity(SubgraphId subgraph) const {
    return {numNodes() + numRelationships() + subgraph.index};
  }
  bool isNode(EntityId id) const { return id.index < numNodes(); }
  bool isRelationship(EntityId id) const {
    return !isNode(id) && id.index - numNodes() < numRelationships();
  }
  bool isService(EntityId id) const {
    return id.index >= numNodes() + numRelationships();
  }
  EntityKind kindOf(EntityId id) const {
    if (isNode(id))
      return EntityKind::Node;
    return isService(id) ? EntityKind::Service : EntityKind::Relationship;
  }
  NodeId node(EntityId id) const { return {id.index}; }
  RelationshipId relationship(EntityId id) const {
    return {id.index - numNodes()};
  }
  SubgraphId subgraph(EntityId id) const {
    return {id.index - numNodes() - numRelationships()};
  }

  /// Where its template or requirement was written; of a service: nowhere.
  SourceRange rangeOf(EntityId id) const;

  const NodeClass &classOf(NodeId node) const {
    return nodeClasses[classOfNode[node.index].index];
  }
  const RelationshipClass &classOf(RelationshipId relationship) const {
    return relationshipClasses[classOfRelationship[relationship.index].index];
  }
  /// Its row in the columns of its class.
  uint32_t row(NodeId node) const {
    return node.index - classOf(node).nodes.first;
  }
  uint32_t row(RelationshipId relationship) const {
    return relationship.index - classOf(relationship).relationships.first;
  }
  /// The relationships of \p relationshipClass that leave \p node, which is of
  /// its source class.
  IdRange<RelationshipId> outgoing(NodeId node,
                                   const RelationshipClass &leaving) const;
  /// Relationships of the same source at the next rank, below that of
  /// \p relationship or above it, at which there are any.
  IdRange<RelationshipId> neighboursOf(RelationshipId relationship,
                                       bool below) const;
  /// All relationships that lead to \p node, capability by capability, each
  /// in ascending order.
  llvm::ArrayRef<RelationshipId> incomingOf(NodeId node) const;
  /// Those that lead to one of its capabilities.
  llvm::ArrayRef<RelationshipId> incomingOf(NodeId node,
                                            uint16_t capability) const;

  /// The subgraph that \p id is in; of a service, itself.
  SubgraphId subgraphOf(EntityId id) const;
  /// The class of the node template \p name of \p subgraph.
  std::optional<NodeClassId> findClass(SubgraphId subgraph, Name name) const;
  /// The service that stands for \p node, if there is one.
  std::optional<SubgraphId> inside(NodeId node) const;
  /// `name[index]`, which need not exist: indices have gaps. A node that was
  /// selected has the index of its place among them.
  std::optional<NodeId> findNode(const NodeClass &nodeClass,
                                 uint32_t index) const;
  /// The relationship with number \p index of \p leaving, among those of
  /// \p node.
  std::optional<RelationshipId>
  findRelationship(NodeId node, const RelationshipClass &leaving,
                   uint32_t index) const;

  Presence presenceOf(NodeId node) const {
    return presenceOfNode.empty() ? Presence::New : presenceOfNode[node.index];
  }
  Presence presenceOf(RelationshipId relationship) const {
    return presenceOfRelationship.empty()
               ? Presence::New
               : presenceOfRelationship[relationship.index];
  }
  /// A service is there as long as its nodes.
  Presence presenceOf(EntityId id) const;

  /// The interfaces of an entity.
  llvm::ArrayRef<MachineSlot> machinesOf(EntityId id) const;
  /// Its row in their columns.
  uint32_t rowOf(EntityId id) const;

  /// `site[2]`, `site[2].vpn[0]`, `db[0]/vm[1]`: as in plans.
  std::string nameOf(NodeId node) const;
  std::string nameOf(RelationshipId relationship) const;
  std::string nameOf(EntityId id) const;

  /// What \p id is called where it is recorded, if that is something else.
  std::optional<std::string> formerNameOf(EntityId id) const;

  /// Fills `incoming`; to be called when all relationships are there.
  void linkIncoming();
  /// Makes findClass() and inside() work; to be called when all are there.
  void linkClasses();

private:
  /// By subgraph and the address of the interned name.
  llvm::DenseMap<std::pair<uint32_t, const char *>, uint32_t> classes;
  /// By substituted node.
  llvm::DenseMap<uint32_t, uint32_t> services;
};

} // namespace toscac::ir

#endif
