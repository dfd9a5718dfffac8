//===- tosca-diff - What changed between two plans ------------------------===//
///
/// \file
/// The command line: two plans in, words and an exit code out.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Help/Help.h"
#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/Version.h"
#include "toscac/Plan/DiffPlans.h"
#include "toscac/Plan/ReadPlan.h"

using namespace toscac;

enum ExitCode : int { ExitEqual = 0, ExitDiffers = 1, ExitFile = 3 };

static int compare(const std::string &old, const std::string &now,
                   bool equivalent, llvm::raw_ostream &out,
                   llvm::raw_ostream &err) {
  DiagnosticEngine diags;
  auto fail = [&] {
    for (const Diagnostic &diagnostic : diags.all())
      err << "tosca-diff: error: " << diagnostic.message << '\n';
    return ExitFile;
  };
  auto before = planfile::PlanFile::open(old, diags);
  auto after = planfile::PlanFile::open(now, diags);
  if (!before || !after)
    return fail();
  llvm::Expected<bool> same =
      equivalent ? planfile::areEquivalent(*before, *after, out)
                 : planfile::areEqual(*before, *after, out);
  if (!same) {
    err << "tosca-diff: error: " << llvm::toString(same.takeError()) << '\n';
    return ExitFile;
  }
  return *same ? ExitEqual : ExitDiffers;
}

static constexpr const char *usage[] = {"[OPTIONS] OLD NEW"};
static constexpr help::Row examples[] = {
    {"tosca-diff old.json new.json", "what changed, in words"},
    {"tosca-diff --equivalent old.json new.json",
     "whether both allow the same orders of the same calls"},
};
static constexpr help::Row exitCodes[] = {
    {"0", "nothing changed"},
    {"1", "something changed"},
    {"3", "a plan cannot be read"},
    {"64", "wrong usage"},
};
static constexpr const char *seeAlso[] = {"toscac", "tosca-run"};
static const help::Page page = {usage, examples, {},     exitCodes,
                                {},    {},       seeAlso};

static int parseAndRun(int argc, char **argv, llvm::raw_ostream &out,
                       llvm::raw_ostream &err) {
  CLI::App app("Says in words what changed between two plans.", "tosca-diff");
  std::string before, after;
  bool equivalent = false;
  app.add_option("old", before, "The plan that was")
      ->type_name("PLAN")
      ->required();
  app.add_option("new", after, "The plan that is")
      ->type_name("PLAN")
      ->required();
  app.add_flag("--equivalent", equivalent,
               "Only whether both allow the same orders of the same calls");
  help::addHelpOptions(app, page, "tosca-diff " + std::string(version()));
  if (auto code = help::answerHelp(app, page, argc, argv, out, err))
    return *code;
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  return compare(before, after, equivalent, out, err);
}

int main(int argc, char **argv) {
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        return parseAndRun(argc, argv, out, err);
      });
}
