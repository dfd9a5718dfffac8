//===- Run.cpp - Replaying a plan -----------------------------------------===//
///
/// \file
/// What stands around the steps: is this plan one for the present state, may we
/// run it, and what has an earlier run done.
///
//===----------------------------------------------------------------------===//

#include "toscac/Run/Run.h"

#include "PlanRun.h"
#include "Show/DryRun.h"
#include "Show/FormatTime.h"
#include "Steps/CheckSteps.h"
#include "Steps/OpenPlan.h"
#include "toscac/Basic/Counted.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/PrivateFile.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/WatchRun.h"
#include "toscac/State/FindStore.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/xxhash.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using state::RunRecord;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

int run::runPlan(const RunOptions &options, llvm::raw_fd_ostream &out,
                 llvm::raw_fd_ostream &err, DiagnosticEngine &diags) {
  return PlanRun(options, out, err, diags).run();
}

int PlanRun::run() {
  if (!openPlan())
    return code;
  if (options.dryRun)
    return dryRun(*plan, options, out, diags);
  // While the store is not open yet: SQLite's locks end with any file
  // descriptor of the process that is closed.
  if (progressOnTerminal() && !options.resume)
    showView();
  bool isReady = openStore() && takeLock() && findEarlierRun() && loadState() &&
                 checkState() && prepareState() && beginRun();
  if (isReady && startUi()) {
    code = executeSteps();
    writeReport();
  }
  ui.reset();
  if (hasLock)
    llvm::consumeError(store->unlock(deployment));
  return code;
}

bool PlanRun::storeFailed(llvm::Error error) {
  diags.report({}, diag::BrokenStore, state::shownStore(options.store),
               llvm::toString(std::move(error)));
  return fail(ExitFile);
}

bool PlanRun::openPlan() {
  plan = run::openPlan(options, diags);
  if (!plan)
    return fail(codeForNoPlan(diags));
  if (options.store.empty())
    options.store =
        state::storeBeside(options.plan, !plan->header().state.empty());
  takesAllDown = leavesNothing();
  schedule = std::make_unique<Schedule>(*plan);
  if (isRepair() && !selectSteps(*plan, options, *schedule, diags))
    return fail(ExitUsage);
  return true;
}

bool PlanRun::openStore() {
  deployment = options.deployment.empty() ? plan->header().deployment
                                          : options.deployment;
  llvm::SmallString<128> base(options.workFolder);
  if (base.empty()) {
    base = path::parent_path(state::isStoreUrl(options.store) ? options.plan
                                                              : options.store);
    path::append(base, ".tosca-run");
  }
  fs::make_absolute(base);
  options.workFolder = base.str().str();
  llvm::Expected<std::unique_ptr<state::Store>> opened = state::Store::open(
      options.store, state::Store::Access::Write, options.durability);
  if (!opened)
    return storeFailed(opened.takeError());
  store = std::move(*opened);
  // A run that begins again by mistake would do everything a second time.
  if (!options.resume || store->loss().empty())
    return true;
  diags.report({}, diag::StoreLost, state::shownStore(options.store),
               store->loss());
  return fail(ExitRefused);
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

static StringRef spelling(OnFailure what) {
  switch (what) {
  case OnFailure::Stop:
    return "stop";
  case OnFailure::Continue:
    return "continue";
  case OnFailure::Rollback:
    return "rollback";
  }
  llvm_unreachable("all are handled");
}

/// What was said when the run began holds for all of it.
void PlanRun::takeOnFailure(const RunRecord &last) {
  if (options.isOnFailureGiven)
    return;
  for (OnFailure each :
       {OnFailure::Stop, OnFailure::Continue, OnFailure::Rollback})
    if (last.onFailure == spelling(each))
      options.onFailure = each;
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
  // It may have died while it tidied up.
  if (!isOpen)
    removeFolders(last);
  if (options.resume && isSame) {
    if (last.status == "done") {
      out << "run " << last.id << " of this plan is complete\n";
      return fail(ExitDone);
    }
    if (last.status == "failed") {
      diags.report({}, diag::RunFailedBefore, last.id);
      return fail(ExitRefused);
    }
    isResumed = isOpen;
    record = last;
    if (!isOpen)
      return true;
    takeOnFailure(last);
    bool isSigned = !options.requiredKey.empty();
    if (isSigned && options.onFailure == OnFailure::Rollback) {
      diags.report({}, diag::WayBackNotSigned);
      return fail(ExitRefused);
    }
    return canSeeOrphans(last);
  }
  // A rollback that was interrupted, perhaps.
  if (isOpen && options.resume && !isCollecting()) {
    diags.report({}, diag::OtherRunInterrupted, last.id, last.plan);
    return fail(ExitRefused);
  }
  if (isOpen && isSame && !isRepair()) {
    diags.report({}, diag::RunInterrupted, last.id);
    return fail(ExitRefused);
  }
  if (!isOpen)
    return true;
  if (!canSeeOrphans(last) || !stopOrphans(last))
    return false;
  if (llvm::Error error = store->settle(deployment))
    return storeFailed(std::move(error));
  return true;
}

/// What a run had in flight that died elsewhere may still run there.
bool PlanRun::canSeeOrphans(const RunRecord &last) {
  const std::optional<state::Owner> &owner = store->diedBefore();
  if (!owner || owner->isNear() || last.status != "running" || isCollecting())
    return true;
  diags.report({}, diag::OrphansElsewhere, last.id, owner->host, deployment);
  return fail(ExitRefused);
}

/// Ends what steps have left that were in flight when their run ended: they
/// would change the world behind the back of the next plan.
bool PlanRun::stopOrphans(const RunRecord &last) {
  ValueArena arena;
  NameTable names;
  JSONReader reader(arena, names);
  llvm::Expected<state::Journal> journal =
      store->journal(last.id, reader, arena);
  if (!journal)
    return storeFailed(journal.takeError());
  for (const auto &[step, started] : journal->inFlight)
    stopLeftovers(last.id, step, started.name);
  fs::remove_directories(options.workFolder + "/" + std::to_string(last.id) +
                         "/slots");
  return true;
}

std::string PlanRun::runName(int64_t id) const {
  llvm::SmallString<128> realStore;
  if (fs::real_path(options.store, realStore))
    realStore = options.store;
  return llvm::utohexstr(llvm::xxh3_64bits(realStore)) + "-" +
         std::to_string(id);
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
    diags.report({}, diag::DeploymentExists, deployment,
                 counted(now->entities.size(), "entity", "entities"));
  else
    diags.report({}, diag::StateChanged, deployment);
  return fail(ExitRefused);
}

/// Steps that ran elsewhere have sealed with the key in \p file. It and that of
/// the store are the same, whichever was there first.
bool PlanRun::shareKey(const std::string &file) {
  if (!options.secretKeyFile.empty() || getenv("TOSCA_SECRET_KEY"))
    return true;
  std::string own = options.store + ".key";
  auto copy = [](const std::string &from, const std::string &to) {
    llvm::Expected<std::string> text = readPrivateFile(from);
    return text ? makePrivateFile(to, *text) : text.takeError();
  };
  llvm::Error error = llvm::Error::success();
  if (fs::exists(own) && !fs::exists(file))
    error = copy(own, file);
  else if (fs::exists(file) && !fs::exists(own))
    error = copy(file, own);
  if (!error)
    return true;
  diags.report({}, diag::NoSecretKey, llvm::toString(std::move(error)));
  return false;
}

bool PlanRun::prepareState() {
  size_t errorsBefore = diags.numErrors();
  const state::Deployment *now = before.find(deployment);
  state = std::make_unique<LiveState>(*plan, now, secrets);
  bool isShared = state::isStoreUrl(options.store);
  secrets.setKeySource(options, isShared ? "" : options.store + ".key");
  if (isCollecting() && !shareKey(resultsFolder() + "/secret.key"))
    return fail(ExitRefused);
  if (!takeInputs(options, *plan, *state, now ? now->inputs : Value(), diags))
    return fail(ExitRefused);
  if (!secrets.empty())
    if (llvm::Error error = secrets.prepareKey()) {
      diags.report({}, diag::NoSecretKey, llvm::toString(std::move(error)));
      return fail(ExitRefused);
    }
  std::string folder = resultsFolder();
  // What scripts use stays.
  std::string scratch =
      options.writesScripts
          ? folder + "/steps/unpacked"
          : options.workFolder + "/unpacked-" + plan->digest().str();
  if (options.writesScripts)
    fs::remove_directories(scratch);
  artifacts = prepareArtifacts(*plan, options, scratch, diags);
  if (diags.numErrors() > errorsBefore ||
      !checkSteps(*plan, *state, options.plan, diags))
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
    record.onFailure = spelling(options.onFailure).str();
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
  record.onFailure = spelling(options.onFailure).str();
  StringRef digest =
      header.inputs.empty() ? StringRef() : StringRef(header.inputs[0].second);
  llvm::Expected<std::string> inputs = state->keptInputs();
  if (!inputs)
    return storeFailed(inputs.takeError());
  if (llvm::Error error = store->beginRun(
          record, {header.service, digest.str(), *inputs, header.nextIndex,
                   header.counts, header.operations, header.shared}))
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
  folder.path = options.workFolder + "/" + std::to_string(record.id);
  folder.deployment = deployment;
  folder.runName = runName(record.id);
  folder.hasSecrets = !secrets.empty() || plan->header().sensitive != "{}";
  if (plan->runsElsewhere())
    folder.connections =
        std::make_shared<Connections>(options, artifactRoot(*plan, options));
  for (const std::string &each :
       {options.workFolder, folder.path, folder.path + "/slots",
        folder.path + "/logs"})
    if (llvm::Error error = makePrivateFolder(each)) {
      diags.report({}, diag::CannotWriteFile, each,
                   llvm::toString(std::move(error)));
      record.status = "stopped";
      llvm::consumeError(store->endRun(record));
      return fail(ExitFile);
    }
  return true;
}

/// Ends processes of a step that was in flight when its run died.
void PlanRun::stopLeftovers(int64_t run, uint32_t step, StringRef name) {
  std::string mark = "TOSCA_RUN=" + runName(run) + "/" + std::to_string(step);
  if (size_t count = stopProcessesWith(mark, options.grace))
    diags.report({}, diag::LeftoverProcesses, name,
                 counted(count, "process", "processes"));
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
    // Elsewhere its failure steps are part of its result.
    for (uint32_t step : failedBefore)
      isCollecting() ? schedule->assumeStarted(step)
                     : schedule->assumeFailed(step);
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
      stopLeftovers(record.id, step, started.name);
    }
  }
  return true;
}

std::unique_ptr<Progress> PlanRun::makeProgress() {
  if (isCollecting())
    return makeServiceEvents(out);
  if (options.progress == ProgressKind::JSON)
    return makeJSONEvents(out);
  if (progressOnTerminal())
    return makeBar(err);
  return makeLines(out);
}

bool PlanRun::startUi() {
  if (!options.serve)
    return true;
  auto started =
      UiProcess::start({"--state", options.store, "--deployment", deployment,
                        "--run", std::to_string(record.id), "--work",
                        options.workFolder, "--serve", *options.serve});
  if (started) {
    ui = std::move(*started);
    return true;
  }
  diags.report({}, diag::CannotServe, llvm::toString(started.takeError()));
  record.status = "stopped";
  llvm::consumeError(store->endRun(record));
  return fail(ExitFile);
}

/// Its way back, if there was one, is a run beside it.
void PlanRun::writeReport() {
  if (options.report.empty() || store->isGone())
    return;
  size_t before = diags.numErrors();
  auto watch = RunWatch::open(*store, deployment, record.id,
                              {options.workFolder, /*feed=*/""});
  llvm::Error error = watch ? llvm::Error::success() : watch.takeError();
  if (!error)
    writeFile(
        options.report,
        [&](llvm::raw_ostream &os) { error = (*watch)->writePage(os); }, diags);
  if (error)
    diags.report({}, diag::BrokenStore, state::shownStore(options.store),
                 llvm::toString(std::move(error)));
  if (diags.numErrors() > before && code == ExitDone)
    code = ExitFile;
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
  journal = std::make_unique<RunJournal>(*events);
  if (!applyEarlier())
    return code;
  schedule->begin();
  if (ui)
    progress->serving(ui->url());
  progress->begin({options.plan, deployment, record.workflow, record.id,
                   schedule->numToRun(), schedule->numCalls()});
  Results results(options.results, plan->digest());
  ExecutionResult result =
      execute({.options = options,
               .plan = *plan,
               .state = *state,
               .schedule = *schedule,
               .journal = *journal,
               .artifacts = artifacts,
               .folder = folder,
               .secrets = secrets,
               .progress = *progress,
               .trace = trace,
               .results = isCollecting() ? &results : nullptr,
               .failedBefore = failedBefore});
  for (uint32_t step : failedBefore)
    if (llvm::Expected<std::string> name = plan->stepName(step))
      result.failed.push_back(*name);
  return finishRun(result);
}
