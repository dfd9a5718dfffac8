//===- DescribeSchedule.h - A schedule in words -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_DESCRIBESCHEDULE_H
#define TOSCAC_LIB_PLAN_DESCRIBESCHEDULE_H

#include "GroundInterpreter.h"
#include "toscac/Plan/Story.h"

namespace toscac::plan {

/// Reports the schedule that goes through \p states and does not do what the
/// run did: what ends, what that starts, what is ignored and why.
/// That is an error if \p isRefused, else a warning. \p given says what outputs
/// turn out to be there.
void reportSchedule(const GroundInterpreter &interpreter,
                    llvm::ArrayRef<GroundState> states, EventSystem &system,
                    bool isRefused, llvm::StringRef given = {});

/// The same as a story, without a claim.
Story tellSchedule(const GroundInterpreter &interpreter,
                   llvm::ArrayRef<GroundState> states, EventSystem &system);

/// What is other than in the plan where an order ends in \p last: steps if
/// there are any, else cells.
std::string differenceOf(const GroundInterpreter &interpreter,
                         const GroundState &last, const EventSystem &system);

} // namespace toscac::plan

#endif
