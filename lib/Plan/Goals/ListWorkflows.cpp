//===- ListWorkflows.cpp - What can be asked for --------------------------===//

#include "toscac/Plan/MakePlan.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class WorkflowList {
public:
  explicit WorkflowList(const ir::Graph &graph) : graph(graph) {}

  void addService(const ir::Subgraph &service);
  void addIntents();
  std::vector<WorkflowEntry> entries;

private:
  /// What a workflow is: the first thing of its name. Null: it is known.
  std::string *add(Name name, llvm::StringRef kind);
  void addWorkflow(const ir::Workflow &workflow);
  void addTrigger(const ir::PolicyTrigger &trigger);
  void addIntent(const ir::Machine &machine, const ir::Intent &intent);

  const ir::Graph &graph;
};

} // namespace

std::string *WorkflowList::add(Name name, llvm::StringRef kind) {
  for (WorkflowEntry &entry : entries)
    if (entry.name == name)
      return llvm::StringRef(entry.description).starts_with(kind)
                 ? &entry.description
                 : nullptr;
  entries.push_back({name, kind.str()});
  return &entries.back().description;
}

static void append(std::string &text, const std::string &more) {
  bool isFirst = llvm::StringRef(text).ends_with(":");
  text += (isFirst ? " " : ", ") + more;
}

void WorkflowList::addWorkflow(const ir::Workflow &workflow) {
  bool isScript = !workflow.handlers.empty();
  bool isList = !isScript && !workflow.steps.empty();
  std::string *text = add(workflow.name, isScript ? "script"
                                         : isList ? "workflow:"
                                                  : "workflow");
  if (!text)
    return;
  if (isScript)
    *text += ":";
  for (const ir::Handler &handler : workflow.handlers)
    append(*text, graph.artifacts[handler.artifact.index].file.str());
  if (isList)
    append(*text, std::to_string(workflow.steps.size()) +
                      (workflow.steps.size() == 1 ? " step" : " steps"));
  llvm::StringRef separator = "; takes ";
  for (const ir::Argument &input : workflow.inputs) {
    bool isOptional = input.value || !input.required;
    *text += (separator + input.name.str()).str();
    if (isOptional)
      *text += input.value ? " (" + toText(*input.value) + ")" : " (optional)";
    separator = ", ";
  }
}

void WorkflowList::addTrigger(const ir::PolicyTrigger &trigger) {
  std::string *text = add(trigger.event, "event of policies:");
  if (!text)
    return;
  std::string more = trigger.name.str().str();
  if (trigger.condition)
    more += " if " + toText(*trigger.condition);
  append(*text, more);
}

void WorkflowList::addIntent(const ir::Machine &machine,
                             const ir::Intent &intent) {
  std::string *text = add(intent.workflow, "intent:");
  if (!text)
    return;
  std::string more = (machine.interface.str() + "." +
                      machine.cells[intent.goal].name.str() + " becomes ")
                         .str() +
                     toText(intent.value);
  // Machines of several types have the same.
  if (!llvm::StringRef(*text).contains(more))
    append(*text, more);
}

void WorkflowList::addService(const ir::Subgraph &service) {
  for (const ir::MachineSlot &slot : service.machines)
    for (const ir::Operation &event :
         graph.machines[slot.machine.index].operations)
      add(event.name, "event of the service");
  llvm::for_each(service.workflows,
                 [&](const ir::Workflow &each) { addWorkflow(each); });
  llvm::for_each(service.policies,
                 [&](const ir::PolicyTrigger &each) { addTrigger(each); });
}

void WorkflowList::addIntents() {
  for (const ir::Machine &machine : graph.machines)
    for (const ir::Intent &intent : machine.intents)
      addIntent(machine, intent);
}

std::vector<WorkflowEntry> toscac::plan::listWorkflows(const ir::Graph &graph) {
  WorkflowList list(graph);
  if (!graph.subgraphs.empty())
    list.addService(graph.subgraphs.front());
  list.addIntents();
  return std::move(list.entries);
}
