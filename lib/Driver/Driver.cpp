//===- Driver.cpp - Options and the pipeline ------------------------------===//
///
/// \file
/// Reads the inputs, runs the stages on them, has made what was asked for and
/// shows the diagnostics.
///
//===----------------------------------------------------------------------===//

#include "toscac/Driver/Driver.h"

#include "Emit.h"
#include "SplitInput.h"
#include "toscac/Basic/VerifyDiagnostics.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Parse/TOSCA/PrintGrammar.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::raw_fd_ostream;
using llvm::raw_ostream;

namespace {

/// One run of the driver: what stays the same for all parts of the input.
class Run {
public:
  Run(const DriverOptions &options, raw_fd_ostream &out, raw_fd_ostream &err)
      : options(options), output(options.output, out), err(err) {}

  int run();

private:
  int print(llvm::function_ref<void(raw_ostream &)> print);
  int compileParts(std::vector<InputFile> inputs);
  int compile(std::vector<InputFile> inputs, DiagnosticEngine &&earlier);
  int runStages(Compilation &compilation, std::vector<InputFile> inputs);
  int verify(const Compilation &compilation);
  void show(const DiagnosticEngine &diags, const SourceManager &sources);
  int failUsage(const DiagnosticEngine &diags);

  const DriverOptions &options;
  Output output;
  raw_fd_ostream &err;
  WarningOptions warnings;
};

} // namespace

int toscac::runDriver(const DriverOptions &options, raw_fd_ostream &out,
                      raw_fd_ostream &err) {
  return Run(options, out, err).run();
}

int Run::run() {
  if (options.print.diagnostics)
    return print([&](raw_ostream &os) {
      printDiagnosticTable(*options.print.diagnostics, os);
    });
  if (options.print.grammar)
    return print(tosca::printGrammar);

  DiagnosticEngine diags;
  for (const std::string &flag : options.diagnostics.warnings)
    warnings.apply(flag, diags);
  if (diags.hasErrors())
    return failUsage(diags);

  std::vector<InputFile> inputs = readInputs(options, diags);
  int code = diags.hasErrors() ? ExitFile : ExitGood;
  if (options.test.splitInputFile && code == ExitGood)
    return compileParts(std::move(inputs));
  return std::max(code, compile(std::move(inputs), std::move(diags)));
}

int Run::print(llvm::function_ref<void(raw_ostream &)> print) {
  DiagnosticEngine diags;
  int code = output.write(print, diags);
  if (code != ExitGood)
    show(diags, SourceManager());
  return code;
}

int Run::compileParts(std::vector<InputFile> inputs) {
  int code = ExitGood;
  for (InputFile &input : inputs)
    for (auto &part : splitInput(input.text->getBuffer())) {
      std::vector<InputFile> one;
      one.push_back({input.name, std::move(part)});
      code = std::max(code, compile(std::move(one), {}));
    }
  return code;
}

int Run::compile(std::vector<InputFile> inputs, DiagnosticEngine &&earlier) {
  Compilation compilation(options);
  compilation.diags.take(std::move(earlier));
  int code = inputs.empty() ? int(ExitGood)
                            : runStages(compilation, std::move(inputs));
  if (options.test.verifyDiagnostics)
    return verify(compilation);
  show(compilation.diags, compilation.sources);
  return code;
}

int Run::runStages(Compilation &compilation, std::vector<InputFile> inputs) {
  Emitter emitter = emitterOf(options.emit);
  EmitStage stage = options.checkOnly ? EmitStage::Checked : emitter.stage;
  auto templates = std::stable_partition(
      inputs.begin(), inputs.end(),
      [&](const InputFile &input) { return isGraphText(input, options); });
  for (InputFile &input : llvm::make_range(inputs.begin(), templates)) {
    if (!options.checkOnly && stage < EmitStage::Expanded)
      compilation.diags.report({}, diag::InputIsGraph, input.name);
    else
      readGraph(compilation, std::move(input));
  }
  inputs.erase(inputs.begin(), templates);
  if (!inputs.empty())
    loadInputs(compilation, std::move(inputs));
  // The AST is what stands before analysis: --emit=ast shows it as it is.
  if (stage >= EmitStage::Checked && !compilation.package.files.empty())
    checkPackage(compilation);
  if (options.diagnostics.stats)
    compilation.diags.remark(diag::FilesChecked,
                             compilation.package.files.size(),
                             compilation.sources.numBytes());
  bool isWrong =
      listDiagnostics(compilation.diags, warnings, compilation.sources)
          .numErrors > 0;
  if (isWrong)
    return ExitInvalid;
  if (options.checkOnly)
    return ExitGood;
  return emitter.emit(compilation, output);
}

int Run::verify(const Compilation &compilation) {
  const SourceManager &sources = compilation.sources;
  DiagnosticEngine result;
  verifyDiagnostics(listDiagnostics(compilation.diags, warnings, sources),
                    sources, result);
  show(result, sources);
  return result.hasErrors() ? ExitInvalid : ExitGood;
}

void Run::show(const DiagnosticEngine &diags, const SourceManager &sources) {
  const DiagnosticOptions &shown = options.diagnostics;
  DiagnosticList list = listDiagnostics(diags, warnings, sources);
  limitErrors(list, shown.maxErrors);
  bool color = shown.color == ColorMode::Always ||
               (shown.color == ColorMode::Auto && err.has_colors());
  printDiagnostics(list, sources, shown.format, color, err);
}

/// Wrong usage is told to a person, whatever the format.
int Run::failUsage(const DiagnosticEngine &diags) {
  SourceManager none;
  printDiagnostics(listDiagnostics(diags, warnings, none), none,
                   DiagnosticsFormat::Text, /*color=*/false, err);
  return ExitUsage;
}
