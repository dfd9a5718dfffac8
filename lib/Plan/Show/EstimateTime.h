//===- EstimateTime.h - How long a plan may take ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_ESTIMATETIME_H
#define TOSCAC_LIB_PLAN_ESTIMATETIME_H

#include "toscac/Plan/Plan.h"

namespace toscac::planfile {

/// Seconds that \p plan takes where up to \p jobs calls run at once, 0 being no
/// limit, by what calls took before; nothing: none of them has run before.
std::optional<double> estimateSeconds(const Plan &plan,
                                      const llvm::StringMap<double> &durations,
                                      unsigned jobs);

} // namespace toscac::planfile

#endif
