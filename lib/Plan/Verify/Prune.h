//===- Prune.h - What can happen in a ground system -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PRUNE_H
#define TOSCAC_LIB_PLAN_PRUNE_H

#include "Ground.h"

namespace toscac::plan {

/// Leaves out of \p all what can never happen, whatever the order: operations
/// that are never accepted, cells with one value, parts of conditions that
/// these decide. The rest gets new numbers. Notes what is sent in vain.
GroundSystem prune(const GroundSystem &all);

} // namespace toscac::plan

#endif
