//===- toscac - Compiles service templates to execution plans -------------===//
///
/// \file
/// The command line: options in, exit code out.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "HelpPage.h"
#include "Options.h"
#include "toscac/Driver/About.h"
#include "llvm/Support/FileSystem.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace toscac;

/// `-v` before an option, a file or nothing means --verbose; before NAME=VALUE
/// it is a variable of a manifest.
static void spellVerbose(int argc, char **argv) {
  static char verbose[] = "--verbose";
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef next = i + 1 < argc ? argv[i + 1] : "";
    bool isAlone =
        next.empty() || next.starts_with("-") || llvm::sys::fs::exists(next);
    if (llvm::StringRef(argv[i]) == "-v" && isAlone)
      argv[i] = verbose;
  }
}

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Compiles service templates to execution plans.", "toscac");
  DriverOptions options;
  Words words;
  addOptions(app, options, words);
  help::addHelpOptions(app, helpPage(), describeBuild("toscac"));
  if (auto code = help::answerHelp(app, helpPage(), argc, argv, out, err))
    return *code;
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  setEnumerators(app, words, options);
  std::string conflict = findConflict(app, options);
  if (!conflict.empty())
    return reportUsage(app, conflict, err);
  options.isLast = true;
  int code = runDriver(options, out, err);
  if (code == ExitUsage)
    suggestHelp(app, err);
  return code;
}

/// What one stage frees, the next one needs: it is not given back to the system
/// in between, from where it would come page by page.
static void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

int main(int argc, char **argv) {
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        // Asked for by scripts and editors on every start: no option is set up.
        bool versionOnly = argc == 2 && llvm::StringRef(argv[1]) == "--version";
        if (versionOnly) {
          out << describeBuild("toscac") << '\n';
          return int(ExitGood);
        }
        spellVerbose(argc, argv);
        keepFreedMemory();
        return parseAndRun(argc, argv, out, err);
      });
}
