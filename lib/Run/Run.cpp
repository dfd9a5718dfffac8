//===- Run.cpp - Replaying a plan -----------------------------------------===//
///
/// \file
/// What stands around the steps: is this plan one for the present state, may we
/// run it, what has an earlier run done, and what is to be said at the end.
///
//===----------------------------------------------------------------------===//

#include "toscac/Run/Run.h"

#include "DryRun.h"
#include "Execute.h"
#include "FormatTime.h"
#include "Rollback.h"
#include "RunInputs.h"
#include "SelectSteps.h"
#include "StepScripts.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::PlanFile;
using state::RunRecord;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// One call of runPlan().
class PlanRun {
public:
  PlanRun(const RunOptions &given, llvm::raw_fd_ostream &out,
          llvm::raw_fd_ostream &err, DiagnosticEngine &diags)
      : options(given), out(out), err(err), diags(diags) {}

  int run();

private:
  /// Each returns false after a report, with `code` set.
  bool openPlan();
  bool openStore();
  bool takeLock();
  bool findEarlierRun();
  bool loadState();
  bool checkState();
  bool prepareState();
  bool beginRun();
  /// Some steps are run again, on what earlier runs have left.
  bool isPartial() const {
    bool isSelected = !options.only.empty() || !options.from.empty();
    const state::Deployment *now = before.find(deployment);
    return isSelected && now && !now->entities.empty();
  }
  bool makeFolders();
  bool applyEarlier();

  void stopLeftovers(uint32_t step, StringRef name);
  int executeSteps();
  int finishRun(const ExecutionResult &result);
  std::string statusOf(const ExecutionResult &result) const;
  std::string evaluateOutputs();
  void rescueStore();
  void removeFolders();
  std::unique_ptr<Progress> makeProgress();
  bool isCollecting() const { return !options.results.empty(); }
  bool isRepair() const {
    return !options.only.empty() || !options.from.empty();
  }
  bool fail(int exitCode) {
    code = exitCode;
    return false;
  }
  bool storeFailed(llvm::Error error);

  RunOptions options;
  llvm::raw_fd_ostream &out;
  llvm::raw_fd_ostream &err;
  DiagnosticEngine &diags;
  int code = ExitDone;

  std::unique_ptr<PlanFile> plan;
  std::string deployment;
  std::unique_ptr<state::Store> store;
  bool hasLock = false;
  RunRecord record;
  bool isResumed = false;
  state::State before;
  std::unique_ptr<LiveState> state;
  std::unique_ptr<Schedule> schedule;
  std::vector<Runnable> artifacts;
  Secrets secrets;
  RunFolder folder;
  std::unique_ptr<Progress> progress;
  std::unique_ptr<StoredEvents> events;
  std::unique_ptr<RunJournal> journal;
  std::set<uint32_t> failedBefore;
};

} // namespace

int run::runPlan(const RunOptions &options, llvm::raw_fd_ostream &out,
                 llvm::raw_fd_ostream &err, DiagnosticEngine &diags) {
  return PlanRun(options, out, err, diags).run();
}

int PlanRun::run() {
  if (!openPlan())
    return code;
  if (options.dryRun)
    return dryRun(*plan, options, out, diags);
  bool isReady = openStore() && takeLock() && findEarlierRun() && loadState() &&
                 checkState() && prepareState() && beginRun();
  if (isReady)
    code = executeSteps();
  if (hasLock)
    llvm::consumeError(store->unlock(deployment));
  return code;
}

bool PlanRun::storeFailed(llvm::Error error) {
  diags.report({}, diag::BrokenStore, options.store,
               llvm::toString(std::move(error)));
  return fail(ExitFile);
}

bool PlanRun::openPlan() {
  plan = PlanFile::open(options.plan, diags);
  if (!plan) {
    bool isUnread = diags.all().back().id == diag::CannotReadFile.id;
    return fail(isUnread ? ExitFile : ExitRefused);
  }
  schedule = std::make_unique<Schedule>(*plan);
  if (isRepair() && !selectSteps(*plan, options, *schedule, diags))
    return fail(ExitUsage);
  return true;
}

bool PlanRun::openStore() {
  deployment = options.deployment.empty() ? plan->header().deployment
                                          : options.deployment;
  if (options.store.empty()) {
    llvm::SmallString<128> beside(path::parent_path(options.plan));
    path::append(beside, "toscac.db");
    options.store = beside.str().str();
  }
  llvm::SmallString<128> base(options.workFolder);
  if (base.empty()) {
    base = path::parent_path(options.store);
    path::append(base, ".tosca-run");
  }
  fs::make_absolute(base);
  options.workFolder = base.str().str();
  llvm::Expected<std::unique_ptr<state::Store>> opened = state::Store::open(
      options.store, state::Store::Access::Write, options.durability);
  if (!opened)
    return storeFailed(opened.takeError());
  store = std::move(*opened);
  return true;
}

bool PlanRun::takeLock() {
  llvm::Expected<std::optional<state::Owner>> owner = store->lock(deployment);
  if (!owner)
    return storeFailed(owner.takeError());
  if (*owner)
    return fail(reportLocked(deployment, **owner, diags));
  hasLock = true;
  return true;
}

/// Finds out what became of an earlier run, of this plan or another.
bool PlanRun::findEarlierRun() {
  llvm::Expected<std::vector<RunRecord>> runs = store->runs(deployment);
  if (!runs)
    return storeFailed(runs.takeError());
  if (runs->empty())
    return true;
  RunRecord &last = runs->back();
  bool isOpen = last.status == "running" || last.status == "stopped";
  bool isSame = last.planDigest == plan->digest();
  if (options.resume && isSame) {
    if (last.status == "done") {
      out << "run " << last.id << " of this plan is complete\n";
      // It may have died while it tidied up.
      record = last;
      folder.path = options.workFolder + "/" + std::to_string(last.id);
      removeFolders();
      return fail(ExitDone);
    }
    if (last.status == "failed") {
      diags.report({}, diag::RunFailedBefore, last.id);
      return fail(ExitRefused);
    }
    isResumed = isOpen;
    record = last;
    return true;
  }
  if (isOpen && isSame && !isRepair()) {
    diags.report({}, diag::RunInterrupted, last.id);
    return fail(ExitRefused);
  }
  if (isOpen)
    if (llvm::Error error = store->settle(deployment))
      return storeFailed(std::move(error));
  return true;
}

bool PlanRun::loadState() {
  // What a run that goes on has done is applied from its journal.
  llvm::Expected<state::State> loaded =
      isResumed ? store->loadTables(deployment)
                : store->load(state::InFlight::Failed, deployment);
  if (!loaded)
    return storeFailed(loaded.takeError());
  before = std::move(*loaded);
  return true;
}

/// A plan is for one state only.
bool PlanRun::checkState() {
  if (isResumed || isRepair())
    return true;
  const state::Deployment *now = before.find(deployment);
  const std::string &wanted = plan->header().state;
  bool isEmpty = !now || now->entities.empty();
  if (wanted.empty() ? isEmpty : now && state::digest(*now) == wanted)
    return true;
  if (wanted.empty())
    diags.report({}, diag::DeploymentExists, deployment, now->entities.size());
  else
    diags.report({}, diag::StateChanged, deployment);
  return fail(ExitRefused);
}

bool PlanRun::prepareState() {
  size_t errorsBefore = diags.numErrors();
  state = std::make_unique<LiveState>(*plan, before.find(deployment));
  if (!takeInputs(options, *state, secrets, diags))
    return fail(ExitRefused);
  StringRef folder = path::parent_path(options.results);
  // What scripts use stays.
  std::string scratch =
      options.writesScripts
          ? (folder + "/steps/unpacked").str()
          : options.workFolder + "/unpacked-" + plan->digest().str();
  if (options.writesScripts)
    fs::remove_directories(scratch);
  artifacts = prepareArtifacts(*plan, options, scratch, diags);
  if (diags.numErrors() > errorsBefore)
    return fail(ExitRefused);
  if (options.writesScripts &&
      !writeStepScripts(*plan, folder, deployment, artifacts, *state, diags))
    return fail(ExitFile);
  return true;
}

/// An entity of a run that repeats part of an earlier one: its cells are where
/// that has left them, not where the plan began.
static std::string withoutCells(StringRef line) {
  llvm::Expected<llvm::json::Value> entity = llvm::json::parse(line);
  if (!entity || !entity->getAsObject()) {
    llvm::consumeError(entity.takeError());
    return line.str();
  }
  entity->getAsObject()->erase("cells");
  return llvm::formatv("{0}", *entity).str();
}

/// Records that the run begins, with the entities it is about.
bool PlanRun::beginRun() {
  if (isResumed) {
    if (llvm::Error error = store->reopenRun(record))
      return storeFailed(std::move(error));
    if (llvm::Error error = store->commit())
      return storeFailed(std::move(error));
    return makeFolders();
  }
  const planfile::PlanHeader &header = plan->header();
  llvm::SmallString<128> file(options.plan);
  fs::make_absolute(file);
  record = RunRecord();
  record.deployment = deployment;
  record.plan = file.str().str();
  record.planDigest = plan->digest().str();
  record.workflow = header.workflow;
  StringRef digest =
      header.inputs.empty() ? StringRef() : StringRef(header.inputs[0].second);
  if (llvm::Error error =
          store->beginRun(record, {header.service, digest.str(), header.values,
                                   header.nextIndex, header.counts,
                                   header.operations, header.shared}))
    return storeFailed(std::move(error));
  std::string lines;
  for (uint32_t id = 0; id < plan->numEntities(); ++id) {
    llvm::Expected<StringRef> line = plan->entityLine(id);
    if (!line)
      return storeFailed(line.takeError());
    size_t start = lines.size();
    lines += isPartial() ? withoutCells(*line) : line->str();
    std::replace(lines.begin() + start, lines.end(), '\n', ' ');
    lines += '\n';
    if (lines.size() < (1 << 18) && id + 1 < plan->numEntities())
      continue;
    if (llvm::Error error = store->addEntities(record, lines))
      return storeFailed(std::move(error));
    lines.clear();
  }
  if (llvm::Error error = store->commit())
    return storeFailed(std::move(error));
  return makeFolders();
}

bool PlanRun::makeFolders() {
  llvm::SmallString<128> realStore;
  fs::real_path(options.store, realStore);
  folder.path = options.workFolder + "/" + std::to_string(record.id);
  folder.deployment = deployment;
  folder.runName = llvm::utohexstr(llvm::xxh3_64bits(realStore)) + "-" +
                   std::to_string(record.id);
  folder.hasSecrets = !secrets.empty();
  for (const char *part : {"/slots", "/logs"})
    if (std::error_code error = fs::create_directories(folder.path + part)) {
      diags.report({}, diag::CannotWriteFile, folder.path, error.message());
      record.status = "stopped";
      llvm::consumeError(store->endRun(record));
      return fail(ExitFile);
    }
  return true;
}

/// Ends processes of a step that was in flight when its run died: it is about
/// to run again.
void PlanRun::stopLeftovers(uint32_t step, StringRef name) {
  std::string mark = "TOSCA_RUN=" + folder.runName + "/" + std::to_string(step);
  if (size_t count = stopProcessesWith(mark, options.grace))
    diags.report({}, diag::LeftoverProcesses, name, count);
}

/// What earlier runs of this plan have done needs not be done again.
bool PlanRun::applyEarlier() {
  llvm::Expected<std::vector<RunRecord>> runs = store->runs(deployment);
  if (!runs)
    return storeFailed(runs.takeError());
  for (const RunRecord &earlier : *runs) {
    bool isThis = isResumed && earlier.id == record.id;
    bool counts = isThis || (isRepair() && earlier.id != record.id &&
                             earlier.planDigest == plan->digest());
    if (!counts)
      continue;
    llvm::Expected<state::Journal> done =
        store->journal(earlier.id, state->json, state->arena);
    if (!done)
      return storeFailed(done.takeError());
    std::vector<uint32_t> ended;
    for (const auto &entry : done->ended) {
      if (entry.second != state::Outcome::Failed)
        ended.push_back(entry.first);
      else if (isThis)
        failedBefore.insert(entry.first);
    }
    for (uint32_t step : failedBefore)
      schedule->assumeStarted(step);
    llvm::sort(ended);
    for (uint32_t step : ended) {
      if (isThis)
        schedule->assumeDone(step);
      else if (schedule->isFinished(step))
        journal->assumed(step);
    }
    if (!isThis)
      continue;
    state->apply(*done);
    if (isCollecting())
      continue;
    for (const auto &[step, started] : done->inFlight) {
      schedule->assumeStarted(step);
      progress->inFlight(started.name);
      stopLeftovers(step, started.name);
    }
  }
  return true;
}

std::unique_ptr<Progress> PlanRun::makeProgress() {
  if (isCollecting())
    return makeServiceEvents(out);
  if (options.progress == ProgressKind::JSON)
    return makeJSONEvents(out);
  if (options.progress == ProgressKind::People && err.is_displayed())
    return makeBar(err);
  return makeLines(out);
}

int PlanRun::executeSteps() {
  std::error_code error;
  Trace trace(options.trace, error);
  if (error) {
    diags.report({}, diag::CannotWriteFile, options.trace, error.message());
    record.status = "stopped";
    llvm::consumeError(store->endRun(record));
    return ExitFile;
  }
  progress = makeProgress();
  events = std::make_unique<StoredEvents>(*store, record);
  journal = std::make_unique<RunJournal>(*events, secrets);
  if (!applyEarlier())
    return code;
  schedule->begin();
  progress->begin({options.plan, deployment, record.workflow, record.id,
                   schedule->numToRun(), schedule->numCalls()});
  Results results(options.results, plan->digest());
  ExecutionResult result =
      execute({options, *plan, *state, *schedule, *journal, artifacts, folder,
               secrets, *progress, trace, isCollecting() ? &results : nullptr,
               /*wanted=*/nullptr, failedBefore});
  for (uint32_t step : failedBefore)
    if (llvm::Expected<std::string> name = plan->stepName(step))
      result.failed.push_back(*name);
  return finishRun(result);
}

std::string PlanRun::statusOf(const ExecutionResult &result) const {
  // Elsewhere others may go on.
  if (!result.failed.empty() && (!isCollecting() || options.isLastCollection))
    return "failed";
  return schedule->numFinished() == schedule->numToRun() ? "done" : "stopped";
}

int PlanRun::finishRun(const ExecutionResult &result) {
  record.status = statusOf(result);
  record.stepsDone += schedule->numFinished();
  if (record.status == "done")
    record.outputs = evaluateOutputs();
  size_t numDone = schedule->numFinished();
  size_t numSteps = plan->numSteps();
  size_t numLeft = schedule->numToRun() - numDone;
  std::string problem = result.storeProblem;
  llvm::Error error = journal->commit();
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
  progress->end(result.seconds, record.status, numDone);
  if (isCollecting())
    out << numSteps - numLeft << " of " << numSteps << " steps are done\n";
  if (!problem.empty() && isCollecting() && !store->isGone()) {
    diags.report({}, diag::BrokenResults, options.results, problem);
    return ExitFile;
  }
  if (!problem.empty()) {
    diags.report({}, diag::BrokenStore, options.store, problem);
    rescueStore();
    return ExitFile;
  }
  removeFolders();
  for (const std::string &name : result.failed)
    diags.report({}, diag::StepFailed, name);
  if (isCollecting() && result.failed.empty())
    return options.isLastCollection && numLeft > 0 ? ExitStopped : ExitDone;
  if (isCollecting())
    return ExitFailed;
  if (record.status == "failed") {
    if (options.onFailure != OnFailure::Rollback)
      return ExitFailed;
    rollBack(*plan, options, deployment, *store, *state, before, out, err,
             diags);
    return ExitFailed;
  }
  return record.status == "done" ? ExitDone : ExitStopped;
}

/// The outputs of the service, as JSON.
std::string PlanRun::evaluateOutputs() {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  ValueArena arena;
  JSONReader reader(arena, state->names);
  llvm::Expected<Value> map = reader.value(plan->header().outputs);
  if (!map) {
    llvm::consumeError(map.takeError());
    return "{}";
  }
  writeJSON(json, state->evaluated(*map, arena));
  return secrets.hidden(text);
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
void PlanRun::removeFolders() {
  fs::remove_directories(options.workFolder + "/unpacked-" + record.planDigest);
  fs::remove_directories(folder.path + "/slots");
  for (const std::string &each :
       {folder.path + "/logs", folder.path, options.workFolder})
    rmdir(each.c_str());
}
