//===- Guards.h - Steps that may turn out not to happen ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_GUARDS_H
#define TOSCAC_LIB_PLAN_GUARDS_H

#include "PlanData.h"

namespace toscac::plan {

/// Conditions that all have to hold.
using Guards = llvm::SmallVector<const Expr *, 1>;

/// Adds those of \p more that are not among \p guards yet.
void addGuards(Guards &guards, llvm::ArrayRef<const Expr *> more);

/// `{$get_state: [entity, interface, cell]}`.
Expr queryOf(const Layout &layout, CellId cell, ValueArena &arena);
/// The cell of such an expression; none: it is another one.
CellId cellOf(const Layout &layout, const Expr &query, NameTable &names);
/// Visits the cells that \p guard reads.
void forEachCell(const Layout &layout, const Expr &guard, NameTable &names,
                 llvm::function_ref<void(CellId)> visit);

/// Gives every step that cannot happen without a guarded one its guards, too.
void inheritGuards(PlanData &plan);

/// All of \p guards (or, with Function::Or, one of them) as one expression.
const Expr *combineGuards(llvm::ArrayRef<const Expr *> guards,
                          Function function, ValueArena &arena);

/// What \p atom asks of \p cell, as a guard.
const Expr *guardFor(const Layout &layout, const Atom &atom, CellId cell,
                     bool wanted, ValueArena &arena);

const Expr *negateGuard(const Expr *guard, ValueArena &arena);

/// At least \p needed of \p guards as one expression.
const Expr *someOf(llvm::ArrayRef<const Expr *> guards, size_t needed,
                   NameTable &names, ValueArena &arena);

/// The guard of step \p origin of the run; null: none.
const Expr *guardOf(const PlanData &plan, StepId origin, ValueArena &arena);

} // namespace toscac::plan

#endif
