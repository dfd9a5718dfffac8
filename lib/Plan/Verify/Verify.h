//===- Verify.h - Every order of completion ---------------------*- C++ -*-===//
///
/// \file
/// Explores the event system itself in every order in which its operations can
/// end, up to orders that make no difference and instances that are alike.
/// Reports whether all of them take the steps of the run, keep what machines
/// promise and reach its state, or the shortest one that does not. Where the
/// workflow wants one thing after another, each is explored from where the one
/// before ended.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_VERIFY_H
#define TOSCAC_LIB_PLAN_VERIFY_H

#include "Steps/Start.h"
#include "Steps/SymbolicRun.h"

namespace toscac::plan {

/// \p limit is the highest number of states to look at.
void verifyOrders(const Start &start, const SymbolicRun &run, uint64_t limit);

/// The number of states that were seen; none, after a report, unless all orders
/// do what \p run does.
std::optional<size_t> findStates(const Start &start, const SymbolicRun &run,
                                 uint64_t limit);

} // namespace toscac::plan

#endif
