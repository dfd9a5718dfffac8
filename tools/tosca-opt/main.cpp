//===- tosca-opt - Graphs as text, in and out -----------------------------===//
///
/// \file
/// Reads the text of a graph, verifies it, runs passes and prints it again, for
/// tests and debugging.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Damage.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Expand/GraphPasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

using namespace toscac;

static std::vector<std::string> passNames() {
  return {graphPassNames().begin(), graphPassNames().end()};
}

static void addOptions(CLI::App &app, DriverOptions &options,
                       std::string &damaged) {
  app.add_option("input", options.inputs,
                 "Graph to read; - reads standard input")
      ->type_name("FILE")
      ->expected(1)
      ->required();
  addOutput(app, options.output,
            "Write the result to FILE; - is standard output");
  app.add_flag("--verify-diagnostics", options.test.verifyDiagnostics,
               "Compare diagnostics with the comments expected-error,\n"
               "expected-warning and expected-note");
  app.add_flag("--split-input-file", options.test.splitInputFile,
               "Read each part between lines '# -----' on its own");
  app.add_flag("--verify-roundtrip", options.test.verifyRoundtrip,
               "Print each graph, read that and print it again; what differs\n"
               "is an error")
      ->envname("TOSCAC_VERIFY_ROUNDTRIP");
  app.add_option("--passes", options.test.graphPasses,
                 "Run these passes, with a verification after each:\n" +
                     llvm::join(graphPassNames(), ", "))
      ->type_name("PASS,...")
      ->delimiter(',')
      ->check(CLI::IsMember(passNames()).description(""));
  app.add_option("--damage", damaged,
                 "Break this part of the graph before it is verified")
      ->type_name("PART")
      ->check(CLI::IsMember(damageNames()).description(""));
}

int main(int argc, char **argv) {
  llvm::raw_fd_ostream out(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::raw_fd_ostream err(STDERR_FILENO, /*shouldClose=*/false);
  CLI::App app("Reads a graph as text, verifies and prints it.", "tosca-opt");
  DriverOptions options;
  options.readsGraphs = true;
  options.emit = EmitKind::Graph;
  std::string damaged;
  addOptions(app, options, damaged);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    out << app.help();
    return ExitGood;
  } catch (const CLI::ParseError &error) {
    err << "tosca-opt: error: " << error.what() << '\n';
    return ExitUsage;
  }
  if (!damaged.empty())
    options.test.changeGraph = [&](ir::Graph &graph) {
      damage(graph, damaged);
    };
  int code = runDriver(options, out, err);
  out.flush();
  out.clear_error();
  return code;
}
