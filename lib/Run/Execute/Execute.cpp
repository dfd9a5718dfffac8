//===- Execute.cpp - Running the steps of a plan --------------------------===//
///
/// \file
/// One loop. Each round runs all steps that take no time, chooses calls up to
/// the limit, makes durable what has happened and that these calls are about to
/// start, starts them, and waits for a process to end or a time to come.
///
/// **Invariant:** a process is started only after the end of every step that it
/// waits for, and its own start, are durable.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Value/Evaluate.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::Step;
using planfile::StepHead;
using planfile::StepKind;

ExecutionResult Executor::run() {
  if (execution.results)
    schedule.ignoreExclusions();
  while (true) {
    runInstants();
    chooseCalls();
    commit();
    size_t failedBefore = result.failed.size();
    spawnChosen();
    // What could not be started has left room for others.
    if (isIdle() && result.failed.size() > failedBefore)
      continue;
    if (isIdle() && (!mayStart() || !schedule.hasCalls())) {
      if (mayStart() && schedule.giveUpWaiting())
        continue;
      break;
    }
    showProgress();
    progress.flush();
    handle(signals.wait(timeToWait()));
    runTimers();
  }
  result.done += schedule.numFinished();
  result.wasStopped = isStopping;
  result.storeProblem = problem;
  result.seconds = now();
  return std::move(result);
}

// Steps that take no time.

void Executor::runInstants() {
  while (mayStart()) {
    if (hasFailed && options.onFailure != OnFailure::Continue)
      schedule.dropWaiting();
    std::optional<uint32_t> id = schedule.takeInstant();
    if (!id)
      return;
    runInstant(*id);
    if (journal.isFull())
      commit();
  }
}

void Executor::runInstant(uint32_t id) {
  const StepHead &head = plan.steps()[id];
  if (head.isLate)
    return runLate(id);
  if (head.kind == StepKind::Set) {
    bool writes =
        head.entity != none && head.interface != none && head.success != none;
    if (writes)
      state.writeCells(head.entity, head.interface, head.success);
    journal.set(id, writes ? head.entity : none,
                writes ? plan.text(head.interface) : "",
                writes ? plan.text(head.success) : "");
    bool isEvent = plan.isService(head.entity);
    if (isEvent || progress.wantsSets())
      if (llvm::Expected<std::string> name = plan.stepName(id))
        isEvent ? progress.event(now(), *name) : progress.set(now(), *name);
  }
  schedule.finish(id);
}

/// One that has a guard, or writes what is known only now.
void Executor::runLate(uint32_t id) {
  ValueArena arena;
  reader.useArena(arena);
  llvm::Expected<Step> step = plan.step(id, reader, arena);
  if (!step) {
    problem = llvm::toString(step.takeError());
    return;
  }
  std::string wrong;
  std::optional<bool> holds = guardHolds(*step, arena, wrong);
  if (!holds)
    return failBeforeStart(*step, wrong);
  if (!*holds)
    return skip(id, step->name);
  Value written = cells(step->success, arena);
  if (written.isMap() && step->entity != none)
    state.writeCells(step->entity, step->interface, written);
  journal.done(*step, written, {});
  progress.set(now(), step->name);
  schedule.finish(id);
}

void Executor::skip(uint32_t id, StringRef name) {
  journal.skipped(id);
  progress.skipped(now(), name);
  schedule.finish(id);
}

static std::string describeProblem(const Evaluation &result) {
  DiagnosticEngine engine;
  report(engine, result.problem());
  return engine.all().front().message;
}

std::optional<bool> Executor::guardHolds(const Step &step, ValueArena &arena,
                                         std::string &wrong) {
  if (!step.guard)
    return true;
  Evaluation result = evaluate(*step.guard, state, arena);
  if (result.isKnown() && result.value().isBoolean())
    return result.value().asBoolean();
  // What leads nowhere does not hold.
  if (result.isNothing() || result.isUnknown())
    return false;
  // What is wrong may quote a value.
  wrong = "its guard cannot be evaluated: " +
          (result.isFailed() ? describeProblem(result)
                             : "it is no Boolean but " +
                                   describe(result.value().kind()).str());
  return std::nullopt;
}

/// What a map of cells is now; nil where it is not known.
Value Executor::cells(const Expr *expr, ValueArena &arena) {
  if (!expr)
    return {};
  if (!expr->is(ExprKind::Map)) {
    Evaluation result = evaluate(*expr, state, arena);
    return result.isKnown() ? result.value() : Value();
  }
  llvm::SmallVector<MapEntry> entries;
  llvm::ArrayRef<Expr> children = expr->children();
  for (; children.size() > 1; children = children.drop_front(2)) {
    auto [result, isSecret] = state.ask(children[1], arena);
    if (!result.isKnown())
      return {};
    Value value = result.value();
    if (isSecret) {
      llvm::Expected<Value> kept = state.secrets.kept(value, true, arena);
      if (kept)
        value = *kept;
      else
        problem = llvm::toString(kept.takeError());
    }
    entries.push_back({children[0].value(), value});
  }
  return arena.map(entries);
}

ExecutionResult run::execute(const Execution &execution) {
  return Executor(execution).run();
}
