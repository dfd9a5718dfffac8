//===- PlainSteps.h - Steps that are a script and no more -------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_PLAINSTEPS_H
#define TOSCAC_LIB_EMIT_PLAINSTEPS_H

#include "toscac/Emit/Emit.h"

namespace toscac::emit {

/// Whether all that the steps of \p plan need is known before the first runs,
/// and nothing has to be known of them but that they have ended well: no guard,
/// no late value, no output, no failure step, no retry, no time limit, no
/// secret. Nothing after a report.
std::optional<bool> isPlain(planfile::Plan &plan, DiagnosticEngine &diags);

} // namespace toscac::emit

#endif
