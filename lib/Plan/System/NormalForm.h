//===- NormalForm.h - Conditions as alternatives ----------------*- C++ -*-===//
///
/// \file
/// A condition in disjunctive normal form: alternatives, each of which says of
/// some cells what they must be worth; and the intervals of a cell's history in
/// which it is so.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_NORMALFORM_H
#define TOSCAC_LIB_PLAN_NORMALFORM_H

#include "Truth.h"

namespace toscac::plan {

/// What a cell must be worth.
struct Literal {
  CellId cell;
  AtomId atom;
  bool wanted;
};

/// All literals must hold; those of one cell stand together.
using Conjunction = llvm::SmallVector<Literal, 4>;

/// From one write up to, but without, another.
struct Interval {
  CellId cell;
  /// None: from the beginning.
  WriteId begin;
  /// None: for good.
  WriteId end;
  friend bool operator==(const Interval &, const Interval &) = default;
};

/// Adds the alternatives of \p term at \p self to those in \p conjunctions, as
/// if by `and`. False if there are too many, or the condition is not made of
/// cells alone.
bool conjoin(TruthOf &truth, TermId term, ir::EntityId self,
             std::vector<Conjunction> &conjunctions);

/// The intervals in which the literals, all of one cell, hold, or may hold
/// since an output has been written; such a write begins an interval of its
/// own.
llvm::SmallVector<Interval, 2> intervalsOf(TruthOf &truth,
                                           llvm::ArrayRef<Literal> literals);

} // namespace toscac::plan

#endif
