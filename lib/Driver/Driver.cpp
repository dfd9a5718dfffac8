//===- Driver.cpp - Options and the pipeline ------------------------------===//
///
/// \file
/// Reads the inputs, runs the stages on them, has made what was asked for and
/// shows the diagnostics.
///
//===----------------------------------------------------------------------===//

#include "toscac/Driver/Driver.h"

#include "Emit.h"
#include "Fix.h"
#include "SplitInput.h"
#include "toscac/Basic/Suppressions.h"
#include "toscac/Basic/VerifyDiagnostics.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Parse/TOSCA/PrintGrammar.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::raw_fd_ostream;
using llvm::raw_ostream;

namespace {

/// One run of the driver: what stays the same for all parts of the input.
class Run {
public:
  Run(const DriverOptions &options, raw_fd_ostream &out, raw_fd_ostream &err)
      : options(options), output(options.output, out, err), err(err) {}

  int run();

private:
  int print(llvm::function_ref<void(raw_ostream &)> print);
  int explainName();
  int compileParts(std::vector<InputFile> inputs);
  int compile(std::vector<InputFile> inputs, DiagnosticEngine &&earlier);
  int runStages(Compilation &compilation, std::vector<InputFile> inputs);
  int checkAndFix();
  int verify(const Compilation &compilation);
  DiagnosticList list(const Compilation &compilation) const {
    return listDiagnostics(compilation.diags, warnings, compilation.sources);
  }
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
  if (!options.print.explained.empty())
    return explainName();

  DiagnosticEngine diags;
  for (const std::string &flag : options.diagnostics.warnings)
    warnings.apply(flag, diags);
  if (diags.hasErrors())
    return failUsage(diags);
  if (options.fix != FixMode::Show)
    return checkAndFix();

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

int Run::explainName() {
  std::string page;
  llvm::raw_string_ostream os(page);
  const std::string &name = options.print.explained;
  if (explain(name, os))
    return print([&](raw_ostream &out) { out << page; });
  DiagnosticEngine diags;
  auto report = diags.report({}, diag::UnknownDiagnostic, name);
  if (auto nearest = nearestName(name, diagnosticNames()))
    report.note({}, diag::DidYouMean, *nearest);
  return failUsage(diags);
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
  auto owned = std::make_unique<Compilation>(options);
  Compilation &compilation = *owned;
  compilation.diags.take(std::move(earlier));
  int code = runStages(compilation, std::move(inputs));
  if (options.test.verifyDiagnostics)
    return verify(compilation);
  show(compilation.diags, compilation.sources);
  // The system frees it faster than we do.
  if (options.isLast && !options.test.splitInputFile)
    llvm::BuryPointer(std::move(owned));
  return code;
}

/// Whether a diagnostic says that a valid service cannot be planned.
static bool isUnplannable(DiagId id) { return info(id).group == "fulfilment"; }

/// What is not valid outweighs what cannot be planned.
static int exitCodeOf(const DiagnosticList &list) {
  int code = ExitGood;
  for (const DiagnosticList::Item &item : list.items)
    if (item.severity == Severity::Error) {
      if (!isUnplannable(item.diagnostic->id))
        return ExitInvalid;
      code = ExitUnplannable;
    }
  return code;
}

/// Whether services stand for nodes of the deployment, be they in the template
/// or not any more.
static bool hasServicesInside(Compilation &compilation) {
  if (compilation.options.imports.searchPaths.empty())
    return false;
  const state::Deployment *recorded = recordedDeployment(compilation);
  return recorded && llvm::any_of(recorded->entities, [](const auto &entity) {
           return entity.name.contains('/');
         });
}

/// Leaves in the compilation what is to be shown.
int Run::runStages(Compilation &compilation, std::vector<InputFile> inputs) {
  if (inputs.empty())
    return ExitGood;
  DiagnosticEngine &diags = compilation.diags;
  if (isPlanText(inputs.front()))
    return emitFromPlan(options, inputs.front(), diags);
  Suppressions suppressions(compilation.sources);
  Emitter emitter = emitterOf(options.emit);
  EmitStage stage = options.checkOnly ? EmitStage::Checked : emitter.stage;
  if (stage >= EmitStage::Expanded && !isGraphText(inputs.front(), options)) {
    std::vector<InputFile> candidates =
        readCandidates(options, inputs.front(), hasServicesInside(compilation),
                       compilation.brokenServices);
    dropBroken(compilation, candidates);
    llvm::move(candidates, std::back_inserter(inputs));
  }
  loadInputs(compilation, std::move(inputs));
  // The AST is what stands before analysis: --emit=ast shows it as it is.
  bool isChecked = stage >= EmitStage::Checked;
  if (isChecked)
    checkPackage(compilation);
  if (options.diagnostics.stats)
    diags.remark(diag::FilesChecked,
                 compilation.stack ? compilation.sources.numFiles()
                                   : compilation.package.files.size(),
                 compilation.sources.numBytes());
  suppressions.apply(diags);
  if (list(compilation).numErrors > 0)
    return std::max<int>(ExitInvalid, compilation.fileCode);
  if (stage >= EmitStage::Expanded) {
    int code = expandService(compilation);
    suppressions.apply(diags);
    code = std::max(code, exitCodeOf(list(compilation)));
    if (code != ExitGood)
      return code;
  }
  int code = ExitGood;
  if (!options.checkOnly) {
    code = emitter.emit(compilation, output);
    suppressions.apply(diags);
  }
  if (isChecked && code == ExitGood)
    suppressions.reportUnused(
        options.checkOnly ? DiagStage::State : DiagStage::Run, diags);
  // -Werror may have made an error of what was found last.
  return code == ExitGood && list(compilation).numErrors > 0 ? ExitInvalid
                                                             : code;
}

/// Applies what can be fixed and checks again, because a fix can uncover more
/// and moves what is left. Every round fixes something, but nobody needs to
/// trust that it ends.
int Run::checkAndFix() {
  constexpr unsigned maxRounds = 10;
  FixTotals totals;
  for (unsigned round = 1;; ++round) {
    Compilation compilation(options);
    DiagnosticEngine &diags = compilation.diags;
    std::vector<InputFile> inputs = readInputs(options, diags);
    int code = diags.hasErrors() ? ExitFile : ExitGood;
    code = std::max(code, runStages(compilation, std::move(inputs)));
    FixPlan plan = planInputFixes(compilation, list(compilation));
    size_t before = diags.numErrors();
    bool isLast = plan.edits.empty() || round > maxRounds;
    if (options.fix == FixMode::Diff) {
      auto print = [&](raw_ostream &os) {
        printDiff(plan, compilation.sources, os);
      };
      code = std::max(code, output.write(print, diags));
    } else if (!isLast) {
      applyFixes(plan, compilation.sources, diags);
      totals.add(plan, compilation.sources);
      if (diags.numErrors() == before)
        continue;
      code = ExitFile;
    }
    totals.remark(diags);
    show(diags, compilation.sources);
    return code;
  }
}

int Run::verify(const Compilation &compilation) {
  const SourceManager &sources = compilation.sources;
  DiagnosticEngine result;
  verifyDiagnostics(list(compilation), sources, result);
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
