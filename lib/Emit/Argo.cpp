//===- Argo.cpp - Plans for Argo Workflows --------------------------------===//
///
/// \file
/// A plan of up to two hundred calls is one DAG with the edges of the plan. A
/// larger one is cut into levels, each a DAG of its own that waits for the one
/// before: where instances of a step are alike, one task stands for all of
/// them.
///
/// Guards, late values, retries and failure steps are the matter of
/// `tosca-run step`, which all tasks run in a container.
///
//===----------------------------------------------------------------------===//

#include "Argo.h"

#include "Groups.h"
#include "StepNames.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;
using planfile::PlanFile;
using planfile::StepKind;

/// Tasks of a DAG, and templates of a workflow, that Argo takes.
static constexpr size_t maxTasks = 200;

namespace {

class ArgoBuilder {
public:
  ArgoBuilder(PlanFile &plan, std::vector<std::string> names,
              const ArgoConfig &config)
      : plan(plan), names(std::move(names)), config(config) {}

  /// False, after a report, where the plan cannot be read.
  bool findContainers(DiagnosticEngine &diags);
  ArgoWorkflow build(DiagnosticEngine &diags);

private:
  bool buildFlat(ArgoDag &dag);
  void buildLevels(DiagnosticEngine &diags);
  std::vector<std::string> addLevel(const std::string &level,
                                    llvm::ArrayRef<ArgoTask> tasks,
                                    const std::vector<std::string> &before);
  ArgoTask taskOf(uint32_t step) const;
  ArgoTask taskOf(const StepGroup &group) const;
  bool isCall(uint32_t step) const {
    return plan.steps()[step].kind == StepKind::Call;
  }

  PlanFile &plan;
  std::vector<std::string> names;
  const ArgoConfig &config;
  ArgoWorkflow workflow;
  /// By step: the number of its container.
  std::vector<uint32_t> containers;
};

} // namespace

static std::string lastWordOf(StringRef type) {
  return type.substr(type.find_last_of(".:/") + 1).lower();
}

bool ArgoBuilder::findContainers(DiagnosticEngine &diags) {
  workflow.claim = config.claim;
  workflow.containers.push_back({"run", config.image});
  for (const auto &[type, image] : config.images)
    workflow.containers.push_back({"run-" + argoName(type), image});
  containers.resize(plan.numSteps());
  NameTable table;
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    if (!isCall(id) || config.images.empty())
      continue;
    ValueArena arena;
    JSONReader reader(arena, table);
    llvm::Expected<planfile::Step> step = plan.step(id, reader, arena);
    if (!step) {
      diags.report({}, diag::CannotReadFile, "plan.json",
                   llvm::toString(step.takeError()));
      return false;
    }
    for (const planfile::StepHandler &handler : step->handlers)
      if (handler.artifact != planfile::none)
        for (auto [i, entry] : llvm::enumerate(config.images))
          if (entry.first ==
              lastWordOf(plan.artifacts()[handler.artifact].type))
            containers[id] = i + 1;
  }
  return true;
}

ArgoTask ArgoBuilder::taskOf(uint32_t step) const {
  if (!isCall(step))
    return {"join-" + std::to_string(step), "join", "", {}};
  std::string name = "s" + std::to_string(step) + "-" + argoName(names[step]);
  return {StringRef(name).take_front(100).rtrim('-').str(),
          workflow.containers[containers[step]].name,
          std::to_string(step),
          {}};
}

/// One task for each call, and for each step without effect that saves edges.
/// False if these are too many.
bool ArgoBuilder::buildFlat(ArgoDag &dag) {
  if (countCalls(plan) + 1 > maxTasks)
    return false;
  std::vector<uint32_t> users(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    for (uint32_t dep : plan.deps(id))
      ++users[dep];
  // By step: the tasks that are over when it is.
  std::vector<std::vector<uint32_t>> ends(plan.numSteps());
  dag.tasks.push_back({"begin", "collect", "", {}});
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    std::vector<uint32_t> before;
    for (uint32_t dep : plan.deps(id))
      llvm::append_range(before, ends[dep]);
    llvm::sort(before);
    before.erase(llvm::unique(before), before.end());
    size_t product = before.size() * users[id];
    if (!isCall(id) && product <= before.size() + users[id]) {
      ends[id] = std::move(before);
      continue;
    }
    ArgoTask task = taskOf(id);
    for (uint32_t other : before)
      task.after.push_back(taskOf(other).name);
    if (before.empty())
      task.after.push_back("begin");
    dag.tasks.push_back(std::move(task));
    ends[id] = {id};
  }
  return dag.tasks.size() <= maxTasks;
}

/// One task for all steps of a group.
ArgoTask ArgoBuilder::taskOf(const StepGroup &group) const {
  ArgoTask task = taskOf(group.steps.front());
  if (group.steps.size() == 1)
    return task;
  task.step = (group.before + "{{item}}" + group.after).str();
  task.sequence = Sequence{group.firstIndex, group.lastIndex()};
  return task;
}

void ArgoBuilder::buildLevels(DiagnosticEngine &diags) {
  workflow.dags.push_back({"plan", {{"begin", "collect", "", {}}}});
  std::vector<std::string> before = {"begin"};
  size_t stepsBefore = 0;
  std::vector<std::vector<StepGroup>> levels = groupSteps(plan, names);
  for (auto [number, groups] : llvm::enumerate(levels)) {
    std::vector<ArgoTask> tasks;
    size_t steps = 0;
    for (const StepGroup &group : groups) {
      tasks.push_back(taskOf(group));
      steps += group.steps.size();
    }
    std::string level = "level-" + std::to_string(number);
    if (number > 0)
      diags.remark(diag::BarrierAdded, steps, level, stepsBefore,
                   "level-" + std::to_string(number - 1));
    before = addLevel(level, tasks, before);
    stepsBefore = steps;
  }
}

/// Adds DAGs for \p tasks, which wait for \p before; gives their names.
std::vector<std::string>
ArgoBuilder::addLevel(const std::string &level, llvm::ArrayRef<ArgoTask> tasks,
                      const std::vector<std::string> &before) {
  std::vector<std::string> names;
  for (size_t first = 0; first < tasks.size(); first += maxTasks) {
    std::string name =
        first == 0 ? level : level + "-" + std::to_string(first / maxTasks);
    llvm::ArrayRef<ArgoTask> chunk =
        tasks.drop_front(first).take_front(maxTasks);
    workflow.dags.push_back({name, {chunk.begin(), chunk.end()}});
    workflow.dags.front().tasks.push_back({name, name, "", before});
    names.push_back(name);
  }
  return names;
}

ArgoWorkflow ArgoBuilder::build(DiagnosticEngine &diags) {
  ArgoDag flat{"plan", {}};
  if (buildFlat(flat))
    workflow.dags.push_back(std::move(flat));
  else
    buildLevels(diags);
  return std::move(workflow);
}

// The text.

static std::string inQuotes(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  writeJSONString(os, text);
  return result;
}

static void printTask(llvm::raw_ostream &os, const ArgoTask &task) {
  os << "      - name: " << task.name
     << "\n        template: " << task.templateName << '\n';
  if (!task.after.empty())
    os << "        depends: "
       << inQuotes(llvm::join(task.after, ".Succeeded && ") + ".Succeeded")
       << '\n';
  if (!task.step.empty())
    os << "        arguments: { parameters: [ { name: step, value: "
       << inQuotes(task.step) << " } ] }\n";
  if (task.sequence)
    os << "        withSequence: { start: \"" << task.sequence->first
       << "\", end: \"" << task.sequence->last << "\" }\n";
}

static void printContainer(llvm::raw_ostream &os, StringRef name,
                           StringRef image, StringRef arguments) {
  os << "  - name: " << name << '\n';
  if (arguments.contains("inputs.parameters"))
    os << "    inputs: { parameters: [ { name: step } ] }\n";
  os << "    container:\n      image: " << inQuotes(image)
     << "\n      command: [ tosca-run ]\n      args: " << arguments
     << "\n      volumeMounts: [ { name: run, mountPath: /run/plan } ]\n";
}

static void printWorkflow(llvm::raw_ostream &os, const ArgoWorkflow &workflow,
                          const planfile::PlanHeader &header) {
  std::string name = argoName(header.workflow + "-" + header.service);
  os << "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata:\n"
     << "  generateName: " << StringRef(name).take_front(50).lower() << "-\n"
     << "spec:\n  entrypoint: plan\n  onExit: end\n  volumes:\n"
     << "  - name: run\n    persistentVolumeClaim: { claimName: "
     << inQuotes(workflow.claim) << " }\n  templates:\n";
  for (const ArgoDag &dag : workflow.dags) {
    os << "  - name: " << dag.name << "\n    dag:\n      tasks:\n";
    for (const ArgoTask &task : dag.tasks)
      printTask(os, task);
  }
  for (const ArgoContainer &container : workflow.containers)
    printContainer(os, container.name, container.image,
                   "[ step, /run/plan, \"{{inputs.parameters.step}}\" ]");
  StringRef image = workflow.containers.front().image;
  printContainer(os, "collect", image, "[ collect, /run/plan ]");
  printContainer(os, "end", image, "[ collect, --end, /run/plan ]");
  os << "  - name: join\n    suspend: { duration: \"0\" }\n";
}

std::vector<EngineFile> emit::filesArgo(PlanFile &plan,
                                        const EngineOptions &options,
                                        DiagnosticEngine &diags) {
  std::optional<ArgoConfig> config = readArgoConfig(options.config, diags);
  std::optional<std::vector<std::string>> names = readNames(plan, diags);
  if (!config || !names)
    return {};
  ArgoBuilder builder(plan, std::move(*names), *config);
  if (!builder.findContainers(diags))
    return {};
  ArgoWorkflow workflow = builder.build(diags);
  std::string text = introduce(plan, "#", "argo submit workflow.yaml");
  llvm::raw_string_ostream os(text);
  printWorkflow(os, workflow, plan.header());
  verifyArgo(workflow, text.size(), diags);
  return {{"workflow.yaml", text}};
}
