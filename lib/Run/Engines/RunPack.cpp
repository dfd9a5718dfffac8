//===- RunPack.cpp - Many steps that share an allocation ------------------===//
///
/// \file
/// Another engine has given a part of a plan room for several processes. Each
/// call of that part is a process of its own, started by a command such as
/// `srun tosca-run step`, as soon as all that it waits for has left a result.
/// Nothing is kept here: started again, it goes on where it ended.
///
//===----------------------------------------------------------------------===//

#include "Journal/Results.h"
#include "Order/Schedule.h"
#include "Steps/OpenPlan.h"
#include "Steps/Process.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/Run.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using state::Outcome;

/// A process that leaves no result was ended from outside, by the end of its
/// node perhaps.
static constexpr unsigned mostAttempts = 3;

namespace {

class PackRun {
public:
  PackRun(const RunOptions &options, const PackOptions &pack,
          llvm::raw_fd_ostream &out, DiagnosticEngine &diags)
      : options(options), pack(pack), out(out), diags(diags) {}

  int run();

private:
  bool open();
  bool choose();
  bool splitCommand();
  void startReady();
  void start(uint32_t step);
  void ended(uint32_t step);
  std::optional<Outcome> outcomeOf(uint32_t step);
  void giveUp(const std::string &reason);
  void handle(const Wakeup &wakeup);
  bool isOver() const { return running.empty() && later.empty(); }
  double now() const {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
  }
  double timeToWait() const;

  const RunOptions &options;
  const PackOptions &pack;
  llvm::raw_fd_ostream &out;
  DiagnosticEngine &diags;
  std::unique_ptr<planfile::PlanFile> plan;
  std::unique_ptr<Results> results;
  std::unique_ptr<Schedule> schedule;
  /// What belongs to it, with steps of others that are done.
  llvm::BitVector isOurs;
  std::vector<std::string> command;
  SignalWait signals;
  llvm::DenseMap<pid_t, uint32_t> running;
  llvm::DenseMap<uint32_t, unsigned> attempts;
  /// Steps to start again, and when.
  std::multimap<double, uint32_t> later;
  bool isStopping = false;
  int code = ExitDone;
};

} // namespace

int run::runPack(const RunOptions &options, const PackOptions &pack,
                 llvm::raw_fd_ostream &out, DiagnosticEngine &diags) {
  return PackRun(options, pack, out, diags).run();
}

bool PackRun::open() {
  RunOptions found = options;
  found.plan = pack.folder + "/plan.json";
  plan = openPlan(found, diags);
  if (!plan) {
    code = codeForNoPlan(diags);
    return false;
  }
  results = std::make_unique<Results>(pack.folder + "/results", plan->digest());
  schedule = std::make_unique<Schedule>(*plan);
  // By a process that is no more, or by another engine right now.
  for (const planfile::Exclusion &each : plan->exclusions())
    for (uint32_t step : {each.earlier, each.later})
      if (results->isBegun(step))
        schedule->assumeStarted(step);
  return true;
}

/// `3-7,9`; nothing means all.
bool PackRun::choose() {
  isOurs.resize(plan->numSteps(), pack.steps.empty());
  llvm::SmallVector<StringRef> ranges;
  StringRef(pack.steps).split(ranges, ',', -1, /*KeepEmpty=*/false);
  for (StringRef range : ranges) {
    auto [from, to] = range.split('-');
    uint32_t first, last;
    if (from.getAsInteger(10, first) ||
        (to.empty() ? from : to).getAsInteger(10, last) || first > last ||
        last >= plan->numSteps()) {
      diags.report({}, diag::UnknownStep, range);
      code = ExitUsage;
      return false;
    }
    isOurs.set(first, last + 1);
  }
  return true;
}

/// The words of the command; the first is a file.
bool PackRun::splitCommand() {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  std::string own = "tosca-run step '" + pack.folder + "' {step}";
  llvm::cl::TokenizeGNUCommandLine(pack.each.empty() ? own : pack.each, saver,
                                   words);
  command.assign(words.begin(), words.end());
  auto program = llvm::sys::findProgramByName(words.empty() ? "" : words[0]);
  if (!program) {
    diags.report({}, diag::CannotReadFile, words.empty() ? "" : words[0],
                 program.getError().message());
    code = ExitFile;
    return false;
  }
  command[0] = *program;
  return true;
}

int PackRun::run() {
  if (!open() || !choose() || !splitCommand())
    return code;
  schedule->begin();
  while (true) {
    startReady();
    if (isOver())
      break;
    out.flush();
    handle(signals.wait(timeToWait()));
  }
  // What waits for others is left to who comes next.
  auto isLeft = [&](uint32_t step) { return !schedule->isFinished(step); };
  bool isAllDone = llvm::none_of(isOurs.set_bits(), isLeft);
  return code == ExitDone && !isAllDone ? ExitStopped : code;
}

/// Starts what may start; what is done already, here or elsewhere, counts.
void PackRun::startReady() {
  size_t most = options.jobs ? options.jobs : SIZE_MAX;
  while (!isStopping && !later.empty() && later.begin()->first <= now() &&
         running.size() < most) {
    uint32_t step = later.begin()->second;
    later.erase(later.begin());
    start(step);
  }
  while (running.size() + later.size() < most) {
    while (std::optional<uint32_t> id = schedule->takeInstant())
      schedule->finish(*id);
    std::optional<uint32_t> id = schedule->takeCall();
    if (!id)
      return;
    std::optional<Outcome> outcome = outcomeOf(*id);
    if (outcome && *outcome != Outcome::Failed) {
      schedule->finish(*id);
    } else if (outcome) {
      schedule->failElsewhere(*id);
      if (isOurs.test(*id))
        code = ExitFailed;
    } else if (isOurs.test(*id) && !isStopping) {
      start(*id);
    } else if (!results->isBegun(*id)) {
      schedule->leave(*id);
    }
  }
}

/// What became of \p step, if it is over.
std::optional<Outcome> PackRun::outcomeOf(uint32_t step) {
  ValueArena arena;
  NameTable names;
  JSONReader reader(arena, names);
  llvm::Expected<std::optional<Outcome>> outcome =
      results->outcome(step, reader, arena);
  if (outcome)
    return *outcome;
  giveUp(llvm::toString(outcome.takeError()));
  return std::nullopt;
}

void PackRun::giveUp(const std::string &reason) {
  diags.report({}, diag::BrokenResults, pack.folder + "/results", reason);
  code = ExitFile;
  isStopping = true;
  later.clear();
}

void PackRun::start(uint32_t step) {
  Command each;
  each.program = command[0];
  for (StringRef word : llvm::ArrayRef(command).drop_front())
    each.arguments.push_back(word == "{step}" ? std::to_string(step)
                                              : word.str());
  each.folder = ".";
  each.output = STDOUT_FILENO;
  ++attempts[step];
  llvm::ErrorOr<pid_t> process = spawn(each);
  if (process)
    running[*process] = step;
  else
    ended(step);
}

/// A process is no more. Without a result it is tried again.
void PackRun::ended(uint32_t step) {
  std::optional<Outcome> outcome = outcomeOf(step);
  if (outcome == Outcome::Failed) {
    code = ExitFailed;
    schedule->failElsewhere(step);
  } else if (outcome) {
    schedule->finish(step);
  } else if (isStopping) {
    return;
  } else if (attempts[step] < mostAttempts) {
    later.emplace(now() + options.retryDelay * attempts[step], step);
  } else {
    llvm::Expected<std::string> name = plan->stepName(step);
    diags.report({}, diag::StepLeftNothing,
                 name ? *name : llvm::toString(name.takeError()), mostAttempts);
    code = ExitFailed;
    schedule->failElsewhere(step);
  }
}

void PackRun::handle(const Wakeup &wakeup) {
  bool atOnce = wakeup.terminate || (wakeup.interrupt && isStopping);
  if (wakeup.interrupt || wakeup.terminate) {
    isStopping = true;
    later.clear();
  }
  if (atOnce)
    for (const auto &each : running)
      signalGroup(each.first, SIGTERM);
  for (const Ending &ending : wakeup.endings) {
    auto found = running.find(ending.process);
    if (found == running.end())
      continue;
    uint32_t step = found->second;
    running.erase(found);
    ended(step);
  }
}

double PackRun::timeToWait() const {
  return later.empty() ? -1 : std::max(0.0, later.begin()->first - now());
}
