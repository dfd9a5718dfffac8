//===- toscac - Compiles service templates to execution plans -------------===//
///
/// \file
/// The command line: options in, exit code out. CLI11's exceptions and its use
/// of std::iostream end here.
///
//===----------------------------------------------------------------------===//

#include "toscac/Driver/Driver.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

using namespace toscac;

namespace {

/// Options whose words are turned into enumerators after parsing.
struct Words {
  std::string emit = "plan";
  std::string format = "text";
  std::string color = "auto";
  std::string table;
};

} // namespace

/// A list takes one value each time it is given: `-I a b` would otherwise eat
/// the input.
static CLI::Option *oneByOne(CLI::Option *option) {
  return option->allow_extra_args(false);
}

/// The descriptions name the words already.
static CLI::Validator oneOf(std::vector<std::string> words) {
  return CLI::IsMember(std::move(words)).description("");
}

/// CLI11 reads a negative number into an unsigned one.
static CLI::Validator notNegative() {
  return CLI::Validator(CLI::NonNegativeNumber).description("");
}

static void addOutputOptions(CLI::App &app, DriverOptions &options,
                             Words &words) {
  app.add_option("input", options.input,
                 "Service template to compile; - reads standard input")
      ->type_name("FILE");
  const char *group = "Output";
  app.add_option("-o", options.output, "Write the result to FILE")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--check", options.checkOnly, "Stop after checking")
      ->group(group);
  app.add_option("--emit", words.emit, "What to make: ast, plan (default)")
      ->type_name("KIND")
      ->check(oneOf({"ast", "plan"}))
      ->group(group);
}

static void addImportOptions(CLI::App &app, DriverOptions &options) {
  const char *group = "Imports";
  oneByOne(app.add_option("-I", options.searchPaths,
                          "Look for imports and profiles in DIR"))
      ->type_name("DIR")
      ->group(group);
  oneByOne(app.add_option("--profile", options.profiles,
                          "Take the profile NAME from FILE"))
      ->type_name("NAME=FILE")
      ->group(group);
  oneByOne(
      app.add_option("--profile-map", options.profileMaps,
                     "Take profiles from the table FILE (name, tab, path)"))
      ->type_name("FILE")
      ->group(group);
  oneByOne(app.add_option("--remote-map", options.remoteMaps,
                          "Take URLs from the table FILE (prefix, tab, path)"))
      ->type_name("FILE")
      ->group(group);
  app.add_option("-j", options.jobs,
                 "Read up to N files at once (default: one per processor)")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
}

static void addDiagnosticOptions(CLI::App &app, DriverOptions &options,
                                 Words &words) {
  const char *group = "Diagnostics";
  oneByOne(
      app.add_option("-W", options.warnings,
                     "-W<name>, -Wno-<name>: a warning or a group on, off\n"
                     "-Wextra: more warnings\n"
                     "-Werror, -Werror=<name>: warnings become errors\n"
                     "-Wno-error, -Wno-error=<name>: they stay warnings"))
      ->type_name("FLAG")
      ->group(group);
  app.add_option("--diagnostics-format", words.format,
                 "How to show them: text (default), json, sarif, github")
      ->type_name("FORMAT")
      ->check(oneOf({"text", "json", "sarif", "github"}))
      ->group(group);
  app.add_option("--color", words.color,
                 "auto (default: on a terminal), always, never")
      ->type_name("WHEN")
      ->check(oneOf({"auto", "always", "never"}))
      ->group(group);
  app.add_option("--max-errors", options.maxErrors,
                 "Show up to N errors (default: 0, all)")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
  app.add_option("--print-diagnostics", words.table,
                 "Print the table of diagnostics: markdown (default), json")
      ->type_name("FORMAT")
      ->expected(0, 1)
      ->check(oneOf({"json", "markdown"}))
      ->group(group);
  app.add_flag("--print-grammar", options.printGrammar,
               "Print the keynames of TOSCA that toscac reads, as Markdown")
      ->group("Output");
}

static void addTestOptions(CLI::App &app, DriverOptions &options) {
  const char *group = "Testing";
  app.add_flag("--verify-diagnostics", options.verifyDiagnostics,
               "Compare diagnostics with the comments expected-error,\n"
               "expected-warning and expected-note")
      ->group(group);
  app.add_flag("--split-input-file", options.splitInputFile,
               "Compile each part between lines '# -----' on its own")
      ->group(group);
}

/// Turns words, which CLI11 has checked, into enumerators.
static void setEnumerators(const Words &words, bool printTable,
                           DriverOptions &options) {
  options.emit = words.emit == "ast" ? EmitKind::AST : EmitKind::Plan;
  options.diagnosticsFormat =
      llvm::StringSwitch<DiagnosticsFormat>(words.format)
          .Case("json", DiagnosticsFormat::JSON)
          .Case("sarif", DiagnosticsFormat::SARIF)
          .Case("github", DiagnosticsFormat::GitHub)
          .Default(DiagnosticsFormat::Text);
  options.color = llvm::StringSwitch<ColorMode>(words.color)
                      .Case("always", ColorMode::Always)
                      .Case("never", ColorMode::Never)
                      .Default(ColorMode::Auto);
  if (printTable)
    options.printDiagnostics =
        words.table == "json" ? TableFormat::JSON : TableFormat::Markdown;
}

static int reportUsage(llvm::StringRef message, llvm::raw_ostream &err) {
  err << "toscac: error: " << message << '\n';
  return ExitUsage;
}

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Compiles service templates to execution plans.", "toscac");
  DriverOptions options;
  Words words;
  addOutputOptions(app, options, words);
  addImportOptions(app, options);
  addDiagnosticOptions(app, options, words);
  addTestOptions(app, options);
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
  setEnumerators(words, app.count("--print-diagnostics") > 0, options);
  if (options.input.empty() && !options.printDiagnostics &&
      !options.printGrammar)
    return reportUsage("no input file", err);
  if (options.checkOnly && app.count("--emit") > 0)
    return reportUsage("--check and --emit exclude each other", err);
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
