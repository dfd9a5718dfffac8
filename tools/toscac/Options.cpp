//===- Options.cpp - The command line of toscac ---------------------------===//
///
/// \file
/// The options, one function for each heading of --help.
///
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "CommandLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;

/// Shells offer the words; help does not print them again, since the
/// descriptions name them.
static CLI::Validator oneOf(std::vector<std::string> words) {
  return CLI::IsMember(std::move(words));
}

/// CLI11 reads a negative number into an unsigned one.
static CLI::Validator notNegative() {
  return CLI::Validator(CLI::NonNegativeNumber).description("");
}

namespace {

/// A row of EmitKinds.def.
struct EmitWord {
  const char *word;
  EmitKind kind;
  const char *help;
};

} // namespace

static constexpr EmitWord emitWords[] = {
#define EMIT(KIND, WORD, STAGE, HELP) {WORD, EmitKind::KIND, HELP},
#include "toscac/Driver/EmitKinds.def"
};

static void addEmitOption(CLI::App &app, Words &words) {
  std::vector<std::string> known;
  std::string help = "What to make:";
  for (const EmitWord &row : emitWords) {
    known.emplace_back(row.word);
    help += "\n" + known.back() + ": " + row.help;
  }
  app.add_option("--emit", words.emit, help)
      ->type_name("KIND")
      ->check(oneOf(std::move(known)))
      ->group("Output");
  app.add_option(
         "--format", words.picture,
         "How to show machines and graphs: text (default), dot, mermaid")
      ->type_name("FORMAT")
      ->check(oneOf({"text", "dot", "mermaid"}))
      ->group("Output");
}

static void addLocationsOption(CLI::App &app, DriverOptions &options) {
  app.add_flag("--print-locations", options.printLocations,
               "Say where things stand, with --emit=ast")
      ->group("Output");
}

static void addOutputOptions(CLI::App &app, DriverOptions &options,
                             Words &words) {
  app.add_option("inputs", options.inputs,
                 "Service template to compile; - reads standard input.\n"
                 "With --check, any number of files and folders")
      ->type_name("FILE");
  const char *group = "Output";
  addOutput(app, options.output,
            "Write the result to FILE; - is standard output")
      ->group(group);
  app.add_option("--engine-config", options.engineConfig,
                 "What --emit of an engine has to know: see docs/Executors.md")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--sign", options.signingKey,
                 "Sign the plan, and the digests in it, with the Ed25519 key\n"
                 "in FILE; the signature is beside it, as PLAN.sig")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--check", options.checkOnly, "Stop after checking")
      ->group(group);
  app.add_option("--stdin-filename", options.stdinName,
                 "Call standard input FILE, and look for imports beside it")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--tosca-only", options.toscaOnly,
               "Pass over files that do not look like TOSCA, as in folders")
      ->group(group);
  addEmitOption(app, words);
  addLocationsOption(app, options);
  app.add_flag("--fix", words.fix,
               "Check, and correct what has only one correction in the\n"
               "files given")
      ->group(group);
  app.add_flag("--unsafe", words.fixUnsafe,
               "With --fix: apply corrections that only may be meant, too")
      ->group(group);
  app.add_flag("--fix-dry-run", words.fixDryRun,
               "Check, and print what --fix would change as a diff")
      ->group(group);
  app.add_option("-j", options.jobs,
                 "Read up to N files at once (default: one per processor)")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
}

static void addImportOptions(CLI::App &app, ImportOptions &options) {
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
  oneByOne(app.add_option("--allow-read", options.readable,
                          "Let inputs name files below DIR, too (default:\n"
                          "those of their project and of the options above)"))
      ->type_name("DIR")
      ->group(group);
  app.add_option("--lifecycle", options.lifecycle,
                 "Give machines to interface types that have none by the\n"
                 "bindings in FILE, or by the one called NAME; none: leave\n"
                 "them as they are (default: the bundled binding that fits)")
      ->type_name("FILE|NAME")
      ->group(group);
}

static void addProjectOptions(CLI::App &app, ProjectOptions &options) {
  const char *group = "Imports";
  app.add_option("--project", options.file,
                 "Take settings from FILE (default: the first .toscac.yaml in\n"
                 "the folder of the input and those above)")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--no-project", options.isIgnored, "Look for no project file")
      ->excludes("--project")
      ->group(group);
}

static void addPassOptions(CLI::App &app, PlanFlags &options) {
  const char *group = "Testing";
  app.add_option("--print-after", options.printAfter,
                 "Show the steps of the plan after a pass:\n" +
                     llvm::join(planPassNames(), ", "))
      ->type_name("PASS")
      ->check(oneOf(planPassNames()))
      ->group(group);
  app.add_flag("--verify-each", options.verifyEach,
               "Check the steps of the plan after each pass")
      ->group(group);
  app.add_flag("--time-passes", options.timePasses,
               "Say how long each pass took")
      ->group(group);
}

static void addPlanOptions(CLI::App &app, PlanFlags &options) {
  const char *group = "Planning";
  app.add_option("--workflow", options.workflow,
                 "Plan the workflow NAME (default: the one that the\n"
                 "service or its profile calls bring_up)")
      ->type_name("NAME")
      ->group(group);
  app.add_flag("--take-down", options.takesDown,
               "Plan the workflow that the service or its profile\n"
               "calls take_down")
      ->excludes("--workflow")
      ->group(group);
  oneByOne(app.add_option("--param", options.parameters,
                          "Give a parameter of the workflow a value;\n"
                          "@FILE takes it from FILE"))
      ->type_name("NAME=VALUE")
      ->group(group);
  app.add_flag("--list-workflows", options.listWorkflows,
               "Print the names of all workflows")
      ->group(group);
  app.add_option("-O", options.optimization,
                 "0: no joins; 1 (default): joins; 2: no edge that others\n"
                 "imply")
      ->type_name("LEVEL")
      ->check(CLI::Range(0, 2).description(""))
      ->group(group);
  app.add_option("--max-repeats", options.maxRepeats,
                 "How often an operation of one entity may run (default: 64)")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
  app.add_flag("--verify", options.verify,
               "Try every order in which operations can end: all must take\n"
               "the same steps and reach the same state")
      ->group(group);
  app.add_option("--what-if-fails", options.failing,
                 "Instead of the plan, print what happens if STEP fails")
      ->type_name("STEP")
      ->group(group);
  app.add_flag("--all-steps", options.allSteps,
               "Let --emit=plan-text show steps that call nothing, too")
      ->group(group);
  app.add_option("--verify-limit", options.verifyLimit,
                 "Look at up to N states (default: 1000000)")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
  app.add_option("--durations", options.durations,
                 "Take the seconds that steps need from FILE (JSON, or the\n"
                 "record of a run), for the critical path")
      ->type_name("FILE")
      ->group(group);
}

static void addInputOptions(CLI::App &app, InputOptions &options) {
  const char *group = "Inputs of the service";
  oneByOne(app.add_option("-i,--inputs", options.files,
                          "Take values from FILE, in YAML or JSON;\n"
                          "later files are stronger"))
      ->type_name("FILE")
      ->group(group);
  oneByOne(app.add_option("--input", options.values,
                          "Give one input a value; stronger than files"))
      ->type_name("NAME=VALUE")
      ->group(group);
}

static void addLanguageOptions(CLI::App &app, DriverOptions &options,
                               Words &words) {
  app.add_option("--language", words.language,
                 "What the input is written in: tosca, bosh, heat, cloudify\n"
                 "(default: as its keys tell)")
      ->type_name("NAME")
      ->check(oneOf({"tosca", "bosh", "heat", "cloudify"}))
      ->group("Output");
  oneByOne(
      app.add_option("-e,--environment", options.heat.environments,
                     "Take parameters and the resource registry of a Heat\n"
                     "stack from FILE; later files are stronger"))
      ->type_name("FILE")
      ->group("Heat templates");
  const char *group = "BOSH manifests";
  app.add_option("--releases", options.bosh.releases,
                 "Take job specs from DIR/<release>/jobs/<job>/spec")
      ->type_name("DIR")
      ->group(group);
  app.add_option("--cloud", options.bosh.cloud,
                 "Take director, azs, networks and facts about instances from\n"
                 "FILE")
      ->type_name("FILE")
      ->group(group);
}

/// `NAME=...`
static CLI::Validator assignment() {
  return CLI::Validator(
      [](std::string &text) {
        return text.find('=') == std::string::npos || text.front() == '='
                   ? "'" + text + "' is not of the form NAME=VALUE"
                   : std::string();
      },
      "");
}

static void addManifestOptions(CLI::App &app, BoshOptions &options) {
  const char *group = "BOSH manifests";
  oneByOne(app.add_option("--ops-file", options.opsFiles,
                          "Change the manifest by the operations in FILE"))
      ->type_name("FILE")
      ->group(group);
  oneByOne(app.add_option("-v,--var", options.variables,
                          "Give a variable a value, in YAML; the strongest"))
      ->type_name("NAME=VALUE")
      ->check(assignment())
      ->group(group);
  oneByOne(app.add_option("--var-file", options.variableFiles,
                          "Give a variable the text of FILE as value"))
      ->type_name("NAME=FILE")
      ->check(assignment())
      ->group(group);
  oneByOne(app.add_option("-l,--vars-file", options.variableMaps,
                          "Take values of variables from the map in FILE;\n"
                          "later files are stronger"))
      ->type_name("FILE")
      ->group(group);
  app.add_option("--vars-store", options.variableStore,
                 "The same, weakest of all; nothing is written there")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--path", options.path,
                 "Print what the manifest has at PATH, as --emit=manifest\n"
                 "prints all of it")
      ->type_name("PATH")
      ->group(group);
}

static void addLinkOptions(CLI::App &app, BoshOptions &options) {
  const char *group = "BOSH manifests";
  app.add_option("--render", options.render,
                 "Render the templates of jobs to\n"
                 "DIR/<group>/<index>/<job>; nothing else is made")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--with-ruby", options.rendersWithRuby,
               "Let Ruby render them, in a process that can open no\n"
               "files and reach no network")
      ->group(group);
  app.add_option("--explain-link", options.explainedLink,
                 "Say why a link has the provider that it has")
      ->type_name("GROUP/JOB/LINK")
      ->group(group);
}

static void addStateOptions(CLI::App &app, StateOptions &options) {
  const char *group = "State";
  app.add_option("--state", options.file,
                 "Take what is deployed from FILE: state.json, or a store")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--deployment", options.deployment, "Name of the deployment")
      ->type_name("NAME")
      ->group(group);
}

static void addExpandOptions(CLI::App &app, DriverOptions &options,
                             Words &words) {
  app.add_option("--seed", options.seed,
                 "Choose among equal targets at random, the same for the\n"
                 "same N (default: the first ones)")
      ->type_name("N")
      ->check(notNegative())
      ->group("Expansion");
  app.add_option("--open-requirements", words.openRequirements,
                 "What requirements without a target are: error (default),\n"
                 "or list: they are named, and the rest is planned for review")
      ->type_name("WHAT")
      ->check(oneOf({"error", "list"}))
      ->group("Expansion");
}

static void addDiagnosticOptions(CLI::App &app, DiagnosticOptions &options,
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
  app.add_flag("--pedantic", options.isPedantic,
               "What is clear and yet breaks a rule of the standard is an\n"
               "error")
      ->group(group);
  app.add_option("--diagnostics-format", words.format,
                 "How to show them: text (default), json, sarif, github,\n"
                 "junit, gitlab; all but text go to standard output, or to\n"
                 "FILE of -o, with --check")
      ->type_name("FORMAT")
      ->check(oneOf({"text", "json", "sarif", "github", "junit", "gitlab"}))
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
  app.add_flag("--verbose", options.isVerbose,
               "All notes of an error, even the links of a long chain; -v\n"
               "without NAME=VALUE is the same")
      ->group(group);
  app.add_flag("--stats", options.stats, "Say how much was read")->group(group);
}

static void addPrintOptions(CLI::App &app, PrintOptions &options,
                            Words &words) {
  const char *group = "Reference";
  app.add_option("--explain", options.explained,
                 "Print what is known about NAME: a diagnostic or a group of\n"
                 "them, a keyname, a function, a role in metadata, an\n"
                 "operation of a profile")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--print-diagnostics", words.table,
                 "Print the table of diagnostics: markdown (default), json")
      ->type_name("FORMAT")
      ->expected(0, 1)
      ->check(oneOf({"json", "markdown"}))
      ->group(group);
  app.add_flag("--format-source", options.source,
               "Print the input in its one form: indentation, empty lines")
      ->group(group);
  app.add_flag("--order-keynames", options.form.orderKeynames,
               "With --format-source: keynames in the order of the grammar")
      ->group(group);
  app.add_option("--print-schema", options.schema,
                 "Print a JSON schema: tosca_2_0, tosca_simple_yaml_1_3, or\n"
                 "project, of .toscac.yaml")
      ->type_name("VERSION")
      ->check(oneOf({"tosca_2_0", "tosca_simple_yaml_1_3", "project"}))
      ->group(group);
  app.add_flag("--print-grammar", options.grammar,
               "Print the keynames of TOSCA that toscac reads, as Markdown")
      ->group(group);
}

static void addTestOptions(CLI::App &app, TestOptions &options) {
  const char *group = "Testing";
  app.add_flag("--verify-diagnostics", options.verifyDiagnostics,
               "Compare diagnostics with the comments expected-error,\n"
               "expected-warning and expected-note")
      ->group(group);
  app.add_flag("--split-input-file", options.splitInputFile,
               "Compile each part between lines '# -----' on its own")
      ->group(group);
  app.add_flag("--verify-roundtrip", options.verifyRoundtrip,
               "Print each graph, read that and print it again")
      ->envname("TOSCAC_VERIFY_ROUNDTRIP")
      ->group(group);
  app.add_option("--keep-plans", options.keepPlans,
                 "Put a copy of each plan into FOLDER, too")
      ->type_name("FOLDER")
      ->envname("TOSCAC_KEEP_PLANS")
      ->group(group);
  app.add_option("--max-source", options.maxSource,
                 "Read up to N bytes in all (default: 4 GiB)")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
  app.add_option("--max-filter-pairs", options.maxFilterPairs,
                 "Evaluate a node filter for up to N pairs of nodes")
      ->type_name("N")
      ->check(notNegative())
      ->group(group);
}

void addOptions(CLI::App &app, DriverOptions &options, Words &words) {
  addOutputOptions(app, options, words);
  addImportOptions(app, options.imports);
  addProjectOptions(app, options.project);
  addPlanOptions(app, options.plan);
  addInputOptions(app, options.inputValues);
  addStateOptions(app, options.state);
  addLanguageOptions(app, options, words);
  addManifestOptions(app, options.bosh);
  addLinkOptions(app, options.bosh);
  addExpandOptions(app, options, words);
  addDiagnosticOptions(app, options.diagnostics, words);
  addPrintOptions(app, options.print, words);
  addPassOptions(app, options.plan);
  addTestOptions(app, options.test);
}

void setEnumerators(const CLI::App &app, const Words &words,
                    DriverOptions &options) {
  for (const EmitWord &row : emitWords)
    if (words.emit == row.word)
      options.emit = row.kind;
  options.isEmitGiven = app.count("--emit") > 0;
  options.format = llvm::StringSwitch<PictureFormat>(words.picture)
                       .Case("dot", PictureFormat::Dot)
                       .Case("mermaid", PictureFormat::Mermaid)
                       .Default(PictureFormat::Text);
  options.diagnostics.format =
      llvm::StringSwitch<DiagnosticsFormat>(words.format)
          .Case("json", DiagnosticsFormat::JSON)
          .Case("sarif", DiagnosticsFormat::SARIF)
          .Case("github", DiagnosticsFormat::GitHub)
          .Case("junit", DiagnosticsFormat::JUnit)
          .Case("gitlab", DiagnosticsFormat::GitLab)
          .Default(DiagnosticsFormat::Text);
  options.diagnostics.color = llvm::StringSwitch<ColorMode>(words.color)
                                  .Case("always", ColorMode::Always)
                                  .Case("never", ColorMode::Never)
                                  .Default(ColorMode::Auto);
  if (!options.bosh.render.empty() || !options.bosh.explainedLink.empty())
    options.emit = EmitKind::Links;
  if (!options.bosh.path.empty())
    options.emit = EmitKind::Manifest;
  options.listOpenRequirements = words.openRequirements == "list";
  if (!words.language.empty())
    options.language = llvm::StringSwitch<Language>(words.language)
                           .Case("bosh", Language::BOSH)
                           .Case("heat", Language::Heat)
                           .Case("cloudify", Language::Cloudify)
                           .Default(Language::TOSCA);
  if (words.fixUnsafe)
    options.fixes = FixKinds::All;
  if (words.fix || words.fixDryRun) {
    options.fix = words.fixDryRun ? FixMode::Diff : FixMode::Apply;
    options.checkOnly = true;
  }
  if (app.count("--print-diagnostics") > 0)
    options.print.diagnostics =
        words.table == "json" ? TableFormat::JSON : TableFormat::Markdown;
}

std::string findConflict(const CLI::App &app, const DriverOptions &options) {
  const PrintOptions &print = options.print;
  bool prints = print.diagnostics || print.grammar ||
                !print.explained.empty() || !print.schema.empty();
  if (options.inputs.empty() && !prints)
    return "no input file";
  if (options.checkOnly && app.count("--emit") > 0)
    return "--check and --emit exclude each other";
  bool hasOwnOutput =
      !options.bosh.render.empty() || !options.bosh.explainedLink.empty();
  if (hasOwnOutput && app.count("--emit") > 0)
    return "--render and --explain-link leave nothing to --emit";
  if (!options.signingKey.empty() && options.output.empty())
    return "--sign needs -o: the signature lies beside the plan";
  if (!options.signingKey.empty() && options.emit != EmitKind::Plan &&
      !isForEngine(options.emit))
    return "--sign is for plans";
  if (isForEngine(options.emit) && options.output.empty())
    return "--emit of a folder needs -o FOLDER";
  bool tests = options.test.splitInputFile || options.test.verifyDiagnostics;
  if (options.fix != FixMode::Show && tests)
    return "--fix is not for tests of diagnostics";
  if (options.fixes == FixKinds::All && options.fix == FixMode::Show)
    return "--unsafe needs --fix or --fix-dry-run";
  if (options.inputs.size() > 1 && !options.checkOnly)
    return "several inputs need --check; " + options.inputs[1] +
           " is one too many";
  return "";
}
