//===- TakeResults.cpp - Steps that ran elsewhere -------------------------===//

#include "Executor.h"

using namespace toscac;
using namespace toscac::run;

/// What calls have left counts as if they had run here; those that have left
/// nothing are not over.
void Executor::takeResults() {
  while (mayStart()) {
    std::optional<uint32_t> id = schedule.takeCall();
    if (!id)
      return;
    if (!execution.failedBefore.contains(*id))
      takeResult(*id);
    runInstants();
  }
}

void Executor::takeResult(uint32_t id) {
  llvm::Expected<std::optional<std::string>> events =
      execution.results->read(id);
  if (!events) {
    problem = llvm::toString(events.takeError());
    return;
  }
  if (!*events)
    return;
  state::Journal step;
  if (llvm::Error error = step.add(**events, state.json, state.arena)) {
    problem = llvm::toString(std::move(error));
    return;
  }
  if (!step.ended.contains(id)) {
    problem = "the result of step " + std::to_string(id) + " is broken";
    return;
  }
  state.apply(step);
  journal.append(**events);
  // Its failure steps are part of its result.
  if (step.ended.lookup(id) == state::Outcome::Failed)
    if (llvm::Expected<std::string> name = plan.stepName(id))
      result.failed.push_back(*name);
    else
      problem = llvm::toString(name.takeError());
  else
    schedule.finish(id);
}
