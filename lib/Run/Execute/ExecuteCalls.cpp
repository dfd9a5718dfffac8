//===- ExecuteCalls.cpp - Steps that start processes ----------------------===//

#include "Executor.h"

#include "Steps/Exports.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::Step;

/// Exit code of a script that wants to be tried again later (EX_TEMPFAIL).
static constexpr int exitLater = 75;
static constexpr double longestDelay = 60;

void Executor::chooseCalls() {
  if (execution.results)
    return takeResults();
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
  bool isGone = journal.isGone();
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
  llvm::Expected<StepFiles> files = stepFolders.open(call->row);
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
  result.longInputs.insert(command->leftOut.begin(), command->leftOut.end());
  llvm::ErrorOr<pid_t> process = spawn(*command);
  stepFolders.started(call->files);
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
  std::string exports = takeExports(call->files);
  if (!call->ended.empty()) {
    // Others of its process group may have ignored the signal.
    signalGroup(call->process, SIGKILL);
    if (isStoppingAtOnce && call->ended == "stopped") {
      clearTimer(*call);
      execution.trace.end(call->row, call->step.name, call->begun, now(),
                          "stopped");
      stepFolders.close(call->files, call->step.id, call->step.name,
                        /*hasFailed=*/false, call->process);
      return;
    }
    std::string reason(call->ended);
    return failOrRetry(std::move(call), reason, /*isLater=*/false);
  }
  if (ending.code == exitLater)
    return failOrRetry(std::move(call), "exit code 75: try again later",
                       /*isLater=*/true);
  if (ending.code != 0)
    return failOrRetry(std::move(call), describeEnding(ending),
                       /*isLater=*/false);
  llvm::Expected<std::vector<OutputWrite>> outputs =
      readOutputs(call->step, call->step.handlers[call->handler], call->files,
                  exports, state, *call->arena);
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

/// Makes what the handlers gave visible. Says why, where an output cannot go
/// where it should.
std::string Executor::takeOutputs(Call &call) {
  for (OutputWrite &write : call.writes) {
    if (write.isCell)
      continue;
    // Values, never expressions; and nobody is to find a secret in them.
    llvm::Expected<Value> kept =
        state.secrets.kept(write.value, write.isSecret, *call.arena);
    if (!kept)
      return "an output cannot be sealed: " + llvm::toString(kept.takeError());
    write.value = *kept;
    if (write.entity >= plan.numEntities() ||
        !state.writeAttribute(write.entity, write.path, write.value))
      return "an output leads into an attribute that has no parts";
  }
  return "";
}

/// Notes where an output says another thing of a cell than was known.
void Executor::noteFound(const Step &step, const OutputWrite &write) {
  llvm::Expected<const state::PlannedEntity *> entity =
      state.entity(step.entity);
  if (!entity)
    return llvm::consumeError(entity.takeError());
  const Value &all = (*entity)->content.cells;
  const Value *own = all.isMap() ? all.find(step.interface) : nullptr;
  const Value *before =
      own && own->isMap() ? own->find(write.path.back()) : nullptr;
  if (before && *before == write.value)
    return;
  std::string text;
  llvm::raw_string_ostream(text)
      << (*entity)->content.name << '.' << step.interface << '.'
      << write.path.back().asString() << " is " << write.value;
  result.found.push_back(execution.secrets.hidden(text));
  // What is secret stands sealed, or not at all.
  if (result.found.back() == text)
    journal.found(step, (*entity)->content.name, write.path.back().asString(),
                  before ? *before : Value(), write.value);
}

void Executor::finishCall(std::unique_ptr<Call> call) {
  clearTimer(*call);
  if (std::string problem = takeOutputs(*call); !problem.empty())
    return failCall(std::move(call), problem);
  const Step &step = call->step;
  // Outputs are there when the step succeeds, which may set the same cells.
  Value written;
  for (const OutputWrite &write : call->writes)
    if (write.isCell) {
      noteFound(step, write);
      written = *state::withPart(written, write.path.back(), write.value,
                                 *call->arena);
    }
  if (written.isMap())
    state.writeCells(step.entity, step.interface, written);
  written =
      state::merge(written, cells(step.success, *call->arena), *call->arena);
  if (written.isMap() && step.entity != none)
    state.writeCells(step.entity, step.interface, written);
  std::vector<state::AttributeWrite> attributes;
  for (const OutputWrite &write : call->writes)
    if (!write.isCell)
      attributes.push_back({write.entity, write.path, write.value});
  journal.done(step, written, attributes);
  stepFolders.close(call->files, step.id, step.name, /*hasFailed=*/false,
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
  if (tries >= most || !problem.empty())
    return failCall(std::move(call), reason);
  // It is tried again when the run goes on.
  if (isStopping) {
    clearTimer(*call);
    stepFolders.close(call->files, call->step.id, call->step.name,
                      /*hasFailed=*/false, call->process);
    return execution.trace.end(call->row, call->step.name, call->begun, now(),
                               "stopped");
  }
  double delay = std::min(
      longestDelay, options.retryDelay * std::ldexp(1, std::min(tries, 20u)));
  delay *= std::uniform_real_distribution<>(0.5, 1.0)(random);
  ++tries;
  std::string shown = execution.secrets.hidden(reason);
  journal.retrying(call->step.id, shown, delay);
  progress.retrying(now(), call->step.name, shown, delay);
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
  std::string log =
      stepFolders.close(call->files, call->step.id, call->step.name,
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
  // The log has been filtered.
  progress.failed(now(), {step.name, shown, log.str(), logTail(log)});
  result.failed.push_back(step.name);
  hasFailed = true;
  schedule.fail(step.id);
}
