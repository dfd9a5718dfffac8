//===- Stack.cpp - Heat templates on their way ----------------------------===//

#include "Stack.h"

#include "Emit.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Sema/Heat/Analyze.h"

using namespace toscac;

void toscac::loadStack(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  if (!compilation.stack) {
    compilation.stack = std::make_shared<StackInput>(
        compilation.sources, compilation.diags, compilation.files.get());
    for (const std::string &path : compilation.options.heat.environments)
      if (!compilation.stack->library.readEnvironment(
              path, compilation.stack->environment))
        compilation.fileCode = ExitFile;
    for (const std::string &path : compilation.options.inputValues.files)
      if (!compilation.stack->library.readParameters(
              path, compilation.stack->environment))
        compilation.fileCode = ExitFile;
  }
  compilation.stack->files.push_back(
      compilation.stack->library.add(heat::joinPath("", input.name), file));
}

/// Parameters come from environments, from the command line and, weakest, from
/// the deployment as it was composed before.
static heat::ComposeInput inputFor(Compilation &compilation, heat::File &file) {
  const state::Deployment *recorded = recordedDeployment(compilation);
  return {file, compilation.stack->environment,
          compilation.options.inputValues.values,
          recorded ? recorded->inputs : Value(), compilation.options.checkOnly};
}

void toscac::checkStack(Compilation &compilation) {
  for (heat::File *file : compilation.stack->files) {
    if (!file || compilation.diags.hasErrors())
      continue;
    sema::Profile *profile = checkProfile(compilation, "heat");
    if (!profile)
      return;
    compilation.models = heat::analyze(
        inputFor(compilation, *file), compilation.stack->library, *profile,
        compilation.names, compilation.diags, compilation.checked);
  }
}

int toscac::emitComposition(Compilation &compilation, Output &output) {
  DiagnosticEngine &diags = compilation.diags;
  if (!compilation.stack) {
    diags.report({}, diag::NotAStack,
                 shownInputName(compilation.options.inputs.front(),
                                compilation.options.stdinName));
    return ExitInvalid;
  }
  ValueArena arena;
  auto stack = heat::compose(
      {*compilation.stack->files.front(), compilation.stack->environment,
       compilation.options.inputValues.values},
      compilation.stack->library, compilation.names, arena, diags);
  if (!stack || diags.hasErrors())
    return ExitInvalid;
  auto print = [&](llvm::raw_ostream &os) {
    heat::printComposition(*stack, os);
  };
  return output.write(print, diags);
}
