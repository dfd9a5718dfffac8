//===- Rollback.cpp - The way back ----------------------------------------===//

#include "Rollback.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"
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

/// Calls the compiler. False, after a report, if it gives no plan.
static bool compileWayBack(planfile::PlanFile &plan, const RunOptions &options,
                           StringRef deployment, const Damage &damage,
                           StringRef inputs, StringRef result,
                           DiagnosticEngine &diags) {
  std::string compiler = findCompiler(options);
  std::vector<std::string> words = {compiler,       templateOf(plan, options),
                                    "-i",           inputs.str(),
                                    "--workflow",   "undeploy",
                                    "--state",      options.store,
                                    "--deployment", deployment.str(),
                                    "-o",           result.str()};
  // On a first deployment that is everything there is.
  if (!plan.header().state.empty())
    words.push_back("--instances=" + llvm::join(damage.added, ","));
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

/// The inputs that the plan was made with.
static bool writeInputs(StringRef path, const planfile::PlanFile &plan,
                        DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  writeFile(
      path, [&](llvm::raw_ostream &os) { os << plan.header().values << "\n"; },
      diags);
  return diags.numErrors() == before;
}

void run::rollBack(planfile::PlanFile &plan, const RunOptions &options,
                   StringRef deployment, state::Store &store, LiveState &state,
                   const state::State &before, llvm::raw_fd_ostream &out,
                   llvm::raw_fd_ostream &err, DiagnosticEngine &diags) {
  llvm::Expected<Damage> damage = assess(plan, deployment, state, before);
  if (!damage) {
    diags.report({}, diag::NoWayBack, options.plan,
                 llvm::toString(damage.takeError()));
    return;
  }
  for (const std::string &name : damage->changed)
    diags.report({}, diag::ChangeNotUndone, name);
  if (damage->added.empty())
    return;
  if (plan.header().inputs.empty()) {
    diags.report({}, diag::NoWayBack, options.plan,
                 "the plan does not name its template");
    return;
  }
  llvm::SmallString<128> folder(options.workFolder);
  sys::path::append(folder, "rollback");
  if (std::error_code error = sys::fs::create_directories(folder)) {
    diags.report({}, diag::CannotWriteFile, folder, error.message());
    return;
  }
  std::string inputs = (folder + "/inputs.yaml").str();
  std::string wayBack = (folder + "/plan.json").str();
  // The next run takes the lock for itself.
  llvm::consumeError(store.unlock(deployment));
  if (writeInputs(inputs, plan, diags) &&
      compileWayBack(plan, options, deployment, *damage, inputs, wayBack,
                     diags)) {
    RunOptions back = options;
    back.plan = wayBack;
    back.onFailure = OnFailure::Continue;
    back.resume = false;
    back.only = back.from = back.trace = "";
    out << "rolling back\n";
    if (runPlan(back, out, err, diags) == ExitDone)
      diags.report({}, diag::RolledBack, damage->added.size());
  }
  sys::fs::remove_directories(folder);
}
