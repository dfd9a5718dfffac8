//===- toscac - Compiles service templates to execution plans -------------===//
///
/// \file
/// The command line: options in, exit code out. CLI11's exceptions and its use
/// of std::iostream end here.
///
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

using namespace toscac;

static int reportUsage(llvm::StringRef message, llvm::raw_ostream &err) {
  err << "toscac: error: " << message << '\n';
  return ExitUsage;
}

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Compiles service templates to execution plans.", "toscac");
  DriverOptions options;
  Words words;
  addOptions(app, options, words);
  app.set_help_flag("-h,--help", "Print this text");
  app.set_version_flag("--version", "toscac " + std::string(version()),
                       "Print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    out << app.help();
    return ExitGood;
  } catch (const CLI::CallForVersion &call) {
    out << call.what() << '\n';
    return ExitGood;
  } catch (const CLI::ParseError &error) {
    return reportUsage(error.what(), err);
  }
  setEnumerators(app, words, options);
  std::string conflict = findConflict(app, options);
  if (!conflict.empty())
    return reportUsage(conflict, err);
  return runDriver(options, out, err);
}

int main(int argc, char **argv) {
  llvm::raw_fd_ostream out(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::raw_fd_ostream err(STDERR_FILENO, /*shouldClose=*/false);
  // Asked for by scripts and editors on every start: no option is set up yet.
  bool versionOnly = argc == 2 && llvm::StringRef(argv[1]) == "--version";
  int code = ExitGood;
  if (versionOnly)
    out << "toscac " << version() << '\n';
  else
    code = parseAndRun(argc, argv, out, err);
  if (code == ExitUsage)
    err << "run 'toscac --help' for the options\n";
  out.flush();
  err.flush();
  // Where even this cannot be written, nobody can be told; LLVM would abort.
  if (out.has_error() && code == ExitGood)
    code = ExitFile;
  out.clear_error();
  err.clear_error();
  return code;
}
