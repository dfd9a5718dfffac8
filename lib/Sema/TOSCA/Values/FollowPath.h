//===- FollowPath.h - TOSCA Paths over types --------------------*- C++ -*-===//
///
/// \file
/// Where a TOSCA Path leads, as far as types and templates tell.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_FOLLOWPATH_H
#define TOSCAC_LIB_SEMA_TOSCA_FOLLOWPATH_H

#include "CheckExpression.h"

namespace toscac::sema {

/// The entities that a path may have led to.
struct Place {
  enum Kind : uint8_t {
    /// Only expansion knows.
    Unknown,
    Node,
    Relationship,
    Capability,
    Interface,
    /// A group, policy or data type, which leads nowhere else.
    Other
  };
  using Types = llvm::SmallVector<const Flat *, 1>;

  Kind kind = Unknown;
  /// What they may be; none: of any type.
  Types types;
  /// Whether one of the types is enough: which of them it is depends on indices
  /// and on what expansion chooses.
  bool isChoice = false;
  /// The template of a node; null if it is not known.
  const Template *node = nullptr;
  /// Of a relationship: its ends and the capability that it leads to.
  Types sources, targets, capabilities;
  const Template *source = nullptr;
  const Template *target = nullptr;
};

/// A path that has been followed up to a name that is none of its words.
struct FollowedPath {
  Place place;
  /// The steps that are left: a value's name and what follows.
  llvm::ArrayRef<Expr> rest;
  /// Whether it leads to all instances or relationships, so that their values
  /// are a list.
  bool takesAll = false;
};

/// Follows \p steps; reports steps that lead nowhere, after which the place is
/// unknown.
FollowedPath followPath(Program &program, const ExprContext &context,
                        llvm::ArrayRef<Expr> steps);

/// The text of a literal step; empty for an index or a call.
llvm::StringRef wordOf(const Expr &step);

/// Reports that no \p noun is called as \p step says.
void reportUnknownStep(Program &program, llvm::StringRef noun, const Expr &step,
                       llvm::ArrayRef<llvm::StringRef> known);

/// The member \p name in every type of \p place; empty if one has none and all
/// must, or if none has one, which is reported with \p noun.
Place::Types findInAll(Program &program, const Place &place, Key key,
                       llvm::StringRef noun, const Expr &step);

} // namespace toscac::sema

#endif
