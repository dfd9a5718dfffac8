//===- RunStep.cpp - One step of a plan that another engine drives --------===//
///
/// \file
/// Such a step finds the state by replaying what all others have left, runs,
/// and leaves its own result. Its failure steps, which an engine may know
/// nothing of, run in the same process.
///
//===----------------------------------------------------------------------===//

#include "Execute/Execute.h"
#include "Order/SelectSteps.h"
#include "Steps/CheckSteps.h"
#include "Steps/OpenPlan.h"
#include "Steps/RunFolderName.h"
#include "Steps/RunInputs.h"
#include "toscac/Basic/Counted.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/PrivateFile.h"
#include "toscac/Run/ExitCode.h"
#include "llvm/Support/FileSystem.h"
#include <fcntl.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// For what has happened already.
class NoEvents : public EventSink {
  llvm::Error add(StringRef) override { return llvm::Error::success(); }
};

/// One call of runStep().
class StepRun {
public:
  StepRun(const RunOptions &given, StringRef path, llvm::raw_fd_ostream &out,
          DiagnosticEngine &diags)
      : options(given), base(path), out(out), diags(diags) {
    options.plan = base + "/plan.json";
    options.onFailure = OnFailure::Continue;
  }

  int run(StringRef name);

private:
  /// Each returns false after a report, with `code` set.
  bool open(StringRef name);
  bool takeTurn();
  bool replay(const llvm::BitVector &wanted);
  bool isReady();
  bool prepare();
  bool enter();
  bool isAlone();

  void stopLeftovers();
  bool execute(Schedule &todo, Progress &progress, EventSink &sink,
               const Results *results, const llvm::BitVector *wanted = nullptr);
  int runSteps();
  bool runFailureSteps(ResultEvents &events);
  void removeFolders();
  bool fail(int exitCode) {
    code = exitCode;
    return false;
  }

  RunOptions options;
  std::string base;
  llvm::raw_fd_ostream &out;
  DiagnosticEngine &diags;
  int code = ExitDone;
  std::unique_ptr<planfile::PlanFile> plan;
  uint32_t step = planfile::none;
  std::string name;
  /// The step, with all that it waits for.
  llvm::BitVector before;
  std::unique_ptr<Results> results;
  std::unique_ptr<Schedule> past;
  std::unique_ptr<LiveState> state;
  Secrets secrets;
  std::vector<Runnable> artifacts;
  RunFolder folder;
  ExecutionResult outcome;
};

} // namespace

int run::runStep(const RunOptions &options, StringRef folder, StringRef name,
                 llvm::raw_fd_ostream &out, DiagnosticEngine &diags) {
  return StepRun(options, folder, out, diags).run(name);
}

int run::collectResults(RunOptions options, StringRef folder,
                        llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err,
                        DiagnosticEngine &diags) {
  options.plan = (folder + "/plan.json").str();
  options.results = (folder + "/results").str();
  options.resume = true;
  return runPlan(options, out, err, diags);
}

int StepRun::run(StringRef wanted) {
  // It may read what steps before it wrote, and nothing else.
  bool isToRun =
      open(wanted) && takeTurn() && replay(before) && isReady() && prepare();
  if (!isToRun)
    return code;
  if (enter())
    return runSteps();
  removeFolders();
  return code;
}

bool StepRun::open(StringRef wanted) {
  plan = openPlan(options, diags);
  if (!plan)
    return fail(codeForNoPlan(diags));
  std::optional<uint32_t> found = findStep(*plan, wanted, diags);
  if (!found)
    return fail(ExitUsage);
  step = *found;
  llvm::Expected<std::string> written = plan->stepName(step);
  if (!written) {
    diags.report({}, diag::CannotReadFile, options.plan,
                 llvm::toString(written.takeError()));
    return fail(ExitFile);
  }
  name = *written;
  results = std::make_unique<Results>(base + "/results", plan->digest());
  before.resize(plan->steps().size());
  before.set(step);
  for (uint32_t id = step + 1; id-- > 0;)
    if (before.test(id))
      for (uint32_t dep : plan->deps(id))
        before.set(dep);
  return true;
}

/// An engine may start a step twice. The second waits until the first, which
/// may run anywhere, has ended, and finds its result.
bool StepRun::takeTurn() {
  std::string path = base + "/results/" + std::to_string(step) + ".lock";
  if (std::error_code error = fs::create_directories(base + "/results")) {
    diags.report({}, diag::CannotWriteFile, base + "/results", error.message());
    return fail(ExitFile);
  }
  // It is unlocked when this process ends, however that may be.
  int file =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (file >= 0 && fcntl(file, F_OFD_SETLKW, &lock) == 0)
    return true;
  diags.report({}, diag::CannotWriteFile, path,
               std::generic_category().message(errno));
  return fail(ExitFile);
}

bool StepRun::execute(Schedule &todo, Progress &progress, EventSink &sink,
                      const Results *taken, const llvm::BitVector *wanted) {
  std::error_code error;
  Trace trace("", error);
  RunJournal journal(sink);
  outcome = run::execute({.options = options,
                          .plan = *plan,
                          .state = *state,
                          .schedule = todo,
                          .journal = journal,
                          .artifacts = artifacts,
                          .folder = folder,
                          .secrets = secrets,
                          .progress = progress,
                          .trace = trace,
                          .results = taken,
                          .wanted = wanted});
  if (outcome.storeProblem.empty())
    if (llvm::Error left = journal.commit())
      outcome.storeProblem = llvm::toString(std::move(left));
  if (outcome.storeProblem.empty())
    return true;
  diags.report({}, diag::BrokenResults, base + "/results",
               outcome.storeProblem);
  return fail(ExitFile);
}

/// Makes the state what the steps of \p wanted have made it that are over.
bool StepRun::replay(const llvm::BitVector &wanted) {
  state = std::make_unique<LiveState>(*plan, nullptr, secrets);
  secrets.setKeySource(options, base + "/secret.key");
  if (!takeInputs(options, *plan, *state, Value(), diags))
    return fail(ExitRefused);
  past = std::make_unique<Schedule>(*plan);
  past->begin();
  NoEvents nowhere;
  return execute(*past, *makeSilence(), nowhere, results.get(), &wanted);
}

/// Whether the step may run; one that is over is not run again.
bool StepRun::isReady() {
  if (past->isFinished(step)) {
    out << name << " is done already\n";
    return fail(ExitDone);
  }
  if (llvm::is_contained(outcome.failed, name)) {
    diags.report({}, diag::StepFailed, name);
    return fail(ExitFailed);
  }
  // The first that is missing waits for nothing else.
  for (uint32_t id : before.set_bits()) {
    if (id == step || past->isFinished(id))
      continue;
    llvm::Expected<std::string> missing = plan->stepName(id);
    diags.report({}, diag::StepNotReady, name,
                 missing ? *missing : llvm::toString(missing.takeError()));
    return fail(ExitRefused);
  }
  return true;
}

/// Whether no step that this one excludes has begun and not succeeded.
bool StepRun::isAlone() {
  for (const planfile::Exclusion &each : plan->exclusions()) {
    if (each.later != step && each.earlier != step)
      continue;
    uint32_t other = each.later == step ? each.earlier : each.later;
    ValueArena arena;
    JSONReader reader(arena, state->names);
    llvm::Expected<std::optional<state::Outcome>> outcome =
        results->outcome(other, reader, arena);
    if (!outcome) {
      diags.report({}, diag::BrokenResults, base + "/results",
                   llvm::toString(outcome.takeError()));
      return fail(ExitFile);
    }
    if (*outcome ? **outcome != state::Outcome::Failed
                 : !results->isBegun(other))
      continue;
    llvm::Expected<std::string> written = plan->stepName(other);
    diags.report({}, diag::StepExcluded, name,
                 written ? *written : llvm::toString(written.takeError()));
    return fail(ExitRefused);
  }
  return true;
}

/// Two that exclude each other and are started at the same instant must not
/// both find that the other has not begun.
bool StepRun::enter() {
  auto isOfStep = [&](const planfile::Exclusion &each) {
    return each.later == step || each.earlier == step;
  };
  if (llvm::none_of(plan->exclusions(), isOfStep))
    return true;
  llvm::Expected<bool> isBegun =
      results->beginIf(step, [&] { return isAlone(); });
  if (isBegun)
    return *isBegun;
  diags.report({}, diag::BrokenResults, base + "/results",
               llvm::toString(isBegun.takeError()));
  return fail(ExitFile);
}

bool StepRun::prepare() {
  llvm::SmallString<128> real;
  fs::real_path(base, real);
  base = real.str().str();
  folder.path = base + "/work/" + std::to_string(step);
  folder.deployment = options.deployment.empty() ? plan->header().deployment
                                                 : options.deployment;
  folder.runName = runNameOf(base);
  folder.hasSecrets = !secrets.empty() || plan->header().sensitive != "{}";
  if (plan->runsElsewhere())
    folder.connections =
        std::make_shared<Connections>(options, artifactRoot(*plan, options));
  size_t errorsBefore = diags.numErrors();
  artifacts =
      prepareArtifacts(*plan, options, folder.path + "/unpacked", diags);
  if (diags.numErrors() > errorsBefore ||
      !checkSteps(*plan, *state, options.plan, diags))
    return fail(ExitRefused);
  for (const std::string &each :
       {base + "/work", folder.path, folder.path + "/slots",
        folder.path + "/logs"})
    if (llvm::Error error = makePrivateFolder(each)) {
      diags.report({}, diag::CannotWriteFile, each,
                   llvm::toString(std::move(error)));
      return fail(ExitFile);
    }
  stopLeftovers();
  return true;
}

/// Of an attempt whose process is no more.
void StepRun::stopLeftovers() {
  if (!results->isBegun(step))
    return;
  std::string mark = "TOSCA_RUN=" + folder.runName + "/" + std::to_string(step);
  if (size_t count = stopProcessesWith(mark, options.grace))
    diags.report({}, diag::LeftoverProcesses, name,
                 counted(count, "process", "processes"));
}

int StepRun::runSteps() {
  Schedule own(*plan);
  for (uint32_t id = 0; id < plan->steps().size(); ++id)
    if (id != step)
      own.assumeDone(id);
  own.begin();
  ResultEvents events(*results, step);
  bool isRecorded = execute(own, *makeLines(out), events, nullptr);
  bool hasFailed = !outcome.failed.empty();
  // One that was stopped is not over.
  if (isRecorded && (hasFailed || own.isFinished(step))) {
    if (llvm::Error error = events.finish()) {
      diags.report({}, diag::BrokenResults, base + "/results",
                   llvm::toString(std::move(error)));
      isRecorded = fail(ExitFile);
    }
    if (hasFailed) {
      diags.report({}, diag::StepFailed, name);
      isRecorded = isRecorded && runFailureSteps(events);
    }
  }
  removeFolders();
  if (!isRecorded)
    return code;
  if (hasFailed)
    return ExitFailed;
  return own.isFinished(step) ? ExitDone : ExitStopped;
}

/// What other steps did meanwhile may matter to them.
bool StepRun::runFailureSteps(ResultEvents &events) {
  Schedule rest(*plan);
  bool hasAny = false;
  for (uint32_t id = 0; id < plan->steps().size(); ++id) {
    bool isForThis = plan->steps()[id].afterFailure == step;
    hasAny |= isForThis;
    if (!isForThis)
      rest.assumeDone(id);
  }
  if (!hasAny)
    return true;
  if (!replay(llvm::BitVector(plan->steps().size(), true)))
    return false;
  rest.begin();
  rest.fail(step);
  if (!execute(rest, *makeLines(out), events, nullptr))
    return false;
  llvm::Error error = events.finish();
  if (!error)
    return true;
  diags.report({}, diag::BrokenResults, base + "/results",
               llvm::toString(std::move(error)));
  return fail(ExitFile);
}

void StepRun::removeFolders() {
  fs::remove_directories(folder.path + "/unpacked");
  fs::remove_directories(folder.path + "/slots");
  for (const std::string &each :
       {folder.path + "/logs", folder.path, base + "/work"})
    rmdir(each.c_str());
}
