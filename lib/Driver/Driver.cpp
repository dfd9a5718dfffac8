//===- Driver.cpp - Options and the pipeline ------------------------------===//
///
/// \file
/// Reads the inputs, runs the stages on them, has made what was asked for and
/// shows the diagnostics.
///
//===----------------------------------------------------------------------===//

#include "toscac/Driver/Driver.h"
#include "toscac/Basic/Suggest.h"

#include "Emit.h"
#include "ExplainName.h"
#include "Fix.h"
#include "SplitInput.h"
#include "TryPlan.h"
#include "toscac/Basic/Suppressions.h"
#include "toscac/Basic/VerifyDiagnostics.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Driver/Project.h"
#include "toscac/Parse/TOSCA/PrintGrammar.h"
#include "toscac/Parse/TOSCA/PrintSchema.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::raw_fd_ostream;
using llvm::raw_ostream;

namespace {

/// One run of the driver: what stays the same for all parts of the input.
class DriverRun {
public:
  DriverRun(const DriverOptions &options, raw_fd_ostream &out,
            raw_fd_ostream &err)
      : options(options), output(options.output, out, err, options.host.result),
        err(err) {}

  int run();
  int codeOfOutput() const { return outputCode; }

private:
  int readProject();
  int print(llvm::function_ref<void(raw_ostream &)> print);
  int explainName();
  int formatInput();
  int compileAgain(const InputFile &plan, DiagnosticEngine &&diags);
  int compileParts(std::vector<InputFile> inputs);
  int compile(std::vector<InputFile> inputs, DiagnosticEngine &&earlier);
  int runStages(Compilation &compilation, std::vector<InputFile> inputs);
  int checkAndFix();
  int verify(const Compilation &compilation);
  DiagnosticList list(const Compilation &compilation) const {
    return listDiagnostics(compilation.diags, warnings, compilation.sources);
  }
  void show(const DiagnosticEngine &diags, const SourceManager &sources);
  void showAsResult(const DiagnosticList &list, const SourceManager &sources);
  int failUsage(const DiagnosticEngine &diags);

  /// With the settings of the project file.
  DriverOptions options;
  Output output;
  raw_fd_ostream &err;
  WarningOptions warnings;
  /// ExitFile where diagnostics could not be written.
  int outputCode = ExitGood;
};

} // namespace

int toscac::runDriver(const DriverOptions &options, raw_fd_ostream &out,
                      raw_fd_ostream &err) {
  DriverRun run(options, out, err);
  int code = run.run();
  return std::max(code, run.codeOfOutput());
}

int DriverRun::run() {
  if (options.print.diagnostics)
    return print([&](raw_ostream &os) {
      printDiagnosticTable(*options.print.diagnostics, os);
    });
  if (options.print.grammar)
    return print(tosca::printGrammar);
  if (options.print.schema == "project")
    return print(printProjectSchema);
  if (!options.print.schema.empty())
    return print(
        [&](raw_ostream &os) { tosca::printSchema(options.print.schema, os); });
  if (!options.print.explained.empty())
    return explainName();

  DiagnosticEngine diags;
  warnings = warningsOf(options, diags);
  if (diags.hasErrors())
    return failUsage(diags);
  if (int code = readProject())
    return code;
  if (options.fix != FixMode::Show)
    return checkAndFix();
  if (options.print.source)
    return formatInput();

  std::vector<InputFile> inputs = readInputs(options, diags);
  int code = diags.hasErrors() ? ExitFile : ExitGood;
  if (inputs.size() == 1 && isPlanText(inputs.front()) && !options.checkOnly &&
      !isShownOfPlan(options))
    return compileAgain(inputs.front(), std::move(diags));
  if (options.test.splitInputFile && code == ExitGood)
    return compileParts(std::move(inputs));
  return std::max(code, compile(std::move(inputs), std::move(diags)));
}

WarningOptions toscac::warningsOf(const DriverOptions &options,
                                  DiagnosticEngine &diags) {
  WarningOptions warnings;
  if (options.diagnostics.isPedantic)
    for (const char *flag :
         {"error=pedantic", "error=extensions", "error=unknown-target-type",
          "error=foreign-mistake", "error=foreign-keyname"})
      warnings.apply(flag, diags);
  for (const std::string &flag : options.diagnostics.warnings)
    warnings.apply(flag, diags);
  return warnings;
}

/// The exit code, after a report where it is not good.
int DriverRun::readProject() {
  std::string file = findProjectFile(options);
  if (file.empty())
    return ExitGood;
  DiagnosticEngine diags;
  SourceManager sources;
  bool isRead = applyProject(file, options, sources, diags);
  warnings = warningsOf(options, diags);
  if (diags.hasErrors())
    show(diags, sources);
  if (!isRead)
    return ExitFile;
  return diags.hasErrors() ? ExitInvalid : ExitGood;
}

int DriverRun::print(llvm::function_ref<void(raw_ostream &)> print) {
  DiagnosticEngine diags;
  int code = output.write(print, diags);
  if (code != ExitGood)
    show(diags, SourceManager());
  return code;
}

int DriverRun::explainName() {
  std::string page;
  llvm::raw_string_ostream os(page);
  const std::string &name = options.print.explained;
  bool isKnown = toscac::explainName(name, os);
  if (isKnown || explainOperation(name, os))
    return print([&](raw_ostream &out) { out << page; });
  DiagnosticEngine diags;
  auto report = diags.report({}, diag::UnknownDiagnostic, name);
  Suggestion(name, explainedNames()).noteOn(report);
  return failUsage(diags);
}

int DriverRun::formatInput() {
  DiagnosticEngine diags;
  SourceManager sources;
  std::vector<InputFile> inputs = readInputs(options, diags);
  if (inputs.empty()) {
    show(diags, sources);
    return ExitFile;
  }
  InputFile &input = inputs.front();
  std::optional<std::string> text = formatText(
      input.name, std::move(input.text), options.print.form, sources, diags);
  if (text)
    return print([&](raw_ostream &os) { os << *text; });
  show(diags, sources);
  return ExitInvalid;
}

/// Makes what was asked for of a plan from what that was made from.
int DriverRun::compileAgain(const InputFile &plan, DiagnosticEngine &&diags) {
  if (std::optional<DriverOptions> again = optionsOfPlan(options, plan, diags))
    return DriverRun(*again, output.standard(), err).run();
  show(diags, SourceManager());
  return ExitInvalid;
}

int DriverRun::compileParts(std::vector<InputFile> inputs) {
  int code = ExitGood;
  for (InputFile &input : inputs)
    for (auto &part : splitInput(input.text->getBuffer())) {
      std::vector<InputFile> one;
      one.push_back({input.name, std::move(part)});
      code = std::max(code, compile(std::move(one), {}));
    }
  return code;
}

int DriverRun::compile(std::vector<InputFile> inputs,
                       DiagnosticEngine &&earlier) {
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
int DriverRun::runStages(Compilation &compilation,
                         std::vector<InputFile> inputs) {
  if (inputs.empty())
    return ExitGood;
  DiagnosticEngine &diags = compilation.diags;
  if (isPlanText(inputs.front()))
    return emitFromPlan(options, inputs.front(), output, diags);
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
  if (options.checkOnly && inputs.size() > 1)
    checkOtherLanguages(compilation, inputs);
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
  if (options.checkOnly && options.inputs.size() == 1) {
    tryPlan(compilation);
    suppressions.apply(diags);
    if (list(compilation).numErrors > 0)
      return std::max<int>(ExitInvalid, compilation.fileCode);
  }
  if (stage >= EmitStage::Expanded) {
    int code = expandService(compilation);
    suppressions.apply(diags);
    code = std::max(code, exitCodeOf(list(compilation)));
    if (code != ExitGood)
      return code;
  }
  int code = ExitGood;
  if (!options.checkOnly &&
      !output.mayWrite(options.inputs, compilation.sources, diags))
    code = ExitFile;
  else if (!isAsPlanned(compilation))
    code = ExitInvalid;
  else if (!options.checkOnly) {
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
int DriverRun::checkAndFix() {
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

int DriverRun::verify(const Compilation &compilation) {
  const SourceManager &sources = compilation.sources;
  DiagnosticEngine result;
  verifyDiagnostics(list(compilation), sources, result);
  show(result, sources);
  return result.hasErrors() ? ExitInvalid : ExitGood;
}

void DriverRun::show(const DiagnosticEngine &diags,
                     const SourceManager &sources) {
  const DiagnosticOptions &shown = options.diagnostics;
  DiagnosticList list = listDiagnostics(diags, warnings, sources);
  limitErrors(list, shown.maxErrors);
  list.isVerbose = shown.isVerbose;
  if (options.host.diagnostics)
    return options.host.diagnostics(list, sources);
  // Programs that read them should not have to pick them out of the rest.
  if (options.checkOnly && shown.format != DiagnosticsFormat::Text &&
      options.fix != FixMode::Diff)
    return showAsResult(list, sources);
  if (options.checkOnly && !options.test.verifyDiagnostics)
    if (std::string text = totals(list, sources); !text.empty()) {
      DiagnosticEngine closing;
      closing.remark(diag::RunTotals, text);
      llvm::append_range(list.remarks, closing.allRemarks());
    }
  bool color = shown.color == ColorMode::Always ||
               (shown.color == ColorMode::Auto && err.has_colors());
  printDiagnostics(list, sources, shown.format, color, err);
}

/// Shows \p list where results go; what keeps it from that is text.
void DriverRun::showAsResult(const DiagnosticList &list,
                             const SourceManager &sources) {
  DiagnosticEngine diags;
  auto print = [&](raw_ostream &os) {
    printDiagnostics(list, sources, options.diagnostics.format,
                     /*color=*/false, os);
  };
  bool isWritten = output.mayWrite(options.inputs, sources, diags) &&
                   output.write(print, diags) == ExitGood;
  if (isWritten)
    return;
  SourceManager none;
  printDiagnostics(listDiagnostics(diags, warnings, none), none,
                   DiagnosticsFormat::Text, /*color=*/false, err);
  outputCode = ExitFile;
}

/// Wrong usage is reported as text, whatever the format.
int DriverRun::failUsage(const DiagnosticEngine &diags) {
  SourceManager none;
  DiagnosticList list = listDiagnostics(diags, warnings, none);
  if (options.host.diagnostics)
    options.host.diagnostics(list, none);
  else
    printDiagnostics(list, none, DiagnosticsFormat::Text, /*color=*/false, err);
  return ExitUsage;
}
