//===- FinishRun.cpp - What becomes of a run that ends --------------------===//

#include "PlanRun.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/Support/FileSystem.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
namespace fs = llvm::sys::fs;

std::string PlanRun::statusOf(const ExecutionResult &result) const {
  // What it would still have done after a failure can be done later.
  if (result.wasStopped && !isCollecting() &&
      schedule->numFinished() != schedule->numToRun())
    return "stopped";
  // Elsewhere others may go on.
  if (!result.failed.empty() && (!isCollecting() || options.isLastCollection))
    return "failed";
  return schedule->numFinished() == schedule->numToRun() ? "done" : "stopped";
}

int PlanRun::finishRun(const ExecutionResult &result) {
  record.status = statusOf(result);
  record.stepsDone += schedule->numFinished();
  std::vector<std::string> notRun;
  if (record.status != "done" && tellsPeople())
    notRun = callsNotRun();
  RunCounts counts{schedule->numFinished(), schedule->numFinishedCalls(),
                   schedule->numCalls()};
  if (record.status == "done")
    record.outputs = evaluateOutputs();
  size_t numDone = schedule->numFinished();
  size_t numSteps = plan->numSteps();
  size_t numLeft = schedule->numToRun() - numDone;
  std::string problem = result.storeProblem;
  llvm::Error error = journal->commit();
#ifndef NDEBUG
  bool isWhole = record.status == "done" && !isRepair() && !isCollecting() &&
                 problem.empty();
  Counts planned = isWhole ? countsOf() : Counts();
#endif
  // Folding needs memory of its own.
  schedule.reset();
  if (record.status != "failed") {
    state.reset();
    plan.reset();
  }
  if (!error)
    error = store->endRun(record);
  if (error) {
    std::string text = llvm::toString(std::move(error));
    if (problem.empty())
      problem = text;
  }
#ifndef NDEBUG
  if (isWhole && problem.empty())
    checkCounts(planned);
#endif
  progress->end(result.seconds, record.status, counts);
  if (tellsPeople() && problem.empty())
    tellOutcome(result.found, notRun);
  if (isCollecting())
    out << numSteps - numLeft << " of " << numSteps << " steps are done\n";
  if (!problem.empty() && isCollecting() && !store->isGone()) {
    diags.report({}, diag::BrokenResults, options.results, problem);
    return ExitFile;
  }
  if (!problem.empty()) {
    diags.report({}, diag::BrokenStore, state::shownStore(options.store),
                 problem);
    rescueStore();
    return ExitFile;
  }
  removeFolders(record);
  for (const std::string &name : result.longInputs)
    diags.report({}, diag::InputTooLong, name);
  for (const std::string &name : result.failed)
    diags.report({}, diag::StepFailed, name);
  if (isCollecting() && result.failed.empty())
    return options.isLastCollection && numLeft > 0 ? ExitStopped : ExitDone;
  if (isCollecting())
    return ExitFailed;
  if (record.status == "failed") {
    if (options.onFailure != OnFailure::Rollback)
      return ExitFailed;
    return rollBack({*plan, options, deployment, record.id, *store, before},
                    out, err, diags);
  }
  return record.status == "done" ? ExitDone : ExitStopped;
}

/// The outputs of the service, as JSON; those that are secret are sealed.
std::string PlanRun::evaluateOutputs() {
  ValueArena arena;
  JSONReader reader(arena, state->names);
  llvm::Expected<Value> map = reader.value(plan->header().outputs);
  llvm::Expected<Value> marks = reader.value(plan->header().sensitive);
  if (!map || !marks) {
    llvm::consumeError(map.takeError());
    llvm::consumeError(marks.takeError());
    return "{}";
  }
  const Value *marked = marks->find("outputs");
  auto isMarked = [&](const Value &name) {
    return marked && marked->isList() &&
           llvm::is_contained(marked->items(), name);
  };
  llvm::SmallVector<MapEntry> entries;
  for (const MapEntry &entry : map->entries()) {
    llvm::Expected<Expr> expr = toExpr(entry.value, state->names, arena);
    if (!expr) {
      llvm::consumeError(expr.takeError());
      continue;
    }
    auto [result, isSecret] = state->ask(*expr, arena);
    Value value = result.isKnown() ? result.value() : Value();
    if (isSecret || isMarked(entry.key)) {
      llvm::Expected<Value> kept = secrets.kept(value, true, arena);
      if (!kept) {
        diags.report({}, diag::NoSecretKey, llvm::toString(kept.takeError()));
        continue;
      }
      value = *kept;
    }
    entries.push_back({entry.key, value});
  }
  return jsonText(arena.map(entries));
}

/// A store that was deleted is still open: what it holds is saved.
void PlanRun::rescueStore() {
  if (!store->isGone())
    return;
  std::string target = options.store;
  if (fs::exists(target))
    target += ".rescued";
  if (llvm::Error error = store->copyTo(target))
    diags.report({}, diag::BrokenStore, target,
                 llvm::toString(std::move(error)));
  else
    diags.report({}, diag::StoreRescued, target);
}

/// Removes what nobody will want, and folders that are empty then.
void PlanRun::removeFolders(const state::RunRecord &run) const {
  std::string own = options.workFolder + "/" + std::to_string(run.id);
  fs::remove_directories(options.workFolder + "/unpacked-" + run.planDigest);
  fs::remove_directories(own + "/slots");
  for (const std::string &each : {own + "/logs", own, options.workFolder})
    rmdir(each.c_str());
}
