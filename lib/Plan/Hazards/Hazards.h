//===- Hazards.h - Orders that the symbolic run did not see -----*- C++ -*-===//
///
/// \file
/// The symbolic run is one order of many. What is found here is where another
/// order would give other steps or another state.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_HAZARDS_H
#define TOSCAC_LIB_PLAN_HAZARDS_H

#include "Orders.h"

namespace toscac::plan {

/// Reports what is wrong with other orders: `lost-trigger`, `event-race`,
/// `early-event`, `transient-precondition`. Edges of \p run that others would
/// do for become choices. Unless \p areOrdersVerified later, no order that
/// differs goes without a warning: what these rules do not exclude is looked
/// for in \p orders. True: it remains to be looked for with each value that
/// outputs can write to cells.
bool findHazards(SymbolicRun &run, Orders &orders, bool areOrdersVerified);

/// Looks at other orders of \p run, in which outputs write what \p given says.
/// False, after a warning, unless all of them do the same.
bool lookAtOutcome(const Start &start, const SymbolicRun &run,
                   llvm::StringRef given);

} // namespace toscac::plan

#endif
