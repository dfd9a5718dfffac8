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
#include "toscac/Plan/FinishPlan.h"
#include "toscac/Plan/ViewPlan.h"

namespace toscac {

#define EMIT(KIND, WORD, STAGE, HELP)                                          \
  int emit##KIND(Compilation &compilation, Output &output);
#include "toscac/Driver/EmitKinds.def"

/// Whether \p input is a plan.
bool isPlanText(const InputFile &input);

/// Shows the plan \p input, or makes it ready for the engine that is asked
/// for.
int emitFromPlan(const DriverOptions &options, const InputFile &input,
                 Output &output, DiagnosticEngine &diags);

/// Runs \p use on the plan of \p compilation, if it has one. \p stories gets
/// the orders that are reported.
int withFinishedPlan(Compilation &compilation, Output &output,
                     llvm::function_ref<int(plan::FinishedPlan &)> use,
                     std::vector<plan::Story> *stories = nullptr);
/// Writes what \p kind or the format of \p options asks for: the view, a table
/// or a picture.
int showPlan(planfile::Plan &plan, EmitKind kind, const DriverOptions &options,
             const planfile::ViewOptions &view, Output &output,
             DiagnosticEngine &diags);

/// Writes the page of \p plan; the graph of \p compilation has more to tell,
/// where the plan was just made.
int showPage(planfile::Plan &plan, const Compilation *compilation,
             const DriverOptions &options, const planfile::ViewOptions &view,
             llvm::ArrayRef<plan::Story> stories, Output &output,
             DiagnosticEngine &diags);

/// Seconds by name of a step: a JSON object, or the record of an earlier run:
/// its trace, or its events, an object a line with `step` and `seconds`.
bool readDurations(llvm::StringRef path, llvm::StringMap<double> &durations,
                   DiagnosticEngine &diags);
/// Those of the last run that the store knows of.
void readLastDurations(const Compilation &compilation,
                       llvm::StringMap<double> &durations);

enum class EmitStage { Parsed, Checked, Expanded };

/// A row of EmitKinds.def.
struct Emitter {
  int (*emit)(Compilation &, Output &);
  EmitStage stage;
};
Emitter emitterOf(EmitKind kind);

} // namespace toscac

#endif
