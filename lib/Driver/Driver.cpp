//===- Driver.cpp - Options and the pipeline ------------------------------===//
///
/// \file
/// Reads the input, runs the stages on it, writes what was asked for and shows
/// the diagnostics.
///
//===----------------------------------------------------------------------===//

#include "toscac/Driver/Driver.h"

#include "Frontend.h"
#include "SplitInput.h"
#include "toscac/Basic/Files.h"
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
      : options(options), out(out), err(err) {}

  int run();

private:
  int compile(std::unique_ptr<llvm::MemoryBuffer> buffer);
  int emit(const Program &program, const SourceManager &sources,
           DiagnosticEngine &diags);
  int writeResult(llvm::function_ref<void(raw_ostream &)> write,
                  DiagnosticEngine &diags);
  int verify(const DiagnosticEngine &diags, const SourceManager &sources);
  void show(const DiagnosticEngine &diags, const SourceManager &sources);
  std::string inputName() const {
    return options.input == "-" ? "<stdin>" : options.input;
  }
  int fail(const DiagnosticEngine &diags, int code);

  const DriverOptions &options;
  raw_fd_ostream &out;
  raw_fd_ostream &err;
  WarningOptions warnings;
};

} // namespace

int toscac::runDriver(const DriverOptions &options, raw_fd_ostream &out,
                      raw_fd_ostream &err) {
  return Run(options, out, err).run();
}

int Run::run() {
  DiagnosticEngine diags;
  if (options.printDiagnostics) {
    auto write = [&](raw_ostream &os) {
      printDiagnosticTable(*options.printDiagnostics, os);
    };
    int code = writeResult(write, diags);
    return code == ExitGood ? code : fail(diags, code);
  }
  if (options.printGrammar) {
    int code = writeResult(tosca::printGrammar, diags);
    return code == ExitGood ? code : fail(diags, code);
  }
  for (const std::string &flag : options.warnings)
    warnings.apply(flag, diags);
  if (diags.hasErrors())
    return fail(diags, ExitUsage);

  std::unique_ptr<llvm::MemoryBuffer> input =
      options.input == "-" ? readStdin(diags) : readFile(options.input, diags);
  if (!input)
    return fail(diags, ExitFile);
  if (!options.splitInputFile)
    return compile(std::move(input));
  int code = ExitGood;
  for (auto &part : splitInput(input->getBuffer()))
    code = std::max(code, compile(std::move(part)));
  return code;
}

int Run::compile(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  SourceManager sources;
  DiagnosticEngine diags;
  Program program =
      loadProgram(inputName(), std::move(buffer), options, sources, diags);
  if (options.verifyDiagnostics)
    return verify(diags, sources);
  int code = ExitGood;
  if (listDiagnostics(diags, warnings, sources).numErrors > 0)
    code = ExitInvalid;
  else if (!options.checkOnly)
    code = emit(program, sources, diags);
  show(diags, sources);
  return code;
}

int Run::emit(const Program &program, const SourceManager &sources,
              DiagnosticEngine &diags) {
  switch (options.emit) {
  case EmitKind::AST:
    return writeResult(
        [&](raw_ostream &os) { printProgram(program, sources, os); }, diags);
  case EmitKind::Plan:
    diags.remark(diag::PlanningMissing, inputName());
    return ExitGood;
  }
  llvm_unreachable("all kinds are handled");
}

int Run::writeResult(llvm::function_ref<void(raw_ostream &)> write,
                     DiagnosticEngine &diags) {
  if (!options.output.empty()) {
    writeFile(options.output, write, diags);
    return diags.hasErrors() ? ExitFile : ExitGood;
  }
  write(out);
  out.flush();
  if (!out.has_error())
    return ExitGood;
  diags.report({}, diag::CannotWriteFile, "<stdout>", out.error().message());
  out.clear_error();
  return ExitFile;
}

int Run::verify(const DiagnosticEngine &diags, const SourceManager &sources) {
  DiagnosticEngine result;
  verifyDiagnostics(listDiagnostics(diags, warnings, sources), sources, result);
  show(result, sources);
  return result.hasErrors() ? ExitInvalid : ExitGood;
}

void Run::show(const DiagnosticEngine &diags, const SourceManager &sources) {
  DiagnosticList list = listDiagnostics(diags, warnings, sources);
  limitErrors(list, options.maxErrors);
  bool color = options.color == ColorMode::Always ||
               (options.color == ColorMode::Auto && err.has_colors());
  printDiagnostics(list, sources, options.diagnosticsFormat, color, err);
}

/// Ends a run that has no source. Wrong usage is told to a person, whatever
/// the format.
int Run::fail(const DiagnosticEngine &diags, int code) {
  SourceManager none;
  if (code == ExitUsage)
    printDiagnostics(listDiagnostics(diags, warnings, none), none,
                     DiagnosticsFormat::Text, /*color=*/false, err);
  else
    show(diags, none);
  return code;
}
