//===- tosca-run - Replays execution plans --------------------------------===//
///
/// \file
/// The command line: options in, exit code out.
///
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "HelpPage.h"
#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/Version.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/Run.h"
#include "toscac/Run/StateCommands.h"
#include "llvm/ADT/StringSwitch.h"

#include <csignal>
#include <thread>

using namespace toscac;
using namespace toscac::run;

using StateCommand = int (*)(const StateOptions &, llvm::raw_ostream &,
                             DiagnosticEngine &);

namespace {

/// What the command line asks for.
struct Request {
  RunOptions run;
  std::string onFailure;
  std::string durability = "process";
  bool json = false;
  bool plain = false;
  StateOptions state;
  StateCommand stateCommand = nullptr;
  /// The folder that another engine works in, and the step to run; none:
  /// results are collected.
  std::string engineFolder;
  std::string step;
  PackOptions pack;
  bool isPack = false;
  Notification event;
};

} // namespace

static void addRunOptions(CLI::App &app, Request &request) {
  RunOptions &run = request.run;
  run.jobs = std::max(1u, std::thread::hardware_concurrency());
  app.add_option("plan", run.plan, "The plan to run")->type_name("PLAN");
  const char *group = "Running";
  app.add_option("-j", run.jobs,
                 "Run up to N steps at once (default: one per processor;\n"
                 "0: no limit)")
      ->type_name("N")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->group(group);
  app.add_option("--on-failure", request.onFailure,
                 "When a step fails: stop (default), continue with what\n"
                 "does not wait for it, or rollback")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"stop", "continue", "rollback"}))
      ->group(group);
  app.add_flag("--resume", run.resume, "Go on with a run that was interrupted")
      ->group(group);
  app.add_flag("--dry-run", run.dryRun, "Print what would run")->group(group);
  CLI::Option *only =
      app.add_option("--only", run.only, "Run only the step NAME")
          ->type_name("NAME")
          ->group(group);
  app.add_option("--from", run.from, "Run the step NAME and what waits for it")
      ->type_name("NAME")
      ->excludes(only)
      ->group(group);
  app.add_option("--grace", run.grace,
                 "Seconds between TERM and KILL (default: 10)")
      ->type_name("S")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->group(group);
  app.add_option("--retry-delay", run.retryDelay,
                 "Seconds before the first retry (default: 1); each further\n"
                 "one waits twice as long")
      ->type_name("S")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->group(group);
}

/// What is wrong with \p text as `NAME=…`; empty: nothing.
static std::string hasName(const std::string &text) {
  size_t end = text.find('=');
  bool isGood = end != std::string::npos && end > 0;
  return isGood ? "" : "'" + text + "' is not of the form NAME=VALUE";
}

static void addFileOptions(CLI::App &app, Request &request) {
  RunOptions &run = request.run;
  const char *group = "Files";
  app.add_option("--state", run.store,
                 "The state store (default: toscac.db beside the plan, or the\n"
                 "only one there that a plan can go on from)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--deployment", run.deployment,
                 "The deployment (default: that of the plan)")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--durability", request.durability,
                 "What survives: the end of the process (default) or of\n"
                 "the power")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"process", "power"}))
      ->group(group);
  oneByOne(app.add_option("--runner", run.runners,
                          "Run artifacts of TYPE by COMMAND {file}"))
      ->type_name("TYPE=COMMAND")
      ->check(CLI::Validator(hasName, ""))
      ->group(group);
  oneByOne(app.add_option("--input", run.inputs,
                          "Give a sensitive input; env:VARIABLE and fd:N say\n"
                          "where its value is"))
      ->type_name("NAME=VALUE")
      ->group(group);
  oneByOne(app.add_option("--input-file", run.inputFiles,
                          "Give sensitive inputs in a JSON file"))
      ->type_name("FILE")
      ->group(group);
  app.add_option("--secret-key-file", run.secretKeyFile,
                 "The key that seals sensitive values (default: that in\n"
                 "TOSCA_SECRET_KEY, or in STORE.key, made at first use)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--require-signature", run.requiredKey,
                 "Run only what the owner of the Ed25519 key in FILE has\n"
                 "signed; the signature is beside the plan, as PLAN.sig")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--allow-outside", run.allowsOutside,
               "Let artifacts lie outside of the plan's root")
      ->group(group);
  oneByOne(app.add_option("--profile", run.profiles,
                          "Where the files of a profile are"))
      ->type_name("NAME=FOLDER")
      ->group(group);
  app.add_option("--work", run.workFolder,
                 "Logs and scratch folders (default: .tosca-run beside the\n"
                 "store)")
      ->type_name("FOLDER")
      ->group(group);
  app.add_option("--compiler", run.compiler,
                 "The compiler that plans the way back (default: toscac\n"
                 "beside this program)")
      ->type_name("FILE")
      ->group(group);
}

/// How machines are reached on which steps run.
static void addMachineOptions(CLI::App &app, Request &request) {
  RunOptions &run = request.run;
  const char *group = "Machines";
  app.add_option("--ssh-user", run.sshUser,
                 "Who to log in as, where a machine does not say it")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--ssh-key", run.sshKey,
                 "The private key to log in with, where a machine names none")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--ssh-config", run.sshConfig,
                 "The configuration of ssh (default: as ssh finds it)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--ssh-wait", run.sshWait,
                 "Seconds until a machine must let us in (default: 60)")
      ->type_name("S")
      ->group(group);
}

static void addOutputOptions(CLI::App &app, Request &request) {
  const char *group = "Output";
  CLI::Option *json =
      app.add_flag("--json", request.json, "Print events as JSON lines")
          ->group(group);
  app.add_flag("--plain", request.plain, "Print lines, even on a terminal")
      ->excludes(json)
      ->group(group);
  app.add_option("--trace", request.run.trace,
                 "Write a trace for chrome://tracing or Perfetto")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--report", request.run.report,
                 "Make a page of the run when it is over, for a browser")
      ->type_name("FILE")
      ->group(group);
  app.add_option_function<std::string>(
         "--serve",
         [&request](const std::string &address) {
           // CLI11 says "true" where nothing follows.
           request.run.serve = address == "true" ? "" : address;
         },
         "Show the run to a browser while it goes on (default: at a\n"
         "free port of this host)")
      ->expected(0, 1)
      ->type_name("[HOST:PORT]")
      ->group(group);
}

/// Turns words, which CLI11 has checked, into enumerators.
static void setEnumerators(Request &request) {
  request.run.onFailure = llvm::StringSwitch<OnFailure>(request.onFailure)
                              .Case("continue", OnFailure::Continue)
                              .Case("rollback", OnFailure::Rollback)
                              .Default(OnFailure::Stop);
  request.run.isOnFailureGiven = !request.onFailure.empty();
  if (request.durability == "power")
    request.run.durability = state::Durability::Power;
  if (request.json)
    request.run.progress = ProgressKind::JSON;
  else if (request.plain)
    request.run.progress = ProgressKind::Lines;
}

static CLI::App *addStateCommand(CLI::App &parent, const char *name,
                                 const char *help, StateCommand command,
                                 Request &request) {
  CLI::App *app = parent.add_subcommand(name, help);
  app->add_option("--state", request.state.store,
                  "The state store (default: toscac.db, or the only one in\n"
                  "the folder)")
      ->type_name("FILE");
  app->add_option("--deployment", request.state.deployment,
                  "The deployment (default: 'default', or all)")
      ->type_name("NAME");
  app->callback([&request, command] { request.stateCommand = command; });
  return app;
}

static void addStateCommands(CLI::App &app, Request &request) {
  CLI::App *state = app.add_subcommand("state", "Look into the state store");
  state->require_subcommand(1);
  auto addJSON = [&](CLI::App *command) {
    command->add_flag("--json", request.state.json, "Print JSON");
    return command;
  };
  addJSON(addStateCommand(*state, "list", "List the deployments",
                          listDeployments, request));
  addJSON(addStateCommand(*state, "show", "Show the entities of a deployment",
                          showDeployment, request))
      ->add_option("entity", request.state.name,
                   "Only this entity, or those of this template")
      ->type_name("ENTITY");
  addJSON(addStateCommand(*state, "rm",
                          "Forget an entity that is there no more, and cannot "
                          "be\ntaken down",
                          removeEntity, request))
      ->add_option("entity", request.state.name, "Which one")
      ->type_name("ENTITY")
      ->required();
  addOutput(*addStateCommand(*state, "export",
                             "Print deployments as state.json", exportState,
                             request),
            request.state.file, "Write to FILE; - is standard output");
  addJSON(addStateCommand(*state, "import",
                          "Take deployments from a state.json", importState,
                          request))
      ->add_option("file", request.state.file, "state.json or another store")
      ->type_name("FILE")
      ->required();
  for (CLI::App *parent : {state, &app}) {
    CLI::App *history = addJSON(addStateCommand(*parent, "history",
                                                "List the runs of a deployment",
                                                showHistory, request));
    history
        ->add_option("run,--run", request.state.run, "Show the events of run N")
        ->type_name("N");
  }
  CLI::App *logs = addJSON(addStateCommand(
      app, "logs", "Print what a step has said", showLog, request));
  logs->add_option("step", request.state.name, "The name of the step")
      ->type_name("STEP")
      ->required();
  logs->add_option("--run", request.state.run, "In run N (default: the last)")
      ->type_name("N");
  addJSON(addStateCommand(*state, "unlock",
                          "Remove the lock of a run that is no more",
                          unlockDeployment, request))
      ->add_flag("--force", request.state.force, "Even if it may be alive");
  CLI::App *ui =
      addStateCommand(app, "ui", "Show the store to a browser; changes nothing",
                      showStore, request);
  ui->add_option("--work", request.state.workFolder,
                 "Where logs are (default: .tosca-run beside the store)")
      ->type_name("FOLDER");
  ui->add_option("--serve", request.state.address,
                 "Where to listen (default: 127.0.0.1, at a free port)")
      ->type_name("HOST:PORT");
  addJSON(addStateCommand(app, "outputs", "Print the outputs of the last run",
                          showOutputs, request))
      ->add_option("name", request.state.name, "Only this one")
      ->type_name("NAME");
}

static void addEngineCommands(CLI::App &app, Request &request) {
  CLI::App *step = app.add_subcommand(
      "step", "Run one step of a plan that another engine drives");
  CLI::App *collect = app.add_subcommand(
      "collect", "Take the results of such steps into the store");
  CLI::App *pack = app.add_subcommand(
      "pack", "Run steps of such a plan, each by a process of its own");
  for (CLI::App *command : {step, collect, pack})
    command->fallthrough()
        ->add_option("folder", request.engineFolder,
                     "What 'toscac --emit=ENGINE -o FOLDER' has made")
        ->type_name("FOLDER")
        ->required();
  step->add_option("name", request.step, "The name of the step, or its number")
      ->type_name("NAME")
      ->required();
  pack->add_option("steps", request.pack.steps, "Their numbers (default: all)")
      ->type_name("A-B,C");
  pack->add_option("--each", request.pack.each,
                   "What starts a step, with {step} for its number\n"
                   "(default: tosca-run step)")
      ->type_name("COMMAND");
  pack->callback([&request] {
    request.isPack = true;
    request.pack.folder = request.engineFolder;
  });
  collect->add_flag("--end", request.run.isLastCollection,
                    "No more results will come");
  collect->add_flag("--scripts", request.run.writesScripts,
                    "Write a script for each step, where that is all it needs");
}

static void addNotify(CLI::App &app, Request &request) {
  CLI::App *notify = app.add_subcommand(
      "notify", "Send an event to the service, and run what follows");
  notify->fallthrough();
  notify
      ->add_option("event", request.event.name,
                   "What the service or a policy calls it")
      ->type_name("EVENT")
      ->required();
  oneByOne(notify->add_option("--param", request.event.parameters,
                              "Give an input of the event"))
      ->type_name("NAME=VALUE")
      ->check(CLI::Validator(hasName, ""));
  notify
      ->add_option("--template", request.event.source,
                   "The template (default: that of the last run)")
      ->type_name("FILE");
}

/// `--serve plan.json` names a plan, not where to listen.
static void findPlan(RunOptions &run) {
  if (!run.plan.empty() || !run.serve)
    return;
  run.plan = *run.serve;
  run.serve = "";
}

static int runRequest(const Request &request, llvm::raw_fd_ostream &out,
                      llvm::raw_fd_ostream &err, DiagnosticEngine &diags) {
  if (request.stateCommand)
    return request.stateCommand(request.state, out, diags);
  if (!request.event.name.empty())
    return notify(request.run, request.event, out, err, diags);
  if (request.isPack)
    return runPack(request.run, request.pack, out, diags);
  if (!request.step.empty())
    return runStep(request.run, request.engineFolder, request.step, out, diags);
  if (!request.engineFolder.empty())
    return collectResults(request.run, request.engineFolder, out, err, diags);
  return runPlan(request.run, out, err, diags);
}

static int parseAndRun(int argc, char **argv, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err) {
  CLI::App app("Replays execution plans.", "tosca-run");
  Request request;
  addRunOptions(app, request);
  addFileOptions(app, request);
  addMachineOptions(app, request);
  addOutputOptions(app, request);
  addStateCommands(app, request);
  addEngineCommands(app, request);
  addNotify(app, request);
  help::addHelpOptions(app, helpPage(), "tosca-run " + std::string(version()));
  if (auto code = help::answerHelp(app, helpPage(), argc, argv, out, err))
    return *code;
  if (std::optional<int> code = parseCommandLine(app, argc, argv, out, err))
    return *code;
  findPlan(request.run);
  if (!request.stateCommand && request.engineFolder.empty() &&
      request.event.name.empty() && request.run.plan.empty())
    return reportUsage(app, "no plan", err);
  setEnumerators(request);
  DiagnosticEngine diags;
  int code = runRequest(request, out, err, diags);
  out.flush();
  SourceManager none;
  DiagnosticList list = listDiagnostics(diags, WarningOptions(), none);
  list.program = "tosca-run";
  printDiagnostics(list, none, DiagnosticsFormat::Text, err.has_colors(), err);
  return code;
}

int main(int argc, char **argv) {
  // A run does not end because nobody reads what it says any more.
  signal(SIGPIPE, SIG_IGN);
  // A file that may not grow is an error like a full disk.
  signal(SIGXFSZ, SIG_IGN);
  return runWithOutputs(
      [&](llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err) {
        return parseAndRun(argc, argv, out, err);
      });
}
