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

#include "Execute.h"

#include "FormatTime.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::Step;
using planfile::StepHead;
using planfile::StepKind;

/// Exit code of a script that wants to be tried again later (EX_TEMPFAIL).
static constexpr int exitLater = 75;
static constexpr double longestDelay = 60;

namespace {

/// A call from its start to its end, with all attempts.
struct Call {
  Step step;
  /// Has what step refers to.
  std::unique_ptr<ValueArena> arena = std::make_unique<ValueArena>();
  Value failure;
  double begun = 0;
  unsigned row = 0;
  size_t handler = 0;
  StepFiles files;
  std::vector<OutputWrite> writes;
  pid_t process = 0;
  /// When something has to be done about it; infinite: never.
  double due = HUGE_VAL;
  /// Why its process was told to end.
  std::string ended;
  bool isTold = false;
  unsigned retries = 0;
  unsigned laters = 0;
};

class Executor {
public:
  explicit Executor(const Execution &execution)
      : execution(execution), plan(execution.plan), state(execution.state),
        schedule(execution.schedule), journal(execution.journal),
        progress(execution.progress), options(execution.options) {}

  ExecutionResult run();

private:
  void runInstants();
  void runInstant(uint32_t id);
  void runLate(uint32_t id);
  void chooseCalls();
  void beginCall(uint32_t id);
  void commit();
  void spawnChosen();
  void spawnHandler(std::unique_ptr<Call> call);
  void holdBack(std::unique_ptr<Call> call, const std::string &reason);
  void handlerEnded(std::unique_ptr<Call> call, const Ending &ending);
  bool takeOutputs(Call &call);
  void finishCall(std::unique_ptr<Call> call);
  void failOrRetry(std::unique_ptr<Call> call, const std::string &reason,
                   bool isLater);
  void failCall(std::unique_ptr<Call> call, const std::string &reason);
  void failBeforeStart(const Step &step, const std::string &reason);
  void stepFailed(const Step &step, const std::string &reason,
                  const Value &cells, StringRef log);
  void skip(uint32_t id, StringRef name);
  std::optional<bool> guardHolds(const Step &step, ValueArena &arena,
                                 std::string &problem);
  Value cells(const Expr *expr, ValueArena &arena);
  void whenDue(Call &call);
  void tell(Call &call, int signal);
  void handle(const Wakeup &wakeup);
  void interrupt(bool atOnce);
  void setTimer(Call &call, double due);
  void clearTimer(Call &call);
  void runTimers();
  double timeToWait() const;
  void showProgress();
  bool mayStart() const { return !isStopping && problem.empty(); }
  bool isIdle() const {
    return running.empty() && chosen.empty() && delayed.empty();
  }
  double now() const {
    using namespace std::chrono;
    return duration<double>(steady_clock::now() - origin).count();
  }

  const Execution &execution;
  planfile::PlanFile &plan;
  LiveState &state;
  Schedule &schedule;
  RunJournal &journal;
  Progress &progress;
  const RunOptions &options;
  SignalWait signals;
  Slots slots{execution.folder, execution.secrets};
  JSONReader reader{execution.state.arena, execution.state.names};

  std::vector<std::unique_ptr<Call>> chosen;
  llvm::DenseMap<pid_t, std::unique_ptr<Call>> running;
  /// Those that wait to be tried again.
  std::set<std::unique_ptr<Call>> delayed;
  std::set<std::pair<double, Call *>> timers;
  /// The system could not start more than this at once.
  size_t limit = SIZE_MAX;

  bool isStopping = false;
  bool isStoppingAtOnce = false;
  bool hasFailed = false;
  std::string problem;
  ExecutionResult result;
  double shown = 0;
  /// Calls that were done, and how long they took.
  size_t callsDone = 0;
  double callSeconds = 0;
  std::minstd_rand random{static_cast<unsigned>(getpid())};
  const std::chrono::steady_clock::time_point origin =
      std::chrono::steady_clock::now();
};

} // namespace

ExecutionResult Executor::run() {
  while (true) {
    runInstants();
    chooseCalls();
    commit();
    spawnChosen();
    if (isIdle() && (!mayStart() || !schedule.hasCalls()))
      break;
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
    if (progress.wantsSets())
      if (llvm::Expected<std::string> name = plan.stepName(id))
        progress.set(now(), *name);
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
  Evaluation result = evaluate(*expr, state, arena);
  return result.isKnown() ? result.value() : Value();
}

// Calls.

void Executor::chooseCalls() {
  size_t most = options.jobs ? options.jobs : SIZE_MAX;
  most = std::min(most, limit);
  while (mayStart() && running.size() + chosen.size() < most) {
    std::optional<uint32_t> id = schedule.takeCall();
    if (!id)
      return;
    beginCall(*id);
    // One that was skipped may have freed others.
    runInstants();
  }
}

void Executor::beginCall(uint32_t id) {
  auto call = std::make_unique<Call>();
  reader.useArena(*call->arena);
  llvm::Expected<Step> step = plan.step(id, reader, *call->arena);
  if (!step) {
    problem = llvm::toString(step.takeError());
    return;
  }
  std::string wrong;
  std::optional<bool> holds = guardHolds(*step, *call->arena, wrong);
  if (!holds)
    return failBeforeStart(*step, wrong);
  if (!*holds)
    return skip(id, step->name);
  call->step = std::move(*step);
  Value entry = cells(call->step.entry, *call->arena);
  call->failure = cells(call->step.failure, *call->arena);
  if (entry.isMap() && call->step.entity != none)
    state.writeCells(call->step.entity, call->step.interface, entry);
  journal.started(call->step, entry, call->failure);
  call->begun = now();
  call->row = execution.trace.begin();
  progress.started(call->begun, call->step.name);
  chosen.push_back(std::move(call));
}

/// Makes events durable. Where that fails nothing new is started; what runs
/// ends, and the events are kept for another try.
void Executor::commit() {
  bool isGone = execution.store.isGone();
  if (isGone && problem.empty())
    problem = "it was deleted or replaced while the plan was running";
  llvm::Error error = journal.commit();
  if (!error)
    return;
  std::string text = llvm::toString(std::move(error));
  if (problem.empty())
    problem = text;
}

void Executor::spawnChosen() {
  std::vector<std::unique_ptr<Call>> calls = std::move(chosen);
  chosen.clear();
  // What was chosen when the store broke is not recorded, hence not started.
  if (!problem.empty())
    return;
  for (std::unique_ptr<Call> &call : calls)
    spawnHandler(std::move(call));
}

/// Starts the handler that is next, or ends the call if there is none.
void Executor::spawnHandler(std::unique_ptr<Call> call) {
  const Step &step = call->step;
  while (call->handler < step.handlers.size()) {
    const planfile::StepHandler &handler = step.handlers[call->handler];
    if (handler.artifact != none &&
        !execution.artifacts[handler.artifact].command.empty())
      break;
    ++call->handler;
  }
  if (call->handler == step.handlers.size())
    return finishCall(std::move(call));
  const planfile::StepHandler &handler = step.handlers[call->handler];
  llvm::Expected<StepFiles> files = slots.open(call->row);
  if (!files) {
    bool isShort = errno == EMFILE || errno == ENFILE;
    std::string reason = llvm::toString(files.takeError());
    return isShort ? holdBack(std::move(call), reason)
                   : failCall(std::move(call), reason);
  }
  call->files = std::move(*files);
  llvm::Expected<Command> command = makeCommand(
      step, handler, execution.artifacts, execution.folder, call->files, state);
  if (!command)
    return failCall(std::move(call), llvm::toString(command.takeError()));
  llvm::ErrorOr<pid_t> process = spawn(*command);
  slots.started(call->files);
  if (!process) {
    std::string reason = "cannot start '" + command->program +
                         "': " + process.getError().message();
    bool isShort =
        process.getError() == std::errc::resource_unavailable_try_again ||
        process.getError() == std::errc::not_enough_memory;
    if (isShort)
      return holdBack(std::move(call), reason);
    return failCall(std::move(call), reason);
  }
  call->process = *process;
  if (step.timeout > 0 && call->due == HUGE_VAL)
    setTimer(*call, now() + step.timeout);
  running[*process] = std::move(call);
}

/// The system has no room for more. Where others run, one of them will make
/// some.
void Executor::holdBack(std::unique_ptr<Call> call, const std::string &reason) {
  if (running.empty())
    return failCall(std::move(call), reason);
  limit = running.size();
  chosen.push_back(std::move(call));
}

static std::string describeEnding(const Ending &ending) {
  if (ending.code)
    return "exit code " + std::to_string(*ending.code);
  return llvm::formatv("ended by signal {0} ({1})", ending.signal,
                       strsignal(ending.signal));
}

void Executor::handlerEnded(std::unique_ptr<Call> call, const Ending &ending) {
  if (!call->ended.empty()) {
    // Others of its group may have ignored what they were told.
    signalGroup(call->process, SIGKILL);
    if (isStoppingAtOnce && call->ended == "stopped") {
      clearTimer(*call);
      execution.trace.end(call->row, call->step.name, call->begun, now(),
                          "stopped");
      return;
    }
    return failOrRetry(std::move(call), std::string(call->ended),
                       /*isLater=*/false);
  }
  if (ending.code == exitLater)
    return failOrRetry(std::move(call), "exit code 75: try again later",
                       /*isLater=*/true);
  if (ending.code != 0)
    return failOrRetry(std::move(call), describeEnding(ending),
                       /*isLater=*/false);
  llvm::Expected<std::vector<OutputWrite>> outputs =
      readOutputs(call->step, call->step.handlers[call->handler], call->files,
                  state, *call->arena);
  if (!outputs)
    return failOrRetry(std::move(call), llvm::toString(outputs.takeError()),
                       /*isLater=*/false);
  llvm::append_range(call->writes, *outputs);
  // The next handler writes its own.
  if (call->handler + 1 < call->step.handlers.size())
    unlink(call->files.outputs.c_str());
  ++call->handler;
  spawnHandler(std::move(call));
}

/// Makes what the handlers gave visible. False, after a failure, where an
/// output cannot go where it should.
bool Executor::takeOutputs(Call &call) {
  for (const OutputWrite &write : call.writes)
    if (write.entity >= plan.numEntities() ||
        !state.writeAttribute(write.entity, write.path, write.value))
      return false;
  return true;
}

void Executor::finishCall(std::unique_ptr<Call> call) {
  clearTimer(*call);
  if (!takeOutputs(*call))
    return failCall(std::move(call),
                    "an output leads into an attribute that has no parts");
  const Step &step = call->step;
  Value written = cells(step.success, *call->arena);
  if (written.isMap() && step.entity != none)
    state.writeCells(step.entity, step.interface, written);
  std::vector<state::AttributeWrite> attributes;
  for (const OutputWrite &write : call->writes)
    attributes.push_back({write.entity, write.path, write.value});
  journal.done(step, written, attributes);
  slots.close(call->files, step.id, step.name, /*hasFailed=*/false,
              call->process);
  double time = now();
  ++callsDone;
  callSeconds += time - call->begun;
  progress.done(time, step.name, time - call->begun);
  execution.trace.end(call->row, step.name, call->begun, time, "done");
  schedule.finish(step.id);
}

void Executor::failOrRetry(std::unique_ptr<Call> call,
                           const std::string &reason, bool isLater) {
  unsigned &tries = isLater ? call->laters : call->retries;
  unsigned most = isLater ? options.maxLater : call->step.retries;
  if (tries >= most || isStopping || !problem.empty())
    return failCall(std::move(call), reason);
  double delay = std::min(
      longestDelay, options.retryDelay * std::ldexp(1, std::min(tries, 20u)));
  delay *= std::uniform_real_distribution<>(0.5, 1.0)(random);
  ++tries;
  progress.retrying(now(), call->step.name, reason, delay);
  call->handler = 0;
  call->writes.clear();
  call->ended.clear();
  call->isTold = false;
  call->process = 0;
  setTimer(*call, now() + delay);
  delayed.insert(std::move(call));
}

void Executor::failCall(std::unique_ptr<Call> call, const std::string &reason) {
  clearTimer(*call);
  std::string log = slots.close(call->files, call->step.id, call->step.name,
                                /*hasFailed=*/true, call->process);
  execution.trace.end(call->row, call->step.name, call->begun, now(), "failed");
  stepFailed(call->step, reason, call->failure, log);
}

void Executor::failBeforeStart(const Step &step, const std::string &reason) {
  ValueArena arena;
  stepFailed(step, reason, cells(step.failure, arena), "");
}

void Executor::stepFailed(const Step &step, const std::string &reason,
                          const Value &written, StringRef log) {
  if (written.isMap() && step.entity != none)
    state.writeCells(step.entity, step.interface, written);
  std::string shown = execution.secrets.hidden(reason);
  journal.failed(step, shown, written);
  progress.failed(now(), {step.name, shown, log.str(),
                          execution.secrets.hidden(logTail(log))});
  result.failed.push_back(step.name);
  hasFailed = true;
  schedule.fail(step.id);
}

// Time and signals.

void Executor::setTimer(Call &call, double due) {
  clearTimer(call);
  call.due = due;
  timers.insert({due, &call});
}

void Executor::clearTimer(Call &call) {
  timers.erase({call.due, &call});
  call.due = HUGE_VAL;
}

void Executor::runTimers() {
  while (!timers.empty() && timers.begin()->first <= now()) {
    Call &call = *timers.begin()->second;
    clearTimer(call);
    whenDue(call);
  }
}

/// It has run too long, has been told to end in vain, or may be tried again.
void Executor::whenDue(Call &call) {
  if (call.process) {
    if (call.isTold)
      return signalGroup(call.process, SIGKILL);
    call.ended = "timed out after " + formatSeconds(call.step.timeout) + " s";
    return tell(call, SIGTERM);
  }
  auto found = llvm::find_if(delayed, [&](const std::unique_ptr<Call> &each) {
    return each.get() == &call;
  });
  std::unique_ptr<Call> again = std::move(delayed.extract(found).value());
  if (mayStart())
    chosen.push_back(std::move(again));
}

void Executor::tell(Call &call, int signal) {
  signalGroup(call.process, signal);
  call.isTold = true;
  setTimer(call, now() + options.grace);
}

void Executor::handle(const Wakeup &wakeup) {
  if (wakeup.interrupt || wakeup.terminate)
    interrupt(wakeup.terminate || isStopping);
  for (const Ending &ending : wakeup.endings) {
    auto found = running.find(ending.process);
    if (found == running.end())
      continue;
    std::unique_ptr<Call> call = std::move(found->second);
    running.erase(found);
    handlerEnded(std::move(call), ending);
  }
  if (running.empty())
    limit = SIZE_MAX;
}

/// Nothing new is started; \p atOnce: what runs is told to end. What waits to
/// be tried again stays in flight, for --resume.
void Executor::interrupt(bool atOnce) {
  if (isStoppingAtOnce)
    return;
  isStopping = true;
  isStoppingAtOnce = atOnce;
  progress.stopping(now(), atOnce);
  while (!delayed.empty()) {
    clearTimer(**delayed.begin());
    delayed.erase(delayed.begin());
  }
  if (!atOnce)
    return;
  for (auto &entry : running) {
    entry.second->ended = "stopped";
    tell(*entry.second, SIGTERM);
  }
}

double Executor::timeToWait() const {
  // Calls that were held back are tried again when one ends.
  double wait = progress.period();
  if (timers.empty())
    return wait;
  double next = std::max(0.0, timers.begin()->first - now());
  return wait < 0 ? next : std::min(wait, next);
}

void Executor::showProgress() {
  if (progress.period() < 0 || now() - shown < progress.period() / 2)
    return;
  shown = now();
  Snapshot snapshot{schedule.numFinished(), schedule.numToRun(), shown};
  if (callsDone)
    snapshot.left = schedule.callsLeft() * callSeconds / callsDone;
  for (auto &entry : running)
    snapshot.running.push_back(entry.second->step.name);
  llvm::sort(snapshot.running);
  progress.show(snapshot);
}

ExecutionResult run::execute(const Execution &execution) {
  return Executor(execution).run();
}
