//===- CommandLine.h - What all programs do with their options --*- C++ -*-===//
///
/// \file
/// CLI11's exceptions and its use of std::iostream end here.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_TOOLS_COMMANDLINE_H
#define TOSCAC_TOOLS_COMMANDLINE_H

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <unistd.h>

namespace toscac {

/// A list takes one value each time it is given: `-I a b` would otherwise eat
/// the input.
inline CLI::Option *oneByOne(CLI::Option *option) {
  return option->allow_extra_args(false);
}

/// The option -o. `-` is standard output, which is where a result goes without
/// the option.
inline CLI::Option *addOutput(CLI::App &app, std::string &file,
                              const char *help) {
  auto set = [&file](const std::string &given) {
    file = given == "-" ? "" : given;
  };
  return app.add_option_function<std::string>("-o", set, help)
      ->type_name("FILE");
}

inline void suggestHelp(const CLI::App &app, llvm::raw_ostream &err) {
  err << "run '" << app.get_name() << " --help' for the options\n";
}

/// Says what is wrong with the command line of \p app; gives the exit code.
inline int reportUsage(const CLI::App &app, llvm::StringRef message,
                       llvm::raw_ostream &err) {
  err << app.get_name() << ": error: " << message << '\n';
  suggestHelp(app, err);
  return 64;
}

/// Reads the command line. Gives the exit code where that was all: somebody
/// asked for help, or something is wrong.
inline std::optional<int> parseCommandLine(CLI::App &app, int argc, char **argv,
                                           llvm::raw_ostream &out,
                                           llvm::raw_ostream &err) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    out << app.help();
    return 0;
  } catch (const CLI::CallForVersion &call) {
    out << call.what() << '\n';
    return 0;
  } catch (const CLI::ParseError &error) {
    return reportUsage(app, error.what(), err);
  }
  return std::nullopt;
}

/// Calls \p run with both outputs. What could not be written is an error; where
/// even that cannot be said nobody can be told, and LLVM would abort.
template <typename Run>
int runWithOutputs(Run run) {
  llvm::raw_fd_ostream out(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::raw_fd_ostream err(STDERR_FILENO, /*shouldClose=*/false);
  int code = run(out, err);
  out.flush();
  err.flush();
  constexpr int cannotWrite = 3;
  if (out.has_error() && code == 0)
    code = cannotWrite;
  out.clear_error();
  err.clear_error();
  return code;
}

} // namespace toscac

#endif
