//===- FailureTasks.cpp - What a workflow does after a failure ------------===//

#include "FailureTasks.h"

using namespace toscac;
using namespace toscac::plan;

void FailureTasks::begin(const TaskGraph &begun, Send given) {
  sendTo = &given;
  follow(begun);
  answers.assign(begun.conditions.size(), std::nullopt);
  after.assign(begun.tasks.size(), {});
  waiting.clear();
  taskOfStep.clear();
  for (uint32_t i = 0; i != begun.tasks.size(); ++i)
    if (begun.tasks[i].waitsFor == 0)
      ready.push_back({i});
  work();
}

void FailureTasks::send(TaskId id) {
  after[id.index] = std::exchange(stateOf(id).steps, {});
  for (EventId event : at(id).events) {
    Answer condition;
    if (at(id).condition)
      condition = answerOf(at(id).condition);
    condition.writers.append(after[id.index]);
    (*sendTo)(id, event, std::move(condition));
  }
}

void FailureTasks::ended(uint32_t step, Send given) {
  sendTo = &given;
  if (auto found = taskOfStep.find(step); found != taskOfStep.end())
    eventEnded(found->second, step);
  for (TaskId task : llvm::SmallVector<TaskId, 2>(waiting)) {
    // It may have written the cell that the task waits for.
    if (!stateOf(task).isDone)
      stateOf(task).steps.push_back(step);
    checkDone(task);
  }
  work();
}

void FailureTasks::skip(TaskId task, Send given) {
  sendTo = &given;
  --stateOf(task).open;
  llvm::append_range(stateOf(task).steps, after[task.index]);
  checkDone(task);
  work();
}

const Answer &FailureTasks::answerOf(TaskConditionId id) {
  std::optional<Answer> &answer = answers[id.index];
  if (!answer) {
    const TaskCondition &condition = graph->conditions[id.index];
    answer = conditions.of(condition.expr, condition.self);
    if (condition.outer) {
      const Answer &outer = answerOf(condition.outer);
      answer->add(outer);
      answer->truth = std::min(answer->truth, outer.truth);
    }
  }
  return *answer;
}

bool FailureTasks::isReached(const CellGoal &goal) const {
  const FailureCell &cell = cells[goal.reached];
  return cell.value == goal.value && !cell.isInFlight;
}
