//===- TryPlan.h - What only a plan can tell --------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_TRYPLAN_H
#define TOSCAC_LIB_DRIVER_TRYPLAN_H

#include "Compilation.h"

namespace toscac {

/// Plans the service of a file that was checked, if it is small and its inputs
/// have values, and reports what cannot work: circles, counts and indices that
/// nothing fits, goals that are not reached, files of artifacts that are
/// missing. What a deployment may still bring is left to it.
void tryPlan(Compilation &compilation);

} // namespace toscac

#endif
