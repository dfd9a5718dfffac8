//===- FormatTime.h - Points in time for people -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_FORMATTIME_H
#define TOSCAC_LIB_RUN_FORMATTIME_H

#include "toscac/State/Store.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::run {

/// Seconds since 1970 as `2026-01-31T23:59:59Z`.
std::string formatTime(double seconds);

/// `60`, `0.5`: a number of seconds as people write it.
std::string formatSeconds(double seconds);

/// Says who has the lock of \p deployment; returns the exit code for it.
int reportLocked(llvm::StringRef deployment, const state::Owner &owner,
                 DiagnosticEngine &diags);

} // namespace toscac::run

#endif
