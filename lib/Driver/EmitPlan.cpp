//===- EmitPlan.cpp - Plans, and what they say of files -------------------===//

#include "Emit.h"
#include "Manifest.h"
#include "Paths.h"
#include "PlanInputs.h"
#include "Recorded.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/Version.h"
#include "toscac/Plan/PredictState.h"
#include "toscac/Plan/PrintPlan.h"
#include "toscac/Plan/WhatIf.h"
#include "toscac/Plan/WritePromela.h"
#include "toscac/Sema/Former.h"
#include "toscac/Sema/OwnOperations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <ctime>

using namespace toscac;
using llvm::StringRef;
namespace path = llvm::sys::path;

static std::vector<std::string> digestArtifacts(const plan::Plan &plan,
                                                const ir::Graph &graph,
                                                DiagnosticEngine &diags) {
  std::vector<std::string> digests;
  for (ir::ArtifactId id : artifactsOf(plan)) {
    const ir::Artifact &artifact = graph.artifacts[id.index];
    auto buffer =
        artifact.archive
            ? artifact.archive->getBufferForFile(artifact.location)
            : llvm::MemoryBuffer::getFile(artifact.location, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
    if (artifact.location.empty() || !buffer) {
      digests.emplace_back();
      if (!artifact.location.empty())
        diags.report(artifact.range, diag::ArtifactNotFound, artifact.file);
      continue;
    }
    digests.push_back(*hexDigest("sha256", (*buffer)->getBuffer()));
  }
  return digests;
}

/// The folder of the entry file, which may be in an archive.
static std::string rootOf(const Compilation &compilation) {
  const tosca::Package &package = compilation.package;
  StringRef entry = compilation.options.inputs.front();
  if (!package.entries.empty() && !compilation.blueprint)
    entry = compilation.sources.name(
        package.files[package.entries.front()]->source);
  return absolutePath(path::parent_path(entry));
}

/// What a TOSCA service shares. Nothing: it shares nothing, and never did. An
/// output that is not known yet gets its value when the plan has run.
static std::optional<std::vector<state::SharedLink>>
sharedValues(const Compilation &compilation) {
  ir::Graph &graph = *compilation.graph;
  bool didShare = compilation.continuation &&
                  !compilation.continuation->recorded->shared.empty();
  if (graph.shared.empty() && !didShare)
    return std::nullopt;
  std::vector<state::SharedLink> links;
  for (const ir::SharedValue &shared : graph.shared) {
    bool isKnown = shared.value && shared.value->isLiteral();
    Value content = isKnown ? shared.value->value() : Value();
    MapEntry entry{Value::string("value"), content};
    links.push_back({shared.name.str(), shared.type.str(),
                     shared.provider.str(),
                     graph.arena.map(llvm::ArrayRef<MapEntry>(entry))});
  }
  return links;
}

static plan::PlanHeader headerOf(Compilation &compilation,
                                 const plan::Plan &plan,
                                 DiagnosticEngine &diags) {
  const DriverOptions &options = compilation.options;
  plan::PlanHeader header;
  header.tool = std::string("toscac ") + version();
  std::string root = rootOf(compilation);
  std::string folder = absolutePath(path::parent_path(planFile(options)));
  header.root = relativePath(root, folder);
  if (compilation.continuation)
    header.state = state::digest(*compilation.continuation->recorded);
  header.deployment = deploymentName(compilation);
  if (compilation.manifest)
    header.shared = sharedAfter(compilation);
  else
    header.shared = sharedValues(compilation);
  header.inputs = inputsOfPlan(compilation, root);
  header.operations = sema::ownOperations(
      compilation.checked, compilation.names, compilation.graph->arena);
  if (compilation.continuation && !compilation.package.files.empty() &&
      compilation.checked.hasEntry)
    header.former = sema::formerTemplates(compilation.checked.services.front(),
                                          *compilation.continuation->recorded);
  header.artifactDigests = digestArtifacts(plan, *compilation.graph, diags);
  return header;
}

static plan::Goal goalOf(Compilation &compilation) {
  plan::Goal goal;
  goal.workflow = compilation.names.intern(compilation.options.plan.workflow);
  goal.mayBeMissing = compilation.options.plan.workflow == PlanFlags().workflow;
  goal.parameters = parametersOf(compilation, compilation.graph->arena);
  goal.reach = reachOf(compilation);
  return goal;
}

/// An event of a trace: microseconds of a step.
static void addTraced(const llvm::json::Object *event,
                      llvm::StringMap<double> &durations) {
  if (!event)
    return;
  auto name = event->getString("name");
  auto micros = event->getNumber("dur");
  if (name && micros)
    durations[*name] = *micros / 1e6;
}

/// Seconds by name of a step: a JSON object, or the record of an earlier run:
/// its trace, or its events, an object a line with `step` and `seconds`.
static bool readDurations(StringRef path, llvm::StringMap<double> &durations,
                          DiagnosticEngine &diags) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    diags.report({}, diag::CannotReadFile, path, buffer.getError().message());
    return false;
  }
  auto fail = [&](llvm::Error error) {
    diags.report({}, diag::BadDurations, path,
                 llvm::toString(std::move(error)));
    return false;
  };
  StringRef text = (*buffer)->getBuffer();
  if (auto whole = llvm::json::parse(text)) {
    if (const llvm::json::Object *object = whole->getAsObject()) {
      for (const auto &[name, seconds] : *object)
        durations[name.str()] = seconds.getAsNumber().value_or(0);
      return true;
    }
    if (const llvm::json::Array *trace = whole->getAsArray()) {
      for (const llvm::json::Value &event : *trace)
        addTraced(event.getAsObject(), durations);
      return true;
    }
  } else {
    llvm::consumeError(whole.takeError());
  }
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.trim().empty())
      continue;
    auto record = llvm::json::parse(line);
    if (!record)
      return fail(record.takeError());
    const llvm::json::Object *object = record->getAsObject();
    if (!object)
      continue;
    auto step = object->getString("step");
    auto seconds = object->getNumber("seconds");
    if (step && seconds)
      durations[*step] = *seconds;
  }
  return true;
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

/// The plan that the options ask for; nothing after a report.
static std::optional<plan::Plan> makePlan(Compilation &compilation,
                                          Output &output) {
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
  if (!flags.durations.empty() &&
      !readDurations(flags.durations, options.durations, compilation.diags))
    return std::nullopt;
  return plan::makePlan(*compilation.graph, goalOf(compilation), options,
                        compilation.names, compilation.diags);
}

/// Runs \p write on the plan; templates without a service have none.
static int withPlan(
    Compilation &compilation, Output &output,
    llvm::function_ref<void(const plan::Plan &, llvm::raw_ostream &)> write) {
  DiagnosticEngine &diags = compilation.diags;
  if (!compilation.graph) {
    if (compilation.checked.hasEntry)
      if (int code = readInputValues(compilation))
        return code;
    diags.remark(diag::PlanningMissing,
                 shownInputName(compilation.options.inputs.front()));
    return ExitGood;
  }
  if (compilation.options.plan.listWorkflows)
    return listWorkflows(compilation, output, diags);
  std::optional<plan::Plan> plan = makePlan(compilation, output);
  if (!plan)
    return ExitUnplannable;
  std::clock_t start = std::clock();
  int code =
      output.write([&](llvm::raw_ostream &os) { write(*plan, os); }, diags);
  if (compilation.options.plan.timePasses)
    diags.remark(
        diag::PassTime, "write",
        llvm::formatv("{0:f3}", double(std::clock() - start) / CLOCKS_PER_SEC)
            .str());
  return code;
}

/// `--what-if-fails`
static void tellFailure(const plan::Plan &plan, StringRef name,
                        DiagnosticEngine &diags, llvm::raw_ostream &os) {
  if (std::optional<plan::StepId> step = findStep(plan, name))
    return tellFailure(plan, *step, os);
  std::vector<std::string> names = stepNames(plan);
  llvm::SmallVector<StringRef> known(names.begin(), names.end());
  auto nearest = nearestName(name, known);
  diags.report({}, diag::NoSuchStep, name,
               nearest ? ("; did you mean '" + *nearest + "'?").str() : "");
}

/// `--keep-plans`
static void keepPlan(const plan::Plan &plan, const plan::PlanHeader &header,
                     StringRef folder, DiagnosticEngine &diags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writePlan(plan, header, os);
  llvm::SmallString<128> file(folder);
  path::append(file, *hexDigest("sha256", text) + ".json");
  writeFile(file, [&](llvm::raw_ostream &to) { to << text; }, diags);
}

int toscac::emitPlan(Compilation &compilation, Output &output) {
  auto write = [&](const plan::Plan &plan, llvm::raw_ostream &os) {
    StringRef failing = compilation.options.plan.failing;
    if (!failing.empty())
      return tellFailure(plan, failing, compilation.diags, os);
    switch (compilation.options.format) {
    case PictureFormat::Text: {
      plan::PlanHeader header = headerOf(compilation, plan, compilation.diags);
      StringRef folder = compilation.options.test.keepPlans;
      if (!folder.empty())
        keepPlan(plan, header, folder, compilation.diags);
      return writePlan(plan, header, os);
    }
    case PictureFormat::Dot:
      return drawPlanAsDot(plan, os);
    case PictureFormat::Mermaid:
      return drawPlanAsMermaid(plan, os);
    }
  };
  return withPlan(compilation, output, write);
}

int toscac::emitPlanText(Compilation &compilation, Output &output) {
  return withPlan(compilation, output, plan::printPlan);
}

int toscac::emitPromela(Compilation &compilation, Output &output) {
  auto write = [&](const plan::Plan &plan, llvm::raw_ostream &os) {
    std::string problem = writePromela(plan, os);
    if (!problem.empty())
      compilation.diags.report({}, diag::OrdersNotExplored, problem);
  };
  return withPlan(compilation, output, write);
}

int toscac::emitState(Compilation &compilation, Output &output) {
  auto write = [&](const plan::Plan &plan, llvm::raw_ostream &os) {
    state::State state;
    plan::PlanHeader header = headerOf(compilation, plan, compilation.diags);
    const state::Deployment *before =
        compilation.continuation ? compilation.continuation->recorded : nullptr;
    state::Deployment after = predictState(plan, header, before, *state.arena);
    if (header.shared)
      after.shared = *header.shared;
    if (compilation.known)
      for (const state::Deployment &other : compilation.known->deployments)
        if (other.name != after.name)
          state.deployments.push_back(other);
    state.deployments.push_back(std::move(after));
    writeState(state, os);
  };
  return withPlan(compilation, output, write);
}
