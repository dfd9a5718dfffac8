//===- Values.h - Properties and attributes, evaluated once -----*- C++ -*-===//
///
/// \file
/// A value lives in a column of the graph. Until it is asked for, the column
/// has a mark in its place.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_VALUES_H
#define TOSCAC_LIB_EXPAND_VALUES_H

#include "Expansion.h"
#include "toscac/Value/Environment.h"

namespace toscac::expanding {

/// The columns for \p assignments: literals are there at once, the rest later.
std::vector<ir::ValueColumn>
makeColumns(llvm::ArrayRef<sema::Assignment> assignments);

/// A value of one instance: where it is kept, and what it is computed from.
struct LazyValue {
  ir::ValueColumn *column;
  const sema::Assignment *assignment;
  Place place;
  uint32_t row;
  uint32_t numRows;
};

/// The lazy of \p name among \p columns, which are parallel to \p assignments;
/// nothing if there is no such value.
std::optional<LazyValue> findLazy(std::vector<ir::ValueColumn> &columns,
                                  llvm::ArrayRef<sema::Assignment> assignments,
                                  Name name, const Place &place, uint32_t row,
                                  uint32_t numRows);

/// Evaluates \p lazy if that has not been done: a literal, an expression that
/// waits for the run, or null if it is not set. \p depth is the number of
/// evaluations around it. While it is blocked, nothing is kept.
const Expr *evaluateLazy(Expansion &expansion, const LazyValue &lazy,
                         unsigned depth);

/// Whether \p expr can be different for instances of \p nodeClass or, if that
/// is given, relationships of \p relationshipClass.
bool varies(Expansion &expansion, const Expr &expr, uint32_t nodeClass,
            uint32_t relationshipClass = none);

} // namespace toscac::expanding

#endif
