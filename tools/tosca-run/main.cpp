//===- tosca-run - Replays execution plans --------------------------------===//
///
/// \file
/// The command line: options in, exit code out.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/Version.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/StateCommands.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;

using StateCommand = int (*)(const StateOptions &, llvm::raw_ostream &,
                             DiagnosticEngine &);

namespace {

/// What the command line asks for.
struct Request {
  StateOptions state;
  StateCommand stateCommand = nullptr;
};

} // namespace

static CLI::App *addStateCommand(CLI::App &parent, const char *name,
                                 const char *help, StateCommand command,
                                 Request &request) {
  CLI::App *app = parent.add_subcommand(name, help);
  app->add_option("--state", request.state.store,
                  "The state store (default: toscac.db)")
      ->type_name("FILE");
  app->add_option("--deployment", request.state.deployment,
                  "The deployment (default: 'default', or all)")
      ->type_name("NAME");
  app->callback([&request, command] { request.stateCommand = command; });
  return app;
}

static void addStateCommands(CLI::App &app, Request &request) {
  CLI::App *state = app.add_subcommand("state", "Look into the state store");
  state->require_subcommand(1);
  addStateCommand(*state, "list", "List the deployments", listDeployments,
                  request);
  addStateCommand(*state, "show", "Show the entities of a deployment",
                  showDeployment, request);
  addStateCommand(*state, "export", "Print deployments as state.json",
                  exportState, request)
      ->add_option("-o", request.state.file, "Write to FILE")
      ->type_name("FILE");
  addStateCommand(*state, "import", "Take deployments from a state.json",
                  importState, request)
      ->add_option("file", request.state.file, "state.json or another store")
      ->type_name("FILE")
      ->required();
  addStateCommand(*state, "history", "List the runs of a deployment",
                  showHistory, request)
      ->add_option("--run", request.state.run, "Show the events of run N")
      ->type_name("N");
  addStateCommand(*state, "unlock", "Remove the lock of a run that is no more",
                  unlockDeployment, request)
      ->add_flag("--force", request.state.force, "Even if it may be alive");
  addStateCommand(app, "outputs", "Print the outputs of the last run",
                  showOutputs, request);
}

static int reportUsage(llvm::StringRef message, llvm::raw_ostream &err) {
  err << "tosca-run: error: " << message
      << "\nrun 'tosca-run --help' for the options\n";
  return ExitUsage;
}

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Replays execution plans.", "tosca-run");
  Request request;
  addStateCommands(app, request);
  app.set_help_flag("-h,--help", "Print this text");
  app.set_version_flag("--version", "tosca-run " + std::string(version()),
                       "Print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    out << app.help();
    return ExitDone;
  } catch (const CLI::CallForVersion &call) {
    out << call.what() << '\n';
    return ExitDone;
  } catch (const CLI::ParseError &error) {
    return reportUsage(error.what(), err);
  }
  if (!request.stateCommand)
    return reportUsage("no plan", err);
  DiagnosticEngine diags;
  int code = request.stateCommand(request.state, out, diags);
  SourceManager none;
  DiagnosticList list = listDiagnostics(diags, WarningOptions(), none);
  list.program = "tosca-run";
  printDiagnostics(list, none, DiagnosticsFormat::Text, err.has_colors(), err);
  return code;
}

int main(int argc, char **argv) {
  llvm::raw_fd_ostream out(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::raw_fd_ostream err(STDERR_FILENO, /*shouldClose=*/false);
  int code = parseAndRun(argc, argv, out, err);
  out.flush();
  err.flush();
  if (out.has_error() && code == ExitDone)
    code = ExitFile;
  out.clear_error();
  err.clear_error();
  return code;
}
