//===- MakePlan.cpp - From graph and goal to plan -------------------------===//

#include "toscac/Plan/MakePlan.h"

#include "ActivityMachines.h"
#include "BuildTasks.h"
#include "DataFlow.h"
#include "FailureSteps.h"
#include "Goal.h"
#include "Guards.h"
#include "Hazards.h"
#include "Outcomes.h"
#include "Passes.h"
#include "PlanData.h"
#include "PresenceGoals.h"
#include "Refinement.h"
#include "Simulate.h"
#include "Verify.h"
#include "Workflows.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;

Plan::Plan(std::unique_ptr<PlanData> data) : data(std::move(data)) {}
Plan::Plan(Plan &&) = default;
Plan::~Plan() = default;

static MachineSet machinesFor(const Goal &goal, const ir::Graph &graph,
                              NameTable &names, ValueArena &arena) {
  bool hasMappings = llvm::any_of(graph.scopes, [](const ir::Scope &scope) {
    return !scope.operations.empty();
  });
  return hasMappings || hasTasks(goal.workflow, graph)
             ? addActivities(graph, names, arena)
             : MachineSet(graph);
}

PlanData::PlanData(const ir::Graph &graph, const Goal &goal, NameTable &names,
                   DiagnosticEngine &diags)
    : system(graph, machinesFor(goal, graph, names, arena), names, diags),
      run(system), goal(goal) {}

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

/// Where durations are given, what has none takes no time; without them, each
/// step counts, and a join does not.
double PlanData::durationOf(StepId step) const {
  if (steps.isJoin(step))
    return 0;
  return durations.empty() ? 1 : durations.lookup(nameOf(step));
}

/// Numbers steps that accept the same event.
static void countOccurrences(PlanData &data) {
  llvm::BitVector seen(data.system.layout.numEvents());
  llvm::DenseMap<uint32_t, uint32_t> counts;
  for (uint32_t i = 0; i != data.steps.size(); ++i) {
    if (data.steps.isJoin({i}))
      continue;
    uint32_t event = data.steps.event({i});
    if (!seen.test(event))
      seen.set(event);
    else
      data.occurrences[i] = ++counts.try_emplace(event, 1).first->second;
  }
}

/// Other orders of what the workflow wants later: it begins where the first has
/// ended, as if it were a workflow of its own.
static void findLaterHazards(const Start &start, const PlanOptions &options,
                             const Run &run) {
  Start later;
  later.goals = start.laterGoals;
  later.events = start.laterEvents;
  Run alone(run.system);
  alone.history = History(run.history, run.later->moment);
  alone.parameters = run.parameters;
  if (simulate(later, options.maxRepeats, alone, [] { return true; }))
    findHazards(later, alone);
}

/// Runs the event system and checks what came of it. Where the workflow wants
/// one thing after another, other orders of the first are looked for before the
/// second begins.
static bool reachGoals(const Start &start, const Goal &goal,
                       const PlanOptions &options, Run &run,
                       DiagnosticEngine &diags) {
  auto check = [&] {
    checkGoals(start.goals, run);
    if (!diags.hasErrors())
      findHazards(start, run);
    return !diags.hasErrors();
  };
  if (!simulate(start, options.maxRepeats, run, check))
    return false;
  checkGoals(start.hasLater() ? start.laterGoals : start.goals, run);
  checkGoalPromises(goal, run);
  checkFailureMarks(run, options.verifyLimit.has_value());
  if (!start.hasLater())
    findHazards(start, run);
  else if (!diags.hasErrors())
    findLaterHazards(start, options, run);
  if (diags.hasErrors())
    return false;
  if (options.verifyLimit)
    verifyOrders(start, run, *options.verifyLimit);
  else
    findBrokenPromises(start, run);
  return !diags.hasErrors();
}

std::optional<Plan> toscac::plan::makePlan(const ir::Graph &graph,
                                           const Goal &goal,
                                           const PlanOptions &options,
                                           NameTable &names,
                                           DiagnosticEngine &diags) {
  auto data = std::make_unique<PlanData>(graph, goal, names, diags);
  data->durations = options.durations;
  data->run.parameters = data->goal.parameters;
  std::optional<Start> start = goal.reach == Goal::Reach::Defined
                                   ? startOf(goal, data->system)
                                   : startByPresence(goal, data->system);
  if (!start || !addMappedTasks(data->system, start->tasks))
    return std::nullopt;
  data->start = std::move(*start);
  if (!reachGoals(data->start, goal, options, data->run, diags))
    return std::nullopt;
  data->steps = data->run.steps;
  for (uint32_t i = 0; i != data->steps.size(); ++i)
    data->origins.push_back({i});
  if (!addDataFlow(*data) || !refine(*data))
    return std::nullopt;
  dissolveJoins(*data, /*all=*/options.optimization == 0);
  runPasses(*data, options);
#ifdef NDEBUG
  if (options.verifyLimit)
#endif
    checkRefinement(*data);
  countOccurrences(*data);
  inheritGuards(*data);
  checkOutcomes(*data, options.maxRepeats);
  if (diags.hasErrors())
    return std::nullopt;
  lowerFailures(*data);
  return Plan(std::move(data));
}

std::vector<ir::ArtifactId> toscac::plan::artifactsOf(const Plan &plan) {
  const ir::Graph &graph = plan->graph();
  llvm::BitVector used(graph.artifacts.size());
  auto use = [&](EventId event) {
    for (const ir::Handler &handler :
         plan->system.layout.operation(event).handlers) {
      used.set(handler.artifact.index);
      for (ir::ArtifactId file : handler.files)
        used.set(file.index);
    }
  };
  for (uint32_t i = 0; i != plan->steps.size(); ++i)
    if (!plan->steps.isJoin({i}))
      use({plan->steps.event({i})});
  for (const FailureStep &step : plan->failureSteps)
    use(step.invocation.event);
  std::vector<ir::ArtifactId> result;
  for (unsigned index : used.set_bits())
    result.push_back({index});
  return result;
}
