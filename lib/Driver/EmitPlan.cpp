//===- EmitPlan.cpp - Plans, and what they say of files -------------------===//

#include "Emit.h"
#include "Paths.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Plan/PassTimer.h"
#include "toscac/Plan/PredictState.h"
#include "toscac/Plan/ViewPlan.h"
#include "toscac/Plan/WhatIf.h"
#include "toscac/Plan/WritePlan.h"
#include "toscac/Plan/WritePromela.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// The entry file's folder as seen from that of the plan.
static std::string rootFromPlan(const Compilation &compilation) {
  std::string folder =
      absolutePath(path::parent_path(planFile(compilation.options)));
  return relativePath(compilation.graph->deployment.root, folder);
}

/// Artifacts that the plan needs and that could not be read.
static void reportMissing(const plan::Plan &plan, Compilation &compilation) {
  for (ir::ArtifactId id : artifactsOf(plan)) {
    const ir::Artifact &artifact = compilation.graph->artifacts[id.index];
    if (!artifact.location.empty() && artifact.sha256.empty())
      compilation.diags.report(artifact.range, diag::ArtifactNotFound,
                               artifact.file);
  }
}

static int listWorkflows(const Compilation &compilation, Output &output,
                         DiagnosticEngine &diags) {
  auto print = [&](llvm::raw_ostream &os) {
    std::vector<plan::WorkflowEntry> entries =
        plan::listWorkflows(*compilation.graph);
    size_t width = 0;
    for (const plan::WorkflowEntry &entry : entries)
      width = std::max(width, entry.name.str().size());
    for (const plan::WorkflowEntry &entry : entries)
      os << llvm::left_justify(entry.name.str(), width) << "  "
         << entry.description << '\n';
  };
  return output.write(print, diags);
}

static std::string toText(const plan::FinishedPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(plan, os);
  return text;
}

/// The graph says all that a plan depends on: what is planned from its text is
/// the same.
static void verifyPlanRoundtrip(Compilation &compilation,
                                const plan::FinishedPlan &plan) {
  std::unique_ptr<ir::Graph> again = printAndRead(compilation);
  if (!again)
    return;
  DiagnosticEngine diags;
  plan::PlanOptions options;
  options.optimization = compilation.options.plan.optimization;
  options.maxRepeats = compilation.options.plan.maxRepeats;
  if (!compilation.options.plan.durations.empty())
    readDurations(compilation.options.plan.durations, options.durations, diags);
  std::optional<plan::Plan> second =
      plan::makePlan(*again, options, compilation.names, diags);
  if (!second)
    llvm::report_fatal_error("the printed graph has no plan");
  std::string text = toText(plan);
  std::string secondText =
      toText(plan::FinishedPlan(std::move(*second), plan.header().root));
  if (text != secondText)
    llvm::report_fatal_error("the printed graph has another plan: line " +
                             llvm::Twine(firstDifference(text, secondText)));
}

std::vector<std::string> toscac::planPassNames() {
  return {plan::passNames().begin(), plan::passNames().end()};
}

/// The plan that the options ask for; nothing after a report.
static std::optional<plan::Plan> makePlan(Compilation &compilation,
                                          Output &output,
                                          std::vector<plan::Story> *stories) {
  const PlanFlags &flags = compilation.options.plan;
  plan::PlanOptions options;
  options.optimization = flags.optimization;
  options.maxRepeats = flags.maxRepeats;
  options.printAfter = flags.printAfter;
  options.passOutput = &output.messages;
  options.verifyEach = flags.verifyEach;
  if (flags.verify)
    options.verifyLimit = flags.verifyLimit;
  options.timePasses = flags.timePasses;
  options.stories = stories;
  if (!flags.durations.empty() &&
      !readDurations(flags.durations, options.durations, compilation.diags))
    return std::nullopt;
  return plan::makePlan(*compilation.graph, options, compilation.names,
                        compilation.diags);
}

#define DAY_TWO(function, name, changesCounts)                                 \
  [[maybe_unused]] static constexpr StringRef function##Workflow = name;
#include "toscac/IR/DayTwo.def"

/// Says why a plan has no steps.
static void explainEmpty(Compilation &compilation) {
  const ir::Graph &graph = *compilation.graph;
  StringRef workflow = graph.goal.workflow.str();
  std::vector<plan::WorkflowEntry> known = plan::listWorkflows(graph);
  bool isKnown = graph.goal.reach != ir::Goal::Reach::Defined ||
                 llvm::any_of(known, [&](const plan::WorkflowEntry &entry) {
                   return entry.name.str() == workflow;
                 });
  // A warning has said that there was nothing to ask.
  if (graph.goal.reach == ir::Goal::Reach::Check)
    return;
  if (graph.nodeClasses.empty())
    compilation.diags.remark(diag::NoSteps, "the service has no nodes");
  else if (workflow == healWorkflow &&
           graph.goal.reach != ir::Goal::Reach::Defined)
    compilation.diags.remark(diag::NoSteps,
                             "nothing is recorded as failed; '--workflow "
                             "check' asks what is deployed how it is");
  else if (isKnown)
    compilation.diags.remark(diag::NoSteps,
                             "everything is as the workflow wants it");
  else
    compilation.diags.report(
        graph.nodeClasses.front().range, diag::EmptyPlan, workflow,
        graph.machines.empty()
            ? "no node has an interface"
            : "no interface of its nodes has a state machine that does");
}

/// Runs \p use on the plan; templates without a service have none.
static int withPlan(Compilation &compilation, Output &output,
                    llvm::function_ref<int(plan::Plan)> use,
                    std::vector<plan::Story> *stories = nullptr) {
  DiagnosticEngine &diags = compilation.diags;
  if (!compilation.graph) {
    if (compilation.checked.hasEntry)
      if (int code = readInputValues(compilation))
        return code;
    diags.remark(diag::PlanningMissing,
                 shownInputName(compilation.options.inputs.front(),
                                compilation.options.stdinName));
    return ExitGood;
  }
  if (compilation.options.plan.listWorkflows)
    return listWorkflows(compilation, output, diags);
  std::optional<plan::Plan> plan = makePlan(compilation, output, stories);
  if (!plan)
    return ExitUnplannable;
  if (plan::numSteps(*plan) == 0)
    explainEmpty(compilation);
  plan::PassTimer timer(compilation.options.plan.timePasses, "write", diags);
  return use(std::move(*plan));
}

int toscac::withFinishedPlan(Compilation &compilation, Output &output,
                             llvm::function_ref<int(plan::FinishedPlan &)> use,
                             std::vector<plan::Story> *stories) {
  auto finish = [&](plan::Plan made) -> int {
    size_t before = compilation.diags.numErrors();
    reportMissing(made, compilation);
    plan::FinishedPlan plan(std::move(made), rootFromPlan(compilation));
    // Values may turn out to be wrong as late as here.
    if (compilation.diags.numErrors() > before)
      return ExitInvalid;
    if (compilation.options.test.verifyRoundtrip)
      verifyPlanRoundtrip(compilation, plan);
    return use(plan);
  };
  return withPlan(compilation, output, finish, stories);
}

int toscac::writePlanFile(const plan::FinishedPlan &plan, Output &output,
                          Compilation &compilation) {
  DiagnosticEngine &diags = compilation.diags;
  if (compilation.options.signingKey.empty())
    return output.write([&](llvm::raw_ostream &os) { writePlan(plan, os); },
                        diags);
  std::string text = ::toText(plan);
  int code = output.write([&](llvm::raw_ostream &os) { os << text; }, diags);
  return code == ExitGood ? signPlan(text, compilation.options, diags) : code;
}

/// `--what-if-fails`
static void tellFailure(const plan::Plan &plan, StringRef name,
                        DiagnosticEngine &diags, llvm::raw_ostream &os) {
  if (std::optional<plan::StepId> step = findStep(plan, name))
    return tellFailure(plan, *step, os);
  std::vector<std::string> names = stepNames(plan);
  llvm::SmallVector<StringRef> known(names.begin(), names.end());
  diags.report({}, diag::NoSuchStep, name, didYouMean(name, known));
}

/// `--keep-plans`
static void keepPlan(const plan::FinishedPlan &plan, StringRef folder,
                     DiagnosticEngine &diags) {
  std::string text = toText(plan);
  llvm::SmallString<128> file(folder);
  path::append(file, *hexDigest("sha256", text) + ".json");
  writeFile(file, [&](llvm::raw_ostream &to) { to << text; }, diags);
}

/// Whether a person looks at the result, and not a program.
static bool isForPeople(const DriverOptions &options, const Output &output) {
  return options.output.empty() && !options.isEmitGiven &&
         options.format == PictureFormat::Text && output.isTerminal();
}

/// Says in one line what the file holds that was written.
static void summarize(plan::FinishedPlan &plan, Compilation &compilation,
                      Output &output) {
  if (compilation.options.output.empty() || !output.messages.is_displayed())
    return;
  planfile::ViewOptions view =
      viewOptions(plan, compilation.options.output, compilation.options);
  summarizePlan(plan, view, output.messages);
}

int toscac::emitPlan(Compilation &compilation, Output &output) {
  const DriverOptions &options = compilation.options;
  StringRef failing = options.plan.failing;
  if (!failing.empty())
    return withPlan(compilation, output, [&](plan::Plan plan) {
      return output.write(
          [&](llvm::raw_ostream &os) {
            tellFailure(plan, failing, compilation.diags, os);
          },
          compilation.diags);
    });
  return withFinishedPlan(compilation, output, [&](plan::FinishedPlan &plan) {
    if (!options.test.keepPlans.empty() &&
        options.format == PictureFormat::Text)
      keepPlan(plan, options.test.keepPlans, compilation.diags);
    if (options.format != PictureFormat::Text)
      return showPlan(plan, EmitKind::Plan, options, {}, output,
                      compilation.diags);
    if (isForPeople(options, output)) {
      planfile::ViewOptions view =
          viewOptions(plan, compilation.options.output, compilation.options);
      return showPlan(plan, EmitKind::Diff, options, view, output,
                      compilation.diags);
    }
    int code = writePlanFile(plan, output, compilation);
    if (code == ExitGood)
      summarize(plan, compilation, output);
    return code;
  });
}

static int emitShown(Compilation &compilation, EmitKind kind, Output &output) {
  return withFinishedPlan(compilation, output, [&](plan::FinishedPlan &plan) {
    planfile::ViewOptions view =
        viewOptions(plan, compilation.options.output, compilation.options);
    return showPlan(plan, kind, compilation.options, view, output,
                    compilation.diags);
  });
}

int toscac::emitPlanText(Compilation &compilation, Output &output) {
  return emitShown(compilation, EmitKind::PlanText, output);
}

int toscac::emitDiff(Compilation &compilation, Output &output) {
  return emitShown(compilation, EmitKind::Diff, output);
}

int toscac::emitPromela(Compilation &compilation, Output &output) {
  return withPlan(compilation, output, [&](plan::Plan plan) {
    auto write = [&](llvm::raw_ostream &os) {
      std::string problem = writePromela(plan, os);
      if (!problem.empty())
        compilation.diags.report({}, diag::OrdersNotExplored, problem);
    };
    return output.write(write, compilation.diags);
  });
}

int toscac::writeStateAfter(planfile::Plan &plan, const state::State *known,
                            StringRef input, Output &output,
                            DiagnosticEngine &diags) {
  const std::string &name = plan.header().deployment;
  bool goesOn = known && !plan.header().state.empty();
  state::State state;
  llvm::Expected<state::Deployment> after =
      predictState(plan, goesOn ? known->find(name) : nullptr, *state.arena);
  if (!after) {
    diags.report({}, diag::CannotReadFile, input,
                 llvm::toString(after.takeError()));
    return ExitFile;
  }
  if (known)
    for (const state::Deployment &other : known->deployments)
      if (other.name != name)
        state.deployments.push_back(other);
  state.deployments.push_back(std::move(*after));
  return output.write([&](llvm::raw_ostream &os) { writeState(state, os); },
                      diags);
}

int toscac::emitState(Compilation &compilation, Output &output) {
  return withFinishedPlan(compilation, output, [&](plan::FinishedPlan &plan) {
    readKnownState(compilation);
    return writeStateAfter(
        plan, compilation.known ? &*compilation.known : nullptr,
        compilation.options.inputs.front(), output, compilation.diags);
  });
}
