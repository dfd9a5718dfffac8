//===- Argo.cpp - Plans for Argo Workflows --------------------------------===//
///
/// \file
/// A plan of up to two hundred calls is one DAG with the edges of the plan. In
/// a larger one, one task stands for all instances that are alike: for one call
/// of each or, where several calls of an instance follow each other, for a DAG
/// of them. What is still too much for one DAG is cut into parts. An edge
/// between such tasks, or parts, makes all of one wait for all of the other.
///
/// Guards, late values, retries and failure steps are the matter of
/// `tosca-run step`, which all tasks run in a container.
///
//===----------------------------------------------------------------------===//

#include "Argo.h"

#include "Clusters.h"
#include "StepNames.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;
using planfile::Plan;
using planfile::StepKind;

/// Tasks of a DAG, and templates of a workflow, that Argo takes.
static constexpr size_t maxTasks = 200;

namespace {

class ArgoBuilder {
public:
  ArgoBuilder(Plan &plan, std::vector<std::string> names,
              const ArgoConfig &config)
      : plan(plan), names(std::move(names)), config(config) {}

  /// False, after a report, where the plan cannot be read.
  bool findContainers(DiagnosticEngine &diags);
  ArgoWorkflow build(DiagnosticEngine &diags);

private:
  bool buildFlat(ArgoDag &dag);
  void buildClusters(DiagnosticEngine &diags);
  ArgoTask taskOf(uint32_t step) const;
  ArgoTask taskOf(const StepGroup &group, llvm::StringRef index) const;
  ArgoTask taskOf(const Clusters &clusters, uint32_t cluster);
  void cutIntoParts(const Clusters &clusters, std::vector<ArgoTask> tasks,
                    DiagnosticEngine &diags);
  bool isCall(uint32_t step) const {
    return plan.steps()[step].kind == StepKind::Call;
  }

  Plan &plan;
  std::vector<std::string> names;
  const ArgoConfig &config;
  Waits waits = findWaits(plan);
  ArgoWorkflow workflow;
  /// By step: the number of its container.
  std::vector<uint32_t> containers;
};

} // namespace

/// Says where the plan wants less than the edge from one task to another.
static void noteBarrier(const Clusters &clusters,
                        llvm::ArrayRef<ArgoTask> tasks, uint32_t from,
                        uint32_t to, DiagnosticEngine &diags) {
  if (!clusters.isWhole(from, to))
    diags.remark(diag::BarrierAdded, clusters.numSteps(to), tasks[to].name,
                 clusters.numSteps(from), tasks[from].name);
}

static std::string lastWordOf(StringRef type) {
  return type.substr(type.find_last_of(".:/") + 1).lower();
}

bool ArgoBuilder::findContainers(DiagnosticEngine &diags) {
  workflow.claim = config.claim;
  workflow.containers.push_back({"run", config.image});
  for (const auto &[type, image] : config.images)
    workflow.containers.push_back({"run-" + argoName(type), image});
  containers.resize(plan.numSteps());
  if (config.images.empty())
    return true;
  return eachCall(plan, diags, [&](const planfile::Step &step) {
    for (const planfile::StepHandler &handler : step.handlers)
      if (handler.artifact != planfile::none)
        for (auto [i, entry] : llvm::enumerate(config.images))
          if (entry.first ==
              lastWordOf(plan.artifacts()[handler.artifact].type))
            containers[step.id] = i + 1;
  });
}

ArgoTask ArgoBuilder::taskOf(uint32_t step) const {
  if (!isCall(step))
    return {"join-" + std::to_string(step), "join", {}, {}};
  std::string name = "s" + std::to_string(step) + "-" + argoName(names[step]);
  return {StringRef(name).take_front(100).rtrim('-').str(),
          workflow.containers[containers[step]].name,
          {"step", std::to_string(step)},
          {}};
}

/// One task for each call and join. False if these are too many.
bool ArgoBuilder::buildFlat(ArgoDag &dag) {
  if (countCalls(plan) + waits.isJoin.count() + 1 > maxTasks)
    return false;
  dag.tasks.push_back({"begin", "collect", {}, {}});
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    if (!isCall(id) && !waits.isJoin.test(id))
      continue;
    ArgoTask task = taskOf(id);
    for (uint32_t other : waits.before[id])
      task.after.push_back(taskOf(other).name);
    if (task.after.empty())
      task.after.push_back("begin");
    dag.tasks.push_back(std::move(task));
  }
  return true;
}

/// One task for all steps of \p group, whose indices are \p index.
ArgoTask ArgoBuilder::taskOf(const StepGroup &group, StringRef index) const {
  ArgoTask task = taskOf(group.steps.front());
  if (group.steps.size() > 1)
    task.parameter = {"step", (group.before + index + group.after).str()};
  return task;
}

/// One task for \p cluster; where it has several groups they become a DAG.
ArgoTask ArgoBuilder::taskOf(const Clusters &clusters, uint32_t cluster) {
  llvm::ArrayRef<uint32_t> members = clusters.all[cluster].groups;
  const StepGroup &first = clusters.groups[members.front()];
  ArgoTask task = taskOf(first, "{{item}}");
  if (first.steps.size() > 1)
    task.sequence = Sequence{first.firstIndex, first.lastIndex()};
  if (members.size() == 1)
    return task;
  ArgoDag dag{"chain-" + std::to_string(cluster), {}, /*hasIndex=*/true};
  std::map<uint32_t, std::string> inside;
  for (uint32_t member : members) {
    ArgoTask each =
        taskOf(clusters.groups[member], "{{inputs.parameters.index}}");
    inside[member] = each.name;
    for (const auto &edge : clusters.before[member])
      if (auto found = inside.find(edge.first); found != inside.end())
        each.after.push_back(found->second);
    dag.tasks.push_back(std::move(each));
  }
  task.name = task.templateName = dag.name;
  task.parameter = {"index", "{{item}}"};
  workflow.dags.push_back(std::move(dag));
  return task;
}

void ArgoBuilder::buildClusters(DiagnosticEngine &diags) {
  workflow.dags.push_back({"plan", {{"begin", "collect", {}, {}}}});
  Clusters clusters = findClusters(plan, waits, names);
  std::vector<ArgoTask> tasks;
  for (uint32_t cluster = 0; cluster < clusters.all.size(); ++cluster)
    tasks.push_back(taskOf(clusters, cluster));
  if (tasks.size() + 1 > maxTasks)
    return cutIntoParts(clusters, std::move(tasks), diags);
  for (auto [number, task] : llvm::enumerate(tasks)) {
    for (uint32_t other : clusters.all[number].before) {
      task.after.push_back(tasks[other].name);
      noteBarrier(clusters, tasks, other, number, diags);
    }
    if (task.after.empty())
      task.after.push_back("begin");
    workflow.dags.front().tasks.push_back(task);
  }
}

/// Tasks that follow each other in \p tasks become a DAG, which waits for those
/// that one of its tasks waits for.
void ArgoBuilder::cutIntoParts(const Clusters &clusters,
                               std::vector<ArgoTask> tasks,
                               DiagnosticEngine &diags) {
  auto nameOf = [](size_t part) { return "part-" + std::to_string(part); };
  std::vector<size_t> sizes;
  for (size_t first = 0; first < tasks.size(); first += maxTasks) {
    size_t part = first / maxTasks;
    size_t last = std::min(tasks.size(), first + maxTasks);
    ArgoDag dag{nameOf(part), {}};
    std::set<size_t> before;
    sizes.push_back(0);
    for (size_t number = first; number < last; ++number) {
      sizes.back() += clusters.numSteps(number);
      for (uint32_t other : clusters.all[number].before) {
        if (other < first) {
          before.insert(other / maxTasks);
          continue;
        }
        tasks[number].after.push_back(tasks[other].name);
        noteBarrier(clusters, tasks, other, number, diags);
      }
      dag.tasks.push_back(tasks[number]);
    }
    ArgoTask task{dag.name, dag.name, {}, {}};
    for (size_t other : before) {
      task.after.push_back(nameOf(other));
      diags.remark(diag::BarrierAdded, sizes.back(), dag.name, sizes[other],
                   nameOf(other));
    }
    if (before.empty())
      task.after.push_back("begin");
    workflow.dags.push_back(std::move(dag));
    workflow.dags.front().tasks.push_back(std::move(task));
  }
}

ArgoWorkflow ArgoBuilder::build(DiagnosticEngine &diags) {
  ArgoDag flat{"plan", {}};
  if (buildFlat(flat))
    workflow.dags.push_back(std::move(flat));
  else
    buildClusters(diags);
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
  if (!task.parameter.first.empty())
    os << "        arguments: { parameters: [ { name: " << task.parameter.first
       << ", value: " << inQuotes(task.parameter.second) << " } ] }\n";
  if (task.sequence)
    os << "        withSequence: { start: \"" << task.sequence->first
       << "\", end: \"" << task.sequence->last << "\" }\n";
}

static void printContainer(llvm::raw_ostream &os, StringRef name,
                           StringRef image, StringRef arguments) {
  os << "  - name: " << name << '\n';
  if (arguments.contains("inputs.parameters"))
    os << "    inputs: { parameters: [ { name: step } ] }\n";
  // For pods that are lost; tosca-run itself tries steps again that fail.
  os << "    retryStrategy: { limit: \"2\", retryPolicy: OnError }\n"
     << "    container:\n      image: " << inQuotes(image)
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
    os << "  - name: " << dag.name << '\n';
    if (dag.hasIndex)
      os << "    inputs: { parameters: [ { name: index } ] }\n";
    os << "    dag:\n      tasks:\n";
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

std::vector<EngineFile> emit::filesArgo(Plan &plan,
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
