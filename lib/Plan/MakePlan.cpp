//===- MakePlan.cpp - From graph and goal to plan -------------------------===//
///
/// \file
/// Puts the rooms together: the event system, the goals of the workflow, the
/// symbolic run with its checks, then the passes of the plan.
///
//===----------------------------------------------------------------------===//

#include "toscac/Plan/MakePlan.h"

#include "Goals/BuildTasks.h"
#include "Goals/ChangeInTurns.h"
#include "Goals/ReconcileGoals.h"
#include "Goals/Workflows.h"
#include "Hazards/Hazards.h"
#include "Lower/CheckGoals.h"
#include "Lower/Simulate.h"
#include "RunPasses.h"
#include "Steps/PlanData.h"
#include "System/ActivityMachines.h"
#include "Verify/Verify.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Plan/PassTimer.h"
#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;

Plan::Plan(std::unique_ptr<PlanData> data) : data(std::move(data)) {}
Plan::Plan(Plan &&) = default;
Plan::~Plan() = default;

static MachineSet machinesFor(const ir::Graph &graph, NameTable &names,
                              ValueArena &arena) {
  bool hasGroups =
      llvm::any_of(graph.subgraphs, [&](const ir::Subgraph &subgraph) {
        return !subgraph.operations.empty() ||
               !listedPolicies(graph, subgraph).empty();
      });
  return hasGroups || hasTasks(graph.goal.workflow, graph) || hasTurns(graph)
             ? addActivities(graph, names, arena)
             : MachineSet(graph);
}

PlanData::PlanData(const ir::Graph &graph, const PlanOptions &options,
                   NameTable &names, DiagnosticEngine &diags)
    : options(options),
      system(graph, machinesFor(graph, names, arena), names, diags),
      run(system), goal(graph.goal) {
  system.stories = options.stories;
}

void PlanData::forgetRun() {
  run.history.forget();
  run.steps = {};
  run.causes = {};
  run.accepted = {};
  run.sends = {};
  origins = {};
}

std::string PlanData::nameOf(StepId step) const {
  std::string name = system.layout.nameOf(EventId{steps.event(step)});
  auto again = occurrences.find(step.index);
  if (again != occurrences.end())
    name += "#" + std::to_string(again->second);
  return name;
}

std::string PlanData::nameOf(const FailureStep &step) const {
  std::string name = system.layout.nameOf(step.invocation.event);
  if (step.occurrence > 1)
    name += "#" + std::to_string(step.occurrence);
  return name;
}

/// Other orders of what the workflow wants later: it begins where the first has
/// ended, as if it were a workflow of its own. True: see findHazards.
static bool findLaterHazards(const Start &start, const PlanOptions &options,
                             const SymbolicRun &run) {
  Start later;
  later.goals = start.laterGoals;
  later.events = start.laterEvents;
  if (start.tasksAreLater)
    later.tasks = start.tasks;
  SymbolicRun alone(run.system);
  alone.history = History(run.history, run.later->moment);
  alone.parameters = run.parameters;
  if (!simulate(later, options.maxRepeats, alone, [] { return true; }))
    return false;
  Orders orders(start, run, Part::Later);
  return findHazards(alone, orders, options.verifyLimit.has_value());
}

/// Runs the event system and checks what came of it. Where the workflow wants
/// one thing after another, other orders of the first are looked for before the
/// second begins. \p areOpen: see findHazards.
static bool reachGoals(const Start &start, const Goal &goal,
                       const PlanOptions &options, SymbolicRun &run,
                       DiagnosticEngine &diags, bool &areOpen) {
  Orders orders(start, run, Part::First);
  auto lookForHazards = [&] {
    PassTimer timer(options.timePasses, "hazards", diags);
    return findHazards(run, orders, options.verifyLimit.has_value());
  };
  auto check = [&] {
    checkGoals(start.goals, run);
    if (!diags.hasErrors())
      areOpen |= lookForHazards();
    return !diags.hasErrors();
  };
  bool isSimulated = [&] {
    PassTimer timer(options.timePasses, "simulate", diags);
    return simulate(start, options.maxRepeats, run, check);
  }();
  if (!isSimulated)
    return false;
  checkGoals(start.hasLater() ? start.laterGoals : start.goals, run);
  checkGoalPromises(goal, run);
  checkFailureMarks(run, options.verifyLimit.has_value());
  if (!start.hasLater())
    areOpen |= lookForHazards();
  else if (!diags.hasErrors())
    areOpen |= findLaterHazards(start, options, run);
  if (diags.hasErrors())
    return false;
  if (options.verifyLimit) {
    PassTimer timer(options.timePasses, "verify", diags);
    verifyOrders(start, run, *options.verifyLimit);
  }
  return !diags.hasErrors();
}

std::optional<Plan> toscac::plan::makePlan(const ir::Graph &graph,
                                           const PlanOptions &options,
                                           NameTable &names,
                                           DiagnosticEngine &diags) {
  auto data = std::make_unique<PlanData>(graph, options, names, diags);
  const Goal &goal = graph.goal;
  data->run.parameters = goal.parameters;
  std::optional<Start> start =
      goal.reach == Goal::Reach::Defined ? startOf(goal, data->system)
      : hasTurns(graph)                  ? startInTurns(goal, data->system)
                                         : startOfReconcile(goal, data->system);
  if (!start || !addMappedTasks(data->system, start->tasks))
    return std::nullopt;
  data->start = std::move(*start);
  if (!reachGoals(data->start, goal, options, data->run, diags,
                  data->areOrdersOpen))
    return std::nullopt;
  noteTurns(data->run);
  data->steps = data->run.steps;
  for (uint32_t i = 0; i != data->steps.size(); ++i)
    data->origins.push_back({i});
  if (!runPasses(*data))
    return std::nullopt;
  return Plan(std::move(data));
}

std::vector<ir::ArtifactId> toscac::plan::usedArtifacts(const PlanData &plan) {
  const ir::Graph &graph = plan.graph();
  llvm::BitVector used(graph.artifacts.size());
  auto use = [&](EventId event) {
    for (const ir::Handler &handler :
         plan.system.layout.operation(event).handlers) {
      used.set(handler.artifact.index);
      for (ir::ArtifactId file : handler.files)
        used.set(file.index);
    }
  };
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (!plan.steps.isJoin({i}))
      use({plan.steps.event({i})});
  for (const FailureStep &step : plan.failureSteps)
    use(step.invocation.event);
  std::vector<ir::ArtifactId> result;
  for (unsigned index : used.set_bits())
    result.push_back({index});
  return result;
}

std::vector<ir::ArtifactId> toscac::plan::artifactsOf(const Plan &plan) {
  return usedArtifacts(*plan);
}
