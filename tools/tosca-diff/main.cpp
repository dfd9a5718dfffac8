//===- tosca-diff - What changed between two plans ------------------------===//
///
/// \file
/// The command line: two plans in, words and an exit code out.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/Version.h"
#include "toscac/Plan/DiffPlans.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

using namespace toscac;

enum ExitCode : int {
  ExitEqual = 0,
  ExitDiffers = 1,
  ExitFile = 3,
  ExitUsage = 64
};

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

int main(int argc, char **argv) {
  llvm::raw_fd_ostream out(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::raw_fd_ostream err(STDERR_FILENO, /*shouldClose=*/false);
  CLI::App app("Says in words what changed between two plans; ends with 1 if "
               "anything did.",
               "tosca-diff");
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
  app.set_version_flag("--version", std::string("tosca-diff ") + version());
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    out << app.help();
    return ExitEqual;
  } catch (const CLI::CallForVersion &) {
    out << "tosca-diff " << version() << '\n';
    return ExitEqual;
  } catch (const CLI::ParseError &error) {
    err << "tosca-diff: error: " << error.what() << '\n';
    return ExitUsage;
  }
  return compare(before, after, equivalent, out, err);
}
