//===- Rollback.cpp - Undoing a failed run --------------------------------===//

#include "Rollback.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/PrivateFile.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/Sealed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace sys = llvm::sys;

namespace {

/// What the plan did to the deployment: instances it added, and others that it
/// worked on.
struct Damage {
  std::vector<std::string> added;
  std::vector<std::string> changed;
};

} // namespace

static llvm::Expected<Damage> assess(planfile::PlanFile &plan,
                                     StringRef deployment, LiveState &state,
                                     const state::State &before) {
  llvm::StringSet<> known;
  if (const state::Deployment *old = before.find(deployment))
    for (const state::Entity &entity : old->entities)
      known.insert(entity.name);
  llvm::BitVector worked(plan.numEntities());
  for (const planfile::StepHead &head : plan.steps())
    if (head.entity != planfile::none)
      worked.set(head.entity);
  Damage result;
  for (uint32_t id = 0; id < plan.numEntities(); ++id) {
    llvm::Expected<const state::PlannedEntity *> entity = state.entity(id);
    if (!entity)
      return entity.takeError();
    const state::Entity &content = (*entity)->content;
    if (!known.contains(content.name)) {
      if (content.kind == state::EntityKind::Node)
        result.added.push_back(content.name.str());
    } else if (worked.test(id)) {
      result.changed.push_back(content.name.str());
    }
  }
  return result;
}

static std::string findCompiler(const RunOptions &options) {
  if (!options.compiler.empty())
    return options.compiler;
  llvm::SmallString<128> beside(sys::fs::getMainExecutable(nullptr, nullptr));
  sys::path::remove_filename(beside);
  sys::path::append(beside, "toscac");
  return beside.str().str();
}

/// What the plan was compiled from: its template, or the archive with it.
static std::string templateOf(const planfile::PlanFile &plan,
                              const RunOptions &options) {
  llvm::SmallString<128> file(sys::path::parent_path(options.plan));
  sys::path::append(file, plan.header().root, plan.header().inputs[0].first);
  StringRef found = file;
  while (!found.empty() && !sys::fs::is_regular_file(found))
    found = sys::path::parent_path(found);
  return (found.empty() ? file.str() : found).str();
}

/// Calls the compiler; \p added is a file with the names of new instances.
/// False, after a report, if it gives no plan.
static bool compileWayBack(planfile::PlanFile &plan, const RunOptions &options,
                           StringRef deployment, StringRef added,
                           StringRef inputs, StringRef result,
                           DiagnosticEngine &diags) {
  std::string compiler = findCompiler(options);
  std::vector<std::string> words = {compiler,
                                    templateOf(plan, options),
                                    "-i",
                                    inputs.str(),
                                    "--take-down",
                                    "--state",
                                    options.store,
                                    "--deployment",
                                    deployment.str(),
                                    "-o",
                                    result.str()};
  // On a first deployment that is everything there is.
  if (!plan.header().state.empty())
    llvm::append_values(words, "--param", ("instances=@" + added).str());
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::string problem;
  int code =
      sys::ExecuteAndWait(compiler, arguments, std::nullopt, {},
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (code == 0)
    return true;
  diags.report({}, diag::NoWayBack, compiler,
               problem.empty() ? "exit code " + std::to_string(code) : problem);
  return false;
}

static bool writeText(StringRef path, StringRef text, DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  writeFile(path, [&](llvm::raw_ostream &os) { os << text << "\n"; }, diags);
  return diags.numErrors() == before;
}

/// The inputs that the compiler can be given: those \p recorded before the
/// plan, so that they are so again, else those of the plan. What is open, or
/// made of something open, is given to the run.
static std::string plainInputs(const planfile::PlanFile &plan, LiveState &state,
                               const Value &recorded) {
  llvm::Expected<Value> values = state.json.value(plan.header().values);
  if (!values) {
    llvm::consumeError(values.takeError());
    return "{}";
  }
  llvm::SmallVector<MapEntry> entries;
  for (const MapEntry &entry : values->entries()) {
    const Value *before = recorded.isMap() ? recorded.find(entry.key) : nullptr;
    if (before && !sealedText(*before)) {
      entries.push_back({entry.key, *before});
      continue;
    }
    llvm::Expected<Expr> expr = toExpr(entry.value, state.names, state.arena);
    if (!expr) {
      llvm::consumeError(expr.takeError());
      continue;
    }
    Environment nothing;
    Evaluation result = evaluate(*expr, nothing, state.arena);
    if (result.isKnown())
      entries.push_back({entry.key, result.value()});
  }
  return jsonText(state.arena.map(entries));
}

/// Runs the way back, \p file. Whether it is not needed any more.
static bool runWayBack(const RunOptions &options, StringRef file, size_t count,
                       llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err,
                       DiagnosticEngine &diags, int &code) {
  RunOptions back = options;
  back.plan = file.str();
  back.onFailure = OnFailure::Continue;
  back.isOnFailureGiven = true;
  back.resume = false;
  back.only = back.from = back.trace = "";
  // It finds them in the store.
  back.inputs.clear();
  back.inputFiles.clear();
  out << "rolling back\n";
  int result = runPlan(back, out, err, diags);
  if (result == ExitDone)
    diags.report({}, diag::RolledBack, count);
  if (result != ExitStopped)
    return true;
  diags.report({}, diag::RollbackInterrupted, file, options.store);
  code = ExitStopped;
  return false;
}

int run::rollBack(const FailedRun &run, llvm::raw_fd_ostream &out,
                  llvm::raw_fd_ostream &err, DiagnosticEngine &diags) {
  const RunOptions &options = run.options;
  int code = ExitFailed;
  llvm::Expected<Damage> damage =
      assess(run.plan, run.deployment, run.state, run.before);
  if (!damage) {
    diags.report({}, diag::NoWayBack, options.plan,
                 llvm::toString(damage.takeError()));
    return code;
  }
  for (const std::string &name : damage->changed)
    diags.report({}, diag::ChangeNotUndone, name);
  if (damage->added.empty())
    return code;
  if (run.plan.header().inputs.empty()) {
    diags.report({}, diag::NoWayBack, options.plan,
                 "the plan does not name its template");
    return code;
  }
  // Runs of a store have different numbers.
  std::string folder =
      options.workFolder + "/rollback-" + std::to_string(run.id);
  if (llvm::Error error = makePrivateFolder(folder)) {
    diags.report({}, diag::CannotWriteFile, folder,
                 llvm::toString(std::move(error)));
    return code;
  }
  std::string inputs = folder + "/inputs.yaml";
  std::string added = folder + "/instances";
  std::string wayBack = folder + "/plan.json";
  // The next run takes the lock for itself.
  llvm::consumeError(run.store.unlock(run.deployment));
  bool isOver = true;
  const state::Deployment *old = run.before.find(run.deployment);
  Value recorded = old ? old->inputs : Value();
  if (writeText(inputs, plainInputs(run.plan, run.state, recorded), diags) &&
      writeText(added, llvm::join(damage->added, ","), diags) &&
      compileWayBack(run.plan, options, run.deployment, added, inputs, wayBack,
                     diags))
    isOver = runWayBack(options, wayBack, damage->added.size(), out, err, diags,
                        code);
  if (isOver)
    sys::fs::remove_directories(folder);
  return code;
}
