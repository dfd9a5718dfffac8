//===- Story.h - A schedule in words ----------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_STORY_H
#define TOSCAC_LIB_PLAN_STORY_H

#include "Acts.h"

namespace toscac::plan {

/// Reports the schedule that goes through \p states and does not do what the
/// run did: what ends, what that starts, what is ignored and why.
/// That is an error if \p isRefused, else a warning.
void tell(const Acts &acts, llvm::ArrayRef<ActState> states,
          EventSystem &system, bool isRefused);

} // namespace toscac::plan

#endif
