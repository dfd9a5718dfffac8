//===- toscac/IR/Path.h - Walks over the graph ------------------*- C++ -*-===//
///
/// \file
/// A path leads from an entity to others (TOSCA 2.0 §10.3, and the event paths
/// of machines). It is written as a list of words:
///
///   SELF                          where it starts
///   RELATIONSHIP name index       from a node: relationships of a requirement
///   CAPABILITY name RELATIONSHIP index   relationships into a capability
///   SOURCE, TARGET                from a relationship: the node at that end
///   EARLIER, LATER                from a relationship: those of its source
///                                 whose rank is the next below or above its
///                                 own; with ALL, any below or above
///   NODE name index               instances of a node template of the service
///   SERVICE                       the service itself
///   INSIDE                        from a substituted node: the service in it
///   OUTSIDE                       the node that stands for the service
///
/// The rank of a relationship is the place of its requirement assignment in the
/// template: relationships of one assignment have one rank, and ranks at which
/// a node has no relationship do not count.
///
/// ALL as a name means every requirement or capability, as an index every
/// relationship or instance.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_PATH_H
#define TOSCAC_IR_PATH_H

#include "toscac/Value/Expr.h"

namespace toscac::ir {

struct PathStep {
  enum class Kind : uint8_t {
    Relationship,
    Capability,
    Source,
    Target,
    Node,
    Service,
    Inside,
    Outside,
    Earlier,
    Later
  };
  Kind kind;
  /// Of a requirement, capability or node template; empty: ALL. Of EARLIER and
  /// LATER, ALL; empty: the next rank only.
  Name name;
  /// An integer; null: ALL. Only the first two and Node have one.
  const Expr *index = nullptr;

  /// Whether a name and an index belong to it.
  bool hasName() const {
    return kind == Kind::Relationship || kind == Kind::Capability ||
           kind == Kind::Node;
  }
  /// Whether it can lead to several entities.
  bool isList() const {
    return (hasName() && !index) || kind == Kind::Earlier ||
           kind == Kind::Later;
  }
};

/// No steps: the entity itself.
struct Path {
  llvm::ArrayRef<PathStep> steps;
  SourceRange range;
};

} // namespace toscac::ir

#endif
