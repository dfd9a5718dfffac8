//===- toscac/State/Durations.h - How long steps took -----------*- C++ -*-===//

#ifndef TOSCAC_STATE_DURATIONS_H
#define TOSCAC_STATE_DURATIONS_H

#include "llvm/ADT/StringMap.h"

namespace toscac::state {

/// Adds how many seconds each call of the last runs of \p deployment took, by
/// its name; of several the last one counts. Adds nothing where \p store is no
/// store, or cannot be read: it is only an estimate.
void readLastDurations(llvm::StringRef store, llvm::StringRef deployment,
                       llvm::StringMap<double> &durations);

} // namespace toscac::state

#endif
