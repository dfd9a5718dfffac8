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

/// Whether what \p options ask for is made of a plan alone.
bool isShownOfPlan(const DriverOptions &options);
/// The options to compile what the plan \p input was made from: what they ask
/// for is not in the plan. Nothing after a report.
std::optional<DriverOptions> optionsOfPlan(const DriverOptions &options,
                                           const InputFile &input,
                                           DiagnosticEngine &diags);
/// Whether what was compiled is what the plan that the options name was made
/// from; reports what is not.
bool isAsPlanned(Compilation &compilation);

/// Writes plan.json to \p output and, if the options name a key, its signature
/// beside it. Gives the exit code.
int writePlanFile(const plan::FinishedPlan &plan, Output &output,
                  Compilation &compilation);
/// Puts the signature of \p text beside the plan, if the options name a key.
int signPlan(llvm::StringRef text, const DriverOptions &options,
             DiagnosticEngine &diags);

/// The text of \p plan, which \p input is, as it has to be in \p folder.
std::string textOfPlan(llvm::StringRef folder, const planfile::Plan &plan,
                       const InputFile &input);
/// Writes the files of the engine that \p options name, for \p plan.
int emitEngineOfPlan(planfile::Plan &plan, const InputFile &input,
                     const DriverOptions &options, DiagnosticEngine &diags);

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

/// Writes the state that \p plan leads to from \p known, null where nothing is;
/// \p input names it in reports.
int writeStateAfter(planfile::Plan &plan, const state::State *known,
                    llvm::StringRef input, Output &output,
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
/// How \p plan, which is or will be in \p file, is viewed: with the seconds
/// that
/// \p options say, or those of the last runs that its store knows of.
planfile::ViewOptions viewOptions(const planfile::Plan &plan,
                                  llvm::StringRef file,
                                  const DriverOptions &options);

enum class EmitStage { Parsed, Checked, Expanded };

/// A row of EmitKinds.def.
struct Emitter {
  int (*emit)(Compilation &, Output &);
  EmitStage stage;
};
Emitter emitterOf(EmitKind kind);

} // namespace toscac

#endif
