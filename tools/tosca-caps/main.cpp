//===- tosca-caps - What templates declare to be --------------------------===//
///
/// \file
/// The command line: options in, exit code out.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Help/Help.h"
#include "toscac/Driver/Capabilities.h"
#include "toscac/Driver/Driver.h"

using namespace toscac;

static constexpr const char *usage[] = {"COMMAND [OPTIONS] FILE..."};
static constexpr help::Row examples[] = {
    {"tosca-caps find -r -c engine=mysql .",
     "templates that say so, one a line"},
    {"tosca-caps summary -f main.yaml", "all capabilities, with their values"},
    {"tosca-caps options main.yaml -e env.yaml", "choices that are left open"},
    {"tosca-caps parameters main.yaml -e env.yaml", "what has to be given"},
};
static constexpr help::Row exitCodes[] = {
    {"0", "answered"},
    {"1", "a template is not valid"},
    {"3", "a file cannot be read"},
    {"64", "wrong usage"},
};
static constexpr const char *seeAlso[] = {"toscac"};
static const help::Page page = {usage, examples, {},     exitCodes,
                                {},    {},       seeAlso};

static CLI::App &addFind(CLI::App &app, FindOptions &options, bool &json,
                         bool &nul) {
  CLI::App &find = *app.add_subcommand(
      "find", "Print the templates that have all of the capabilities given");
  find.alias("capabilities-find");
  oneByOne(find.add_option("-c,--capability", options.conditions,
                           "A capability that templates must have; may be\n"
                           "given several times"))
      ->type_name("KEY=VALUE")
      ->required();
  find.add_flag("-r,--recursive", options.recursive,
                "Look into folders at any depth. Without it a folder is read\n"
                "one level deep, or passed over where files are given, too,\n"
                "as by a pattern of the shell");
  find.add_flag("--json", json, "Print a JSON list");
  find.add_flag("-0,--null", nul, "End each path with a NUL byte");
  find.add_option("paths", options.paths, "Files and folders to look at")
      ->type_name("PATH")
      ->required();
  return find;
}

static CLI::App &addSummary(CLI::App &app, SummaryOptions &options) {
  CLI::App &summary = *app.add_subcommand(
      "summary", "Print all capabilities with their values, as JSON");
  summary.alias("template-capabilities");
  oneByOne(summary.add_option("-f,--file", options.files,
                              "A template; those nested in it count, too"))
      ->type_name("FILE");
  oneByOne(summary.add_option("-e,--environment", options.environments,
                              "An environment, for the templates that its\n"
                              "registry names"))
      ->type_name("FILE");
  return summary;
}

static CLI::App &addStackCommand(CLI::App &app, const char *name,
                                 const char *help, StackOptions &options) {
  CLI::App &command = *app.add_subcommand(name, help);
  command.add_option("stack", options.file, "The Heat template to start from")
      ->type_name("STACK")
      ->required();
  oneByOne(command.add_option("-e,--environment", options.environments,
                              "An environment; later ones are stronger"))
      ->type_name("FILE");
  return command;
}

static int run(int argc, char **argv, llvm::raw_fd_ostream &out,
               llvm::raw_fd_ostream &err) {
  CLI::App app("Answers questions about the capabilities of templates.",
               "tosca-caps");
  app.require_subcommand(1);
  FindOptions findOptions;
  bool json = false, nul = false;
  CLI::App &find = addFind(app, findOptions, json, nul);
  SummaryOptions summaryOptions;
  CLI::App &summary = addSummary(app, summaryOptions);
  StackOptions stackOptions;
  CLI::App &choices = addStackCommand(
      app, "options",
      "Print the choices of a stack that are still open, as JSON",
      stackOptions);
  addStackCommand(
      app, "parameters",
      "Print the parameters of a stack and of the templates chosen for it",
      stackOptions);
  help::addHelpOptions(app, page, "tosca-caps " + std::string(version()));
  if (auto code = help::answerHelp(app, page, argc, argv, out, err))
    return *code;
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  if (find.parsed()) {
    for (llvm::StringRef condition : findOptions.conditions)
      if (!condition.contains('=') || condition.starts_with("="))
        return reportUsage(
            app, ("-c takes KEY=VALUE, not '" + condition + "'").str(), err);
    findOptions.format = json  ? PathFormat::JSON
                         : nul ? PathFormat::Nul
                               : PathFormat::Lines;
    return findTemplates(findOptions, out, err);
  }
  if (summary.parsed()) {
    if (summaryOptions.files.empty() && summaryOptions.environments.empty())
      return reportUsage(
          app, "give a template with -f or an environment with -e", err);
    return summarizeTemplates(summaryOptions, out, err);
  }
  return choices.parsed() ? listChoices(stackOptions, out, err)
                          : listParameters(stackOptions, out, err);
}

int main(int argc, char **argv) {
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        return run(argc, argv, out, err);
      });
}
