//===- Workflows.cpp - What a workflow starts with ------------------------===//
///
/// \file
/// A workflow is an event of the service, a list of steps, an event of a
/// policy, or an intent that a profile defines in metadata: the first of these
/// that has its name.
///
//===----------------------------------------------------------------------===//

#include "Workflows.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::StringRef;

std::vector<Name> toscac::plan::listWorkflows(const ir::Graph &graph) {
  std::vector<Name> result;
  auto add = [&](Name name) {
    if (!llvm::is_contained(result, name))
      result.push_back(name);
  };
  if (!graph.scopes.empty()) {
    const ir::Scope &service = graph.scopes.front();
    for (const ir::MachineSlot &slot : service.machines)
      for (const ir::Operation &event :
           graph.machines[slot.machine.index].operations)
        add(event.name);
    for (const ir::Workflow &workflow : service.workflows)
      add(workflow.name);
    for (const ir::PolicyTrigger &policy : service.policies)
      add(policy.event);
  }
  for (const ir::Machine &machine : graph.machines)
    for (const ir::Intent &intent : machine.intents)
      add(intent.workflow);
  return result;
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
  for (Name name : listWorkflows(system.layout.graph))
    names.push_back(name.str());
  std::string hint;
  if (std::optional<StringRef> near = nearestName(workflow.str(), names))
    hint = "; did you mean '" + near->str() + "'?";
  else if (!names.empty())
    hint = "; there are '" + llvm::join(names, "', '") + "'";
  system.conditions.diags.report({}, diag::UnknownWorkflow, workflow.str(),
                                 hint);
}

/// What \p workflow is besides an event or intent; empty if it is nothing.
static StringRef describeSteps(Name workflow, const ir::Graph &graph) {
  for (const ir::Scope &service : llvm::ArrayRef(graph.scopes).take_front()) {
    if (llvm::any_of(service.workflows,
                     [&](const auto &w) { return w.name == workflow; }))
      return "an imperative workflow";
    if (llvm::any_of(service.policies,
                     [&](const auto &p) { return p.event == workflow; }))
      return "an event of a policy";
  }
  return {};
}

std::optional<Start> toscac::plan::startOf(const Goal &goal,
                                           EventSystem &system) {
  Start start;
  const ir::Graph &graph = system.layout.graph;
  if (!graph.scopes.empty()) {
    ir::EntityId service = graph.entity(ir::ScopeId{0});
    for (SlotId slot : system.layout.slotsOf(service).ids())
      for (auto [i, event] :
           llvm::enumerate(system.layout.machine(slot).operations))
        if (event.name == goal.workflow) {
          start.events.push_back(system.layout.event(slot, 0, i));
          return start;
        }
  }
  if (StringRef steps = describeSteps(goal.workflow, graph); !steps.empty()) {
    system.conditions.diags.report({}, diag::WorkflowNotPlanned,
                                   goal.workflow.str(), steps);
    return std::nullopt;
  }
  addIntents(goal.workflow, system, start);
  if (!start.goals.empty() || goal.workflow.str() == "deploy" ||
      llvm::is_contained(listWorkflows(graph), goal.workflow))
    return start;
  reportUnknown(goal.workflow, system);
  return std::nullopt;
}
