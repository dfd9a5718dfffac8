//===- Rollback.cpp - Undoing a failed run --------------------------------===//

#include "Rollback.h"

#include "toscac/Basic/Counted.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/PrivateFile.h"
#include "toscac/Run/ExitCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

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

static Damage assess(const planfile::Plan &plan,
                     const state::Deployment *before) {
  llvm::StringSet<> known;
  if (before)
    for (const state::Entity &entity : before->entities)
      known.insert(entity.name);
  llvm::BitVector worked(plan.numEntities());
  for (const planfile::StepHead &head : plan.steps())
    if (head.entity != planfile::none)
      worked.set(head.entity);
  Damage result;
  for (auto [id, head] : llvm::enumerate(plan.entities())) {
    std::string name = plan.entityName(id);
    bool isKnown =
        known.contains(name) || (head.movedFrom != planfile::none &&
                                 known.contains(plan.text(head.movedFrom)));
    if (!isKnown && head.kind == state::EntityKind::Node)
      result.added.push_back(name);
    else if (isKnown && worked.test(id))
      result.changed.push_back(name);
  }
  return result;
}

/// `'a[0]', 'a[1]', 'b[0]' and 7 more`: nobody reads a line for each.
static std::string listed(llvm::ArrayRef<std::string> names) {
  constexpr size_t maxListed = 3;
  std::string text;
  for (const std::string &name : names.take_front(maxListed))
    text += (text.empty() ? "'" : ", '") + name + "'";
  if (names.size() > maxListed)
    text += " and " + std::to_string(names.size() - maxListed) + " more";
  return text;
}

std::string run::findCompiler(const RunOptions &options) {
  if (!options.compiler.empty())
    return options.compiler;
  llvm::SmallString<128> beside(sys::fs::getMainExecutable(nullptr, nullptr));
  sys::path::remove_filename(beside);
  sys::path::append(beside, "toscac");
  return beside.str().str();
}

/// Calls the compiler; \p added is a file with the names of new instances.
/// False, after a report, if it gives no plan.
static bool compileWayBack(planfile::PlanFile &plan, const RunOptions &options,
                           StringRef deployment, StringRef added,
                           StringRef result, DiagnosticEngine &diags) {
  std::string compiler = findCompiler(options);
  std::vector<std::string> words = {
      compiler,         templateOf(plan.header(), options.plan),
      "--take-down",    "--state",
      options.store,    "--deployment",
      deployment.str(), "-o",
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

/// Runs the way back, \p file. Whether it is not needed any more.
static bool runWayBack(const RunOptions &options, StringRef file, size_t count,
                       llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err,
                       DiagnosticEngine &diags, int &code) {
  RunOptions back = options;
  back.plan = file.str();
  back.onFailure = OnFailure::Continue;
  back.isOnFailureGiven = true;
  back.resume = false;
  back.only = back.from = back.trace = back.report = "";
  back.serve.reset();
  // It finds them in the store.
  back.inputs.clear();
  back.inputFiles.clear();
  out << "rolling back\n";
  int result = runPlan(back, out, err, diags);
  if (result == ExitDone)
    diags.report({}, diag::RolledBack, counted(count, "instance"));
  if (result != ExitStopped)
    return true;
  diags.report({}, diag::RollbackInterrupted, file,
               state::shownStore(options.store));
  code = ExitStopped;
  return false;
}

int run::rollBack(const FailedRun &run, llvm::raw_fd_ostream &out,
                  llvm::raw_fd_ostream &err, DiagnosticEngine &diags) {
  const RunOptions &options = run.options;
  int code = ExitFailed;
  Damage damage = assess(run.plan, run.before.find(run.deployment));
  if (!damage.changed.empty())
    diags.report({}, diag::ChangeNotUndone, listed(damage.changed));
  if (llvm::Error error = run.store.restoreInputs(run.deployment, run.id)) {
    diags.report({}, diag::BrokenStore, state::shownStore(options.store),
                 llvm::toString(std::move(error)));
    return ExitFile;
  }
  if (damage.added.empty())
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
  std::string added = folder + "/instances";
  std::string wayBack = folder + "/plan.json";
  // The next run takes the lock for itself.
  llvm::consumeError(run.store.unlock(run.deployment));
  bool isOver = true;
  if (writeText(added, llvm::join(damage.added, ","), diags) &&
      compileWayBack(run.plan, options, run.deployment, added, wayBack, diags))
    isOver = runWayBack(options, wayBack, damage.added.size(), out, err, diags,
                        code);
  if (isOver)
    sys::fs::remove_directories(folder);
  return code;
}
