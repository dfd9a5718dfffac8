//===- TaskBuilder.h - Tasks in the making ----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_TASKBUILDER_H
#define TOSCAC_LIB_PLAN_TASKBUILDER_H

#include "BuildTasks.h"
#include "Steps/WorkflowInputs.h"
#include "toscac/Basic/CsrGraph.h"

namespace toscac::plan {

/// A workflow that is being put in place.
struct Frame {
  ir::SubgraphId subgraph;
  const ir::Workflow *workflow;
  WorkflowInputs inputs;
  TaskConditionId condition;
  /// The workflow that inlines it.
  const Frame *outer;
  /// What begins when a task of it fails: an index into onFailure.
  std::optional<uint32_t> onFailure = {};
};

class TaskBuilder {
public:
  explicit TaskBuilder(EventSystem &system)
      : system(system), layout(system.layout), graph(layout.graph),
        names(system.conditions.names), arena(system.conditions.arena) {}

  bool addGoal(const ir::Workflow &workflow, const Goal &goal);
  void addPolicy(const ir::PolicyTrigger &trigger);
  std::optional<TaskGraph> finish();
  /// Adds to \p all what \p operation of \p node is mapped to, if it is.
  bool addMapped(ir::NodeId node, EventId operation, TaskGraph &all);
  /// Adds to \p all what \p trigger does, whose operation is \p begins.
  bool addListed(const ir::PolicyTrigger &trigger, ir::SubgraphId subgraph,
                 EventId begins, TaskGraph &all);
  /// Suspends the rules of machines that activities address, but not of those
  /// in \p driven.
  void
  suspendRules(const llvm::DenseSet<std::pair<uint32_t, uint32_t>> &driven);

private:
  // Tasks.
  TaskId addTask(TaskId after, TaskConditionId condition = {});
  /// What begins when \p step fails.
  std::optional<uint32_t> addFailure(const Frame &frame,
                                     const ir::WorkflowStep &step);
  void order(TaskId before, TaskId after);
  TaskConditionId addCondition(TaskCondition::Kind kind, const Expr *expr,
                               ir::EntityId self, Name name,
                               const Frame &frame);

  // Workflows; each gives the task that it ends with.
  TaskId addWorkflow(const Frame &frame, TaskId after);
  TaskId addScript(const Frame &frame, TaskId after);
  TaskId addSteps(const Frame &frame, const std::vector<bool> &included,
                  TaskId begin);
  void reportCycle(const Frame &frame, const std::vector<bool> &included);
  TaskId addStep(const Frame &frame, const ir::WorkflowStep &step,
                 TaskId after);
  /// The targets of \p step; none after a report.
  std::vector<ir::EntityId> entitiesOf(const Frame &frame,
                                       const ir::WorkflowStep &step);
  /// The steps of a workflow that goes along relationships.
  TaskId addAlongRelationships(const Frame &frame, TaskId begin);
  std::vector<Cycle> orderByTargets(llvm::ArrayRef<TaskId> before,
                                    llvm::ArrayRef<TaskId> after);
  void suspendOthers();
  TaskId addActivities(const Frame &frame,
                       llvm::ArrayRef<ir::Activity> activities,
                       llvm::ArrayRef<ir::EntityId> entities,
                       const Expr *filter, TaskId after);
  TaskId addActivity(const Frame &frame, const ir::Activity &activity,
                     ir::EntityId entity, TaskConditionId condition,
                     TaskId after);
  TaskId addInline(const Frame &frame, const ir::Activity &activity,
                   ir::EntityId self, TaskId after);
  TaskId addDelegate(const Frame &frame, const ir::Activity &activity,
                     ir::EntityId entity, TaskConditionId condition,
                     TaskId after);
  uint32_t addFailedOperation(EventId failed);
  /// Adds to \p all a group of tasks that begins when the operation \p begins
  /// does: those that \p add adds, and one that ends the operation. \p add
  /// returns the last of them, or none: then the operation runs what it says
  /// itself. False after a report.
  bool
  addGroup(EventId begins, ir::SubgraphId subgraph,
           llvm::function_ref<TaskId(const Frame &frame, TaskId after)> add,
           TaskGraph &all);
  TaskId addActions(const Frame &frame, const ir::PolicyTrigger &trigger,
                    TaskId after);
  TaskId addEvent(EventId event, TaskId after);
  void addIntents(Name workflow, ir::EntityId entity, bool isGoal, Task &task);
  void addIntentsAround(Name workflow, ir::EntityId entity, Task &task);
  TaskId addInner(const Frame &frame, const ir::Activity &activity,
                  ir::SubgraphId subgraph, ir::EntityId self, TaskId after);
  bool isImplied(llvm::ArrayRef<ir::Activity> activities, size_t i,
                 ir::EntityId entity) const;
  const ir::Trigger *triggerFor(llvm::ArrayRef<ir::Argument> inputs,
                                SourceRange range);

  EventSystem &system;
  const Layout &layout;
  const ir::Graph &graph;
  NameTable &names;
  ValueArena &arena;
  TaskGraph tasks;
  /// Machines that activities address, and those that intents do.
  std::vector<std::pair<SlotId, uint32_t>> addressed;
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> delegated;
  uint64_t numInlined = 0;
  bool failed = false;
  /// Failures of what follows a failure are not planned.
  bool isAfterFailure = false;
};

} // namespace toscac::plan

#endif
