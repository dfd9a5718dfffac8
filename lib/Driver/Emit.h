//===- Emit.h - What is made of a compilation -------------------*- C++ -*-===//
///
/// \file
/// One function for each row of EmitKinds.def. Each runs the stages it needs
/// beyond those of its row, writes its result and returns the exit code.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_DRIVER_EMIT_H
#define TOSCAC_LIB_DRIVER_EMIT_H

#include "Compilation.h"
#include "Output.h"

namespace toscac {

#define EMIT(KIND, WORD, STAGE, HELP)                                          \
  int emit##KIND(Compilation &compilation, Output &output);
#include "toscac/Driver/EmitKinds.def"

/// Whether \p input is a plan.
bool isPlanText(const InputFile &input);

/// Makes the plan \p input ready for the engine that is asked for.
int emitFromPlan(const DriverOptions &options, const InputFile &input,
                 DiagnosticEngine &diags);

enum class EmitStage { Parsed, Checked, Expanded };

/// A row of EmitKinds.def.
struct Emitter {
  int (*emit)(Compilation &, Output &);
  EmitStage stage;
};
Emitter emitterOf(EmitKind kind);

} // namespace toscac

#endif
