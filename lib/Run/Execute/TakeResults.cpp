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
    if (execution.wanted && !execution.wanted->test(*id))
      continue;
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
    return takeStamp(id);
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

/// For a script that leaves no events the plan says what it has written. One
/// that was begun and will not end is in flight, as is any other.
void Executor::takeStamp(uint32_t id) {
  const Results &results = *execution.results;
  bool isDone = results.isStamped(id);
  bool isLast = options.isLastCollection;
  if (!isDone && isLast && results.isBegun(id)) {
    llvm::Expected<std::optional<std::string>> begun = results.readBegun(id);
    if (!begun)
      problem = llvm::toString(begun.takeError());
    else if (*begun)
      journal.append(**begun);
    return;
  }
  if (!isDone && !(isLast && results.isStampBegun(id)))
    return;
  ValueArena arena;
  reader.useArena(arena);
  llvm::Expected<planfile::Step> step = plan.step(id, reader, arena);
  if (!step) {
    problem = llvm::toString(step.takeError());
    return;
  }
  Value entry = cells(step->entry, arena);
  journal.started(*step, entry, cells(step->failure, arena));
  if (!isDone)
    return;
  Value written = cells(step->success, arena);
  for (const Value &each : {entry, written})
    if (each.isMap() && step->entity != planfile::none)
      state.writeCells(step->entity, step->interface, each);
  journal.done(*step, written, {});
  schedule.finish(id);
}
