//===- Workflows.cpp - What a workflow starts with ------------------------===//
///
/// \file
/// A workflow is an event of the service, a list of steps, an event of a
/// policy, or an intent that a profile defines in metadata: the first of these
/// that has its name.
///
//===----------------------------------------------------------------------===//

#include "Workflows.h"

#include "BuildTasks.h"
#include "Steps/WorkflowInputs.h"
#include "TargetedGoals.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::StringRef;

static bool isIntent(Name workflow, const ir::Graph &graph) {
  return llvm::any_of(graph.machines, [&](const ir::Machine &machine) {
    return llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
      return intent.workflow == workflow;
    });
  });
}

/// Every machine that has the intent wants its value.
static void addIntents(Name workflow, EventSystem &system, Start &start) {
  for (auto [i, slot] : llvm::enumerate(system.layout.slots)) {
    SlotId id{uint32_t(i)};
    for (const ir::Intent &intent : system.layout.machine(id).intents) {
      if (intent.workflow != workflow)
        continue;
      ValueId value = system.values.intern(intent.value);
      for (uint32_t row = 0; row != slot.rows; ++row)
        start.goals.push_back({system.layout.cell(id, row, intent.cell),
                               system.layout.cell(id, row, intent.goal),
                               value});
    }
  }
}

static void reportUnknown(Name workflow, EventSystem &system) {
  std::vector<StringRef> names;
  for (const WorkflowEntry &entry : listWorkflows(system.layout.graph))
    names.push_back(entry.name.str());
  static constexpr StringRef dayTwo[] = {
#define DAY_TWO(FUNCTION, NAME, COUNTS) NAME,
#include "toscac/IR/DayTwo.def"
  };
  // One of these that is not known here lacks something else.
  if (!llvm::is_contained(dayTwo, workflow.str()))
    for (StringRef name : dayTwo)
      if (!llvm::is_contained(names, name))
        names.push_back(name);
  std::string hint = didYouMean(workflow.str(), names);
  if (hint.empty() && !names.empty())
    hint = "; there are '" + llvm::join(names, "', '") + "'";
  system.conditions.diags.report({}, diag::UnknownWorkflow, workflow.str(),
                                 hint);
}

/// Nothing: the workflow is not a list of steps, nor an event of a policy.
static std::optional<Start> startTasks(const Goal &goal, EventSystem &system,
                                       bool &isFound) {
  const ir::Subgraph &service = system.layout.graph.subgraphs.front();
  std::optional<TaskGraph> tasks;
  llvm::SmallVector<const ir::PolicyTrigger *, 2> triggers;
  for (const ir::PolicyTrigger &trigger : service.policies)
    if (trigger.event == goal.workflow)
      triggers.push_back(&trigger);
  auto workflow =
      llvm::find_if(service.workflows, [&](const ir::Workflow &other) {
        return other.name == goal.workflow;
      });
  isFound = true;
  if (workflow != service.workflows.end() && isTargetedIntent(*workflow))
    return startOfTargets(*workflow, goal, system);
  if (workflow != service.workflows.end())
    tasks = buildTasks(*workflow, goal, system);
  else if (!triggers.empty())
    tasks = buildTasks(triggers, system);
  else
    isFound = false;
  if (!tasks)
    return std::nullopt;
  Start start;
  start.tasks = std::move(*tasks);
  return start;
}

static std::optional<EventId> findServiceEvent(Name name,
                                               const Layout &layout) {
  ir::EntityId service = layout.graph.entity(ir::SubgraphId{0});
  for (const ir::MachineSlot &slot : layout.graph.subgraphs.front().machines)
    if (auto event = layout.findEvent(
            service, layout.set.machines[slot.machine.index].interface, name))
      return event;
  return std::nullopt;
}

/// Parameters are the inputs of the event.
static std::optional<Start> startEvent(EventId event, const Goal &goal,
                                       EventSystem &system) {
  Start start;
  start.events.push_back(event);
  WorkflowInputs inputs(system, {0});
  if (!inputs.setParameters(system.layout.operation(event).inputs, goal))
    return std::nullopt;
  if (inputs.arguments().empty())
    return start;
  ir::Trigger trigger;
  trigger.inputs = inputs.arguments();
  start.trigger = system.conditions.arena.make(trigger);
  return start;
}

bool toscac::plan::hasTasks(Name workflow, const ir::Graph &graph) {
  for (const ir::Subgraph &service :
       llvm::ArrayRef(graph.subgraphs).take_front())
    return llvm::any_of(service.workflows,
                        [&](const auto &w) { return w.name == workflow; }) ||
           llvm::any_of(service.policies,
                        [&](const auto &p) { return p.event == workflow; });
  return false;
}

std::optional<Start> toscac::plan::startOf(const Goal &goal,
                                           EventSystem &system) {
  Start start;
  const ir::Graph &graph = system.layout.graph;
  if (!graph.subgraphs.empty()) {
    if (auto event = findServiceEvent(goal.workflow, system.layout))
      return startEvent(*event, goal, system);
    bool isFound = false;
    std::optional<Start> tasks = startTasks(goal, system, isFound);
    if (isFound)
      return tasks;
  }
  addIntents(goal.workflow, system, start);
  if (!start.goals.empty() || goal.mayBeMissing ||
      isIntent(goal.workflow, graph)) {
    // An intent has none.
    if (!WorkflowInputs(system, {0}).setParameters({}, goal))
      return std::nullopt;
    return start;
  }
  reportUnknown(goal.workflow, system);
  return std::nullopt;
}
