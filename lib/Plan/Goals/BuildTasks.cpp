//===- BuildTasks.cpp - From workflows to tasks ---------------------------===//
///
/// \file
/// TOSCA 2.0 §13.2. A step runs its activities one after another on each of its
/// targets, side by side for different targets; what it inlines runs once, when
/// all targets are there. Steps that follow begin when all of it is done.
///
//===----------------------------------------------------------------------===//

#include "BuildTasks.h"

#include "System/ActivityMachines.h"
#include "TaskBuilder.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using Kind = ir::Activity::Kind;

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

TaskId TaskBuilder::addTask(TaskId after, TaskConditionId condition) {
  TaskId id{uint32_t(tasks.tasks.size())};
  tasks.tasks.emplace_back().condition = condition;
  if (after)
    order(after, id);
  return id;
}

void TaskBuilder::order(TaskId before, TaskId after) {
  tasks.tasks[before.index].followers.push_back(after);
  ++tasks.tasks[after.index].waitsFor;
}

TaskConditionId TaskBuilder::addCondition(TaskCondition::Kind kind,
                                          const Expr *expr, ir::EntityId self,
                                          Name name, const Frame &frame) {
  if (!expr)
    return frame.condition;
  tasks.conditions.push_back(
      {kind, frame.condition, frame.inputs.bind(*expr), self, name});
  return {uint32_t(tasks.conditions.size() - 1)};
}

std::optional<TaskGraph> TaskBuilder::finish() {
  if (failed)
    return std::nullopt;
  suspendRules(delegated);
  return std::move(tasks);
}

void TaskBuilder::suspendRules(
    const llvm::DenseSet<std::pair<uint32_t, uint32_t>> &driven) {
  for (auto [slot, row] : addressed)
    if (!driven.contains({slot.index, row}))
      system.suspended.add(slot, row);
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

static std::optional<EventId> eventOf(const Layout &layout, NameTable &names,
                                      const ir::Activity &activity,
                                      ir::EntityId entity) {
  if (activity.kind == Kind::CallOperation)
    return layout.findEvent(entity, activity.interface, activity.operation);
  Name name = setStateName(activity.value, names);
  if (activity.interface)
    return layout.findEvent(entity, activity.interface, name);
  for (SlotId slot : layout.slotsOf(entity).ids())
    if (auto event =
            layout.findEvent(entity, layout.machine(slot).interface, name))
      return event;
  return std::nullopt;
}

/// What the intent \p workflow writes in all machines of \p entity.
void TaskBuilder::addIntents(Name workflow, ir::EntityId entity, bool isGoal,
                             Task &task) {
  Name name = delegateName(workflow, names);
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    const ir::Machine &machine = layout.machine(slot);
    auto event = layout.findEvent(entity, machine.interface, name);
    if (!event)
      continue;
    task.events.push_back(*event);
    uint32_t row = layout.rowOf(slot, entity);
    delegated.insert({slot.index, row});
    for (const ir::Intent &intent : machine.intents)
      if (isGoal && intent.workflow == workflow)
        task.goals.push_back({layout.cell(slot, row, intent.cell),
                              layout.cell(slot, row, intent.goal),
                              system.values.intern(intent.value)});
  }
}

/// A node goes nowhere without its relationships, but only the node itself is
/// waited for: the other ends may be another task's matter.
void TaskBuilder::addIntentsAround(Name workflow, ir::EntityId entity,
                                   Task &task) {
  addIntents(workflow, entity, /*isGoal=*/true, task);
  if (!graph.isNode(entity))
    return;
  ir::NodeId node = graph.node(entity);
  for (ir::RelationshipClassId id : graph.classOf(node).relationships.ids())
    for (ir::RelationshipId each :
         graph.outgoing(node, graph.relationshipClasses[id.index]).ids())
      addIntents(workflow, graph.entity(each), /*isGoal=*/false, task);
  for (ir::RelationshipId each : graph.incomingOf(node))
    addIntents(workflow, graph.entity(each), /*isGoal=*/false, task);
}

/// Runs a workflow of the service \p subgraph, which stands behind a node.
TaskId TaskBuilder::addInner(const Frame &frame, const ir::Activity &activity,
                             ir::SubgraphId subgraph, ir::EntityId self,
                             TaskId after) {
  const ir::Subgraph &inner = graph.subgraphs[subgraph.index];
  ir::EntityId service = graph.entity(subgraph);
  for (SlotId slot : layout.slotsOf(service).ids())
    if (auto event = layout.findEvent(service, layout.machine(slot).interface,
                                      activity.workflow)) {
      TaskId task = addTask(after, frame.condition);
      tasks.tasks[task.index].events.push_back(*event);
      tasks.tasks[task.index].onFailure = frame.onFailure;
      tasks.tasks[task.index].trigger =
          triggerFor(frame.inputs.bind(activity.inputs), activity.range);
      return task;
    }
  for (const ir::Workflow &workflow : inner.workflows)
    if (workflow.name == activity.workflow) {
      Frame innerFrame{subgraph,        &workflow, {system, subgraph},
                       frame.condition, &frame,    frame.onFailure};
      innerFrame.inputs.setInlined(workflow, frame.inputs, activity, self);
      return addWorkflow(innerFrame, after);
    }
  return {};
}

TaskId TaskBuilder::addDelegate(const Frame &frame,
                                const ir::Activity &activity,
                                ir::EntityId entity, TaskConditionId condition,
                                TaskId after) {
  Frame here = frame;
  here.condition = condition;
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs))
    if (subgraph.substitutes && graph.entity(*subgraph.substitutes) == entity)
      if (TaskId last = addInner(here, activity, {uint32_t(i)}, entity, after))
        return last;
  TaskId id = addTask(after, condition);
  Task task = tasks.tasks[id.index];
  addIntentsAround(activity.workflow, entity, task);
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs))
    if (subgraph.substitutes && graph.entity(*subgraph.substitutes) == entity)
      for (ir::NodeClassId inner : subgraph.classes.ids())
        for (ir::NodeId node : graph.nodeClasses[inner.index].nodes.ids())
          addIntentsAround(activity.workflow, graph.entity(node), task);
  llvm::sort(task.events);
  task.events.erase(llvm::unique(task.events), task.events.end());
  if (task.events.empty()) {
    system.conditions.diags.report(activity.range, diag::UnknownDelegate,
                                   activity.workflow.str(),
                                   graph.nameOf(entity));
    failed = true;
  }
  tasks.tasks[id.index] = std::move(task);
  return id;
}

TaskId TaskBuilder::addActivity(const Frame &frame,
                                const ir::Activity &activity,
                                ir::EntityId entity, TaskConditionId condition,
                                TaskId after) {
  if (activity.kind == Kind::Delegate)
    return addDelegate(frame, activity, entity, condition, after);
  std::optional<EventId> event = eventOf(layout, names, activity, entity);
  // Of a group, those do it that can.
  if (!event)
    return after;
  EventPlace at = layout.place(*event);
  addressed.emplace_back(at.slot, at.row);
  TaskId id = addTask(after, condition);
  Task &task = tasks.tasks[id.index];
  task.events.push_back(*event);
  task.onFailure = frame.onFailure;
  if (!activity.inputs.empty())
    task.trigger =
        triggerFor(frame.inputs.bind(activity.inputs), activity.range);
  return id;
}

/// Each level may inline the one below it several times.
static constexpr uint64_t maxInlined = 100000;
static constexpr uint64_t maxTasks = 10000000;

TaskId TaskBuilder::addInline(const Frame &frame, const ir::Activity &activity,
                              ir::EntityId self, TaskId after) {
  for (const Frame *outer = &frame; outer; outer = outer->outer)
    if (outer->workflow && outer->workflow->name == activity.workflow &&
        outer->subgraph == frame.subgraph) {
      system.conditions.diags.report(activity.range, diag::EndlessInlining,
                                     activity.workflow.str());
      failed = true;
      return after;
    }
  if (failed)
    return after;
  if (++numInlined > maxInlined || tasks.tasks.size() > maxTasks) {
    system.conditions.diags.report(activity.range, diag::InlinedTooOften,
                                   maxInlined, maxTasks);
    failed = true;
    return after;
  }
  for (const ir::Workflow &workflow :
       graph.subgraphs[frame.subgraph.index].workflows) {
    if (workflow.name != activity.workflow)
      continue;
    Frame inner{frame.subgraph,
                &workflow,
                {system, frame.subgraph},
                frame.condition,
                &frame};
    inner.inputs.setInlined(workflow, frame.inputs, activity, self);
    return addWorkflow(inner, after);
  }
  return after;
}

const ir::Trigger *TaskBuilder::triggerFor(ArrayRef<ir::Argument> inputs,
                                           SourceRange range) {
  ir::Trigger trigger;
  trigger.inputs = inputs;
  trigger.range = range;
  return arena.make(trigger);
}

/// Whether \p reaction writes what \p activity does.
static bool writes(const ir::Machine &machine, const ir::Reaction &reaction,
                   const ir::Activity &activity) {
  return llvm::any_of(reaction.sets, [&](const ir::Set &set) {
    return machine.cells[set.cell].name == activity.operation &&
           set.value->isLiteral() && set.value->value() == activity.value;
  });
}

/// Whether \p i sets a state that the call before or after it sets by itself.
bool TaskBuilder::isImplied(ArrayRef<ir::Activity> activities, size_t i,
                            ir::EntityId entity) const {
  if (activities[i].kind != Kind::SetState)
    return false;
  auto isDoneBy = [&](size_t call, ir::Reaction ir::Operation::*when) {
    if (call >= activities.size() ||
        activities[call].kind != Kind::CallOperation)
      return false;
    std::optional<EventId> event =
        eventOf(layout, names, activities[call], entity);
    std::optional<EventId> set = eventOf(layout, names, activities[i], entity);
    if (!event || !set || layout.place(*event).slot != layout.place(*set).slot)
      return false;
    return writes(layout.machine(layout.place(*event).slot),
                  layout.operation(*event).*when, activities[i]);
  };
  return isDoneBy(i + 1, &ir::Operation::entry) ||
         (i > 0 && isDoneBy(i - 1, &ir::Operation::success));
}

TaskId TaskBuilder::addActivities(const Frame &frame,
                                  ArrayRef<ir::Activity> activities,
                                  ArrayRef<ir::EntityId> entities,
                                  const Expr *filter, TaskId after) {
  ir::EntityId service = graph.entity(frame.subgraph);
  std::vector<TaskConditionId> conditions;
  for (ir::EntityId entity : entities)
    conditions.push_back(
        addCondition(TaskCondition::Kind::Filter, filter, entity, {}, frame));
  while (!activities.empty()) {
    if (activities.front().kind == Kind::Inline) {
      after = addInline(frame, activities.front(),
                        entities.size() == 1 ? entities[0] : service, after);
      activities = activities.drop_front();
      continue;
    }
    ArrayRef<ir::Activity> part = activities.take_until(
        [](const ir::Activity &next) { return next.kind == Kind::Inline; });
    activities = activities.drop_front(part.size());
    TaskId end = addTask({});
    for (auto [entity, condition] : llvm::zip_equal(entities, conditions)) {
      TaskId last = after;
      for (size_t i = 0; i != part.size(); ++i)
        if (!isImplied(part, i, entity))
          last = addActivity(frame, part[i], entity, condition, last);
      order(last, end);
    }
    if (entities.empty())
      order(after, end);
    after = end;
  }
  return after;
}

//===----------------------------------------------------------------------===//
// Workflows
//===----------------------------------------------------------------------===//

/// The steps, leading to those that follow their success and, if asked for,
/// their failure.
static CsrGraph graphOf(ArrayRef<ir::WorkflowStep> steps, bool withFailure) {
  std::vector<CsrGraph::Edge> edges;
  for (auto [i, step] : llvm::enumerate(steps)) {
    for (uint32_t next : step.onSuccess)
      edges.push_back({uint32_t(i), next});
    for (uint32_t next : step.onFailure)
      if (withFailure)
        edges.push_back({uint32_t(i), next});
  }
  return {steps.size(), edges};
}

/// Marks \p first and all that their success leads to.
static void includeOnSuccess(ArrayRef<ir::WorkflowStep> steps,
                             ArrayRef<uint32_t> first,
                             std::vector<bool> &included) {
  CsrGraph graph = graphOf(steps, /*withFailure=*/false);
  for (uint32_t step : first)
    reach(graph, step, included);
}

/// Steps that \p steps begin with, those that no other leads to, and all that
/// their success leads to.
static std::vector<bool> stepsOnSuccess(ArrayRef<ir::WorkflowStep> steps) {
  std::vector<bool> isFollower(steps.size()), result(steps.size());
  CsrGraph graph = graphOf(steps, /*withFailure=*/true);
  for (uint32_t i = 0; i != graph.size(); ++i)
    for (uint32_t follower : graph.successors(i))
      isFollower[follower] = isFollower[follower] || follower != i;
  llvm::SmallVector<uint32_t> first;
  for (uint32_t i = 0; i != steps.size(); ++i)
    if (!isFollower[i])
      first.push_back(i);
  includeOnSuccess(steps, first, result);
  return result;
}

TaskId TaskBuilder::addStep(const Frame &frame, const ir::WorkflowStep &step,
                            TaskId after) {
  std::vector<ir::EntityId> entities = entitiesOf(frame, step);
  Frame here = frame;
  if (!step.onFailure.empty())
    here.onFailure = addFailure(frame, step);
  return addActivities(here, step.activities, entities, step.filter, after);
}

std::optional<uint32_t> TaskBuilder::addFailure(const Frame &frame,
                                                const ir::WorkflowStep &step) {
  if (isAfterFailure)
    return std::nullopt;
  isAfterFailure = true;
  Frame inner = frame;
  // What has begun need not be asked again.
  inner.condition = {};
  std::vector<bool> included(frame.workflow->steps.size());
  includeOnSuccess(frame.workflow->steps, step.onFailure, included);
  TaskGraph outside = std::exchange(tasks, {});
  addSteps(inner, included, addTask({}));
  std::swap(tasks, outside);
  tasks.onFailure.push_back(std::move(outside));
  isAfterFailure = false;
  return tasks.onFailure.size() - 1;
}

/// A workflow that is a script is an operation of its service.
TaskId TaskBuilder::addScript(const Frame &frame, TaskId after) {
  TaskId id = addTask(after, frame.condition);
  std::optional<EventId> event =
      layout.findEvent(graph.entity(frame.subgraph), workflowInterface(names),
                       frame.workflow->name);
  assert(event && "services have operations for their scripts");
  Task &task = tasks.tasks[id.index];
  task.events.push_back(*event);
  task.onFailure = frame.onFailure;
  task.trigger = triggerFor(frame.inputs.arguments(), frame.workflow->range);
  return id;
}

TaskId TaskBuilder::addWorkflow(const Frame &outer, TaskId after) {
  Frame frame = outer;
  const ir::Workflow &workflow = *frame.workflow;
  frame.condition =
      addCondition(frame.outer ? TaskCondition::Kind::Filter
                               : TaskCondition::Kind::Precondition,
                   workflow.precondition, graph.entity(frame.subgraph),
                   workflow.name, frame);
  TaskId begin = addTask(after, frame.condition);
  if (!workflow.handlers.empty())
    return addScript(frame, begin);
  if (workflow.order != ir::Workflow::Order::Steps)
    return addAlongRelationships(frame, begin);
  return addSteps(frame, stepsOnSuccess(workflow.steps), begin);
}

/// Those of the workflow's steps that \p included says, each after those whose
/// success leads to it.
TaskId TaskBuilder::addSteps(const Frame &frame,
                             const std::vector<bool> &included, TaskId begin) {
  ArrayRef<ir::WorkflowStep> steps = frame.workflow->steps;
  std::vector<llvm::SmallVector<TaskId, 2>> before(steps.size());
  std::vector<uint32_t> waits(steps.size());
  llvm::SmallVector<uint32_t> ready;
  for (auto [i, step] : llvm::enumerate(steps))
    if (included[i])
      for (uint32_t next : step.onSuccess)
        waits[next] += included[next];
  for (uint32_t i = 0; i != steps.size(); ++i)
    if (included[i] && waits[i] == 0)
      ready.push_back(i);
  TaskId end = addTask(ready.empty() ? begin : TaskId());
  for (size_t done = 0; done != ready.size(); ++done) {
    const ir::WorkflowStep &step = steps[ready[done]];
    TaskId first = addTask(before[ready[done]].empty() ? begin : TaskId());
    for (TaskId earlier : before[ready[done]])
      order(earlier, first);
    TaskId last = addStep(frame, step, first);
    order(last, end);
    for (uint32_t next : step.onSuccess) {
      before[next].push_back(last);
      if (included[next] && --waits[next] == 0)
        ready.push_back(next);
    }
  }
  if (ready.size() != size_t(llvm::count(included, true)) || ready.empty())
    reportCycle(frame, included);
  return end;
}

/// Steps that wait for each other never begin. Where none is \p included, all
/// follow another.
void TaskBuilder::reportCycle(const Frame &frame,
                              const std::vector<bool> &included) {
  ArrayRef<ir::WorkflowStep> steps = frame.workflow->steps;
  if (steps.empty())
    return;
  failed = true;
  bool noneBegins = !llvm::is_contained(included, true);
  std::vector<Cycle> cycles = findCycles(graphOf(steps, noneBegins));
  for (const Cycle &cycle : cycles)
    if (noneBegins || included[cycle[0]])
      system.conditions.diags.report(
          steps[cycle[0]].range, diag::StepWaitsForItself,
          steps[cycle[0]].name.str(), frame.workflow->name.str(),
          describeCycle(cycle, [&](uint32_t step) {
            return steps[step].name.str().str();
          }));
}

bool TaskBuilder::addGoal(const ir::Workflow &workflow, const Goal &goal) {
  Frame frame{{0}, &workflow, {system, {0}}, {}, nullptr};
  if (!frame.inputs.setParameters(workflow.inputs, goal))
    return false;
  addWorkflow(frame, {});
  if (workflow.othersRest)
    suspendOthers();
  return !failed;
}

void TaskBuilder::addPolicy(const ir::PolicyTrigger &trigger) {
  Frame frame{{0}, nullptr, {system, {0}}, {}, nullptr};
  ir::EntityId service = graph.entity(frame.subgraph);
  frame.condition = addCondition(TaskCondition::Kind::Policy, trigger.condition,
                                 service, trigger.name, frame);
  addActions(frame, trigger, addTask({}, frame.condition));
}

TaskId TaskBuilder::addActions(const Frame &frame,
                               const ir::PolicyTrigger &trigger, TaskId after) {
  std::vector<ir::EntityId> entities;
  for (Name target : trigger.targets)
    llvm::append_range(entities, targetsOf(graph, frame.subgraph, target, {}));
  return addActivities(frame, trigger.actions, entities, /*filter=*/nullptr,
                       after);
}

std::optional<TaskGraph> toscac::plan::buildTasks(const ir::Workflow &workflow,
                                                  const Goal &goal,
                                                  EventSystem &system) {
  TaskBuilder builder(system);
  if (!builder.addGoal(workflow, goal))
    return std::nullopt;
  return builder.finish();
}

std::optional<TaskGraph>
toscac::plan::buildTasks(ArrayRef<const ir::PolicyTrigger *> triggers,
                         EventSystem &system) {
  TaskBuilder builder(system);
  for (const ir::PolicyTrigger *trigger : triggers)
    builder.addPolicy(*trigger);
  return builder.finish();
}
