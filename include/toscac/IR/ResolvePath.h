//===- toscac/IR/ResolvePath.h - Following paths ----------------*- C++ -*-===//
///
/// \file
/// Where a path leads, and what the arguments of a query mean. The environments
/// of Expand and Plan share it.
///
/// A path costs what it finds: nothing is allocated on the way, and an index is
/// looked up, not searched for. A path that leads nowhere finds nothing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_RESOLVEPATH_H
#define TOSCAC_IR_RESOLVEPATH_H

#include "toscac/IR/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac::ir {

/// The value of an index that stands in a path; nothing if it is not known.
using IndexOf = llvm::function_ref<std::optional<int64_t>(const Expr &index)>;
/// Indices that are literals.
std::optional<int64_t> literalIndex(const Expr &index);

/// Calls \p visit with each entity that \p path leads to from \p start, in
/// template order, then index order; with `ALL` an entity can be met more than
/// once. \p visit says whether to go on. Gives false if an index on the way is
/// not known. Needs linkIncoming() and linkClasses().
bool forEachEntity(const Graph &graph, EntityId start, const Path &path,
                   IndexOf indexOf, llvm::function_ref<bool(EntityId)> visit);

/// The capability of its target that \p relationship leads to.
const CapabilityColumns &targetCapability(const Graph &graph,
                                          RelationshipId relationship);

/// What the arguments of a query say: a path, and what is read at its end.
struct Reference {
  enum class Place : uint8_t {
    /// The entity itself: its properties, attributes, artifacts.
    Entity,
    /// The capability `part` of a node.
    Capability,
    /// The capability that a relationship leads to.
    TargetCapability,
    /// The interface `part`: its cells.
    Interface
  };

  /// The path starts at the element that this variable of a `$for_each` stands
  /// for, or, where the arguments are values, at `element`. Else at SELF.
  Name variable;
  std::optional<Value> element;
  llvm::SmallVector<PathStep, 4> steps;
  /// What the path leads to.
  EntityKind end;
  Place place = Place::Entity;
  Name part;
  /// Of a property, attribute, artifact or cell; empty: the path is all.
  Name name;
  /// The argument that is the first nested key or index, if there are any.
  size_t firstKey;

  Path path() const { return {steps, {}}; }

  Reference() = default;
  // Steps point to `indices`.
  Reference(const Reference &) = delete;
  Reference &operator=(const Reference &) = delete;

  /// Indices, where the arguments are values.
  llvm::SmallVector<Expr, 2> indices;
};

/// Reads \p words, the arguments of `$get_property`, `$get_attribute` and
/// their kind or the path of a `$for_each`, from an entity of kind \p self.
/// Where the path starts at a variable, \p self is the kind of its elements.
/// Steps refer to the indices among \p words. False if they are no path.
bool readReference(llvm::ArrayRef<Expr> words, EntityKind self,
                   NameTable &names, Reference &result);
/// The same for arguments that have been evaluated.
bool readReference(llvm::ArrayRef<Value> words, EntityKind self,
                   NameTable &names, Reference &result);

} // namespace toscac::ir

#endif
