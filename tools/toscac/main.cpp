//===- toscac - Compiles service templates to execution plans -------------===//
///
/// \file
/// The command line: options in, exit code out.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Options.h"

using namespace toscac;

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Compiles service templates to execution plans.", "toscac");
  DriverOptions options;
  Words words;
  addOptions(app, options, words);
  app.set_help_flag("-h,--help", "Print this text");
  app.set_version_flag("--version", "toscac " + std::string(version()),
                       "Print the version");
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  setEnumerators(app, words, options);
  std::string conflict = findConflict(app, options);
  if (!conflict.empty())
    return reportUsage(app, conflict, err);
  int code = runDriver(options, out, err);
  if (code == ExitUsage)
    suggestHelp(app, err);
  return code;
}

int main(int argc, char **argv) {
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        // Asked for by scripts and editors on every start: no option is set up.
        bool versionOnly = argc == 2 && llvm::StringRef(argv[1]) == "--version";
        if (!versionOnly)
          return parseAndRun(argc, argv, out, err);
        out << "toscac " << version() << '\n';
        return int(ExitGood);
      });
}
