//===- tosca-ui - Shows a state store to a browser ------------------------===//
///
/// \file
/// The command line: options in, exit code out. A program of its own, so that
/// what runs plans never listens to anybody, and starts without an HTTP server.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Help/Help.h"
#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/Version.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Serve/Serve.h"

#include <csignal>

using namespace toscac;
using help::Row;

static constexpr const char *usage[] = {"[OPTIONS]"};
static constexpr Row examples[] = {
    {"tosca-ui", "the deployments of toscac.db, at a free port"},
    {"tosca-ui --state site.db --serve 127.0.0.1:8080", "at this one"},
};
static constexpr Row exitCodes[] = {
    {"3", "the store cannot be read, or nobody can listen there"},
    {"64", "wrong usage"},
};
static constexpr const char *seeAlso[] = {"tosca-run", "toscac"};
static const help::Page page = {usage, examples, {},     exitCodes,
                                {},    {},       seeAlso};

static int parseAndServe(int argc, char **argv, llvm::raw_fd_ostream &out,
                         llvm::raw_fd_ostream &err) {
  CLI::App app("Shows the deployments of a state store to a browser; changes "
               "nothing.",
               "tosca-ui");
  serve::ServeOptions options;
  options.store = "toscac.db";
  app.add_option("--state", options.store,
                 "The state store (default: toscac.db)")
      ->type_name("FILE");
  app.add_option("--deployment", options.deployment,
                 "The deployment to begin with")
      ->type_name("NAME");
  app.add_option("--run", options.run, "The run to begin with")
      ->type_name("N")
      ->needs("--deployment");
  app.add_option("--work", options.workFolder,
                 "Where logs are (default: .tosca-run beside the store)")
      ->type_name("FOLDER");
  app.add_option("--serve", options.address,
                 "Where to listen (default: 127.0.0.1, at a free port)")
      ->type_name("HOST:PORT");
  app.add_flag("--until-eof", options.endsWithInput,
               "End when standard input does");
  help::addHelpOptions(app, page, "tosca-ui " + std::string(version()));
  if (auto code = help::answerHelp(app, page, argc, argv, out, err))
    return *code;
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  DiagnosticEngine diags;
  int code = serve::serveStore(options, out, diags);
  SourceManager none;
  DiagnosticList list = listDiagnostics(diags, WarningOptions(), none);
  list.program = "tosca-ui";
  printDiagnostics(list, none, DiagnosticsFormat::Text, err.has_colors(), err);
  return code;
}

int main(int argc, char **argv) {
  // A reader that goes away is nothing special.
  signal(SIGPIPE, SIG_IGN);
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        return parseAndServe(argc, argv, out, err);
      });
}
