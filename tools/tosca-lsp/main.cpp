//===- tosca-lsp - Answers the questions of editors -----------------------===//

#include "CommandLine.h"
#include "Help/Help.h"
#include "Server.h"

using namespace toscac;

static constexpr const char *usage[] = {"[OPTIONS]"};
static constexpr help::Row examples[] = {
    {"tosca-lsp -I profiles", "for an editor, which starts it"},
    {"tosca-lsp --verbose 2>log", "with all that is asked and answered"},
};
static constexpr help::Row exitCodes[] = {
    {"0", "the editor said exit"},
    {"1", "it ended otherwise"},
    {"64", "wrong usage"},
};
static constexpr const char *seeAlso[] = {"toscac"};
static const help::Page page = {usage, examples, {},     exitCodes,
                                {},    {},       seeAlso};

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Answers the questions of editors about service templates, by "
               "the Language Server Protocol on standard input and output.",
               "tosca-lsp");
  ServerOptions options;
  oneByOne(app.add_option("-I", options.driver.imports.searchPaths,
                          "Look for profiles and imports in this folder, too"))
      ->type_name("DIR");
  app.add_option("--profile", options.driver.imports.profiles,
                 "Take the profile NAME from FILE")
      ->type_name("NAME=FILE");
  app.add_option("--profile-map", options.driver.imports.profileMaps,
                 "A file with names of profiles and their files")
      ->type_name("FILE");
  app.add_option("--remote-map", options.driver.imports.remoteMaps,
                 "A file with prefixes of URLs and the folders they stand for")
      ->type_name("FILE");
  oneByOne(app.add_option("-i,--inputs", options.driver.inputValues.files,
                          "Take values of inputs from FILE, in YAML or JSON;\n"
                          "later files are stronger"))
      ->type_name("FILE");
  oneByOne(app.add_option("--input", options.driver.inputValues.values,
                          "Give one input a value; stronger than files"))
      ->type_name("NAME=VALUE");
  app.add_option("-W", options.driver.diagnostics.warnings,
                 "Show or silence a warning, as toscac does")
      ->type_name("FLAG");
  app.add_flag("--stdio")->description(
      "Speak on standard input and output, as always");
  app.add_flag("--verbose", options.isVerbose,
               "Tell on standard error what is asked and answered");
  app.add_flag("--lit-test", options.isTest,
               "Read messages that are separated by lines of '// -----'")
      ->group("");
  help::addHelpOptions(app, page, "tosca-lsp " + std::string(version()));
  if (auto code = help::answerHelp(app, page, argc, argv, out, err))
    return *code;
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  return runServer(options);
}

int main(int argc, char **argv) {
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        return parseAndRun(argc, argv, out, err);
      });
}
