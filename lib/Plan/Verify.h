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

#include "Run.h"
#include "Simulate.h"

namespace toscac::plan {

/// \p limit is the highest number of states to look at.
void verifyOrders(const Start &start, const Run &run, uint64_t limit);

} // namespace toscac::plan

#endif
