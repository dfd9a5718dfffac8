//===- Notify.cpp - Events from outside -----------------------------------===//

#include "Rollback.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/PrivateFile.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/State/FindStore.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// The template of the last run of \p deployment whose plan is still there;
/// empty, after a report, where nobody knows.
static std::string lastTemplate(StringRef file, StringRef deployment,
                                DiagnosticEngine &diags) {
  llvm::Expected<std::unique_ptr<state::Store>> store =
      state::Store::open(file, state::Store::Access::Read);
  llvm::Expected<std::vector<state::RunRecord>> runs =
      store ? (*store)->runs(deployment)
            : llvm::Expected<std::vector<state::RunRecord>>(store.takeError());
  if (!runs) {
    diags.report({}, diag::BrokenStore, file, llvm::toString(runs.takeError()));
    return "";
  }
  for (const state::RunRecord &run : llvm::reverse(*runs)) {
    DiagnosticEngine silent;
    if (auto plan = planfile::PlanFile::open(run.plan, silent);
        plan && !plan->header().inputs.empty())
      return templateOf(plan->header(), run.plan);
  }
  diags.report({}, diag::NoTemplate, deployment, file);
  return "";
}

int run::notify(RunOptions options, const Notification &event,
                llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err,
                DiagnosticEngine &diags) {
  if (options.store.empty())
    options.store = state::findStore(".");
  if (options.deployment.empty())
    options.deployment = "default";
  std::string source = event.source;
  if (source.empty())
    source = lastTemplate(options.store, options.deployment, diags);
  if (source.empty())
    return ExitFile;
  llvm::SmallString<128> work(options.workFolder);
  if (work.empty()) {
    work = path::parent_path(options.store);
    path::append(work, ".tosca-run");
  }
  path::append(work, "notify-" + std::to_string(getpid()));
  for (StringRef folder : {path::parent_path(work), StringRef(work)})
    if (llvm::Error error = makePrivateFolder(folder)) {
      diags.report({}, diag::CannotWriteFile, folder,
                   llvm::toString(std::move(error)));
      return ExitFile;
    }
  options.plan = (work + "/plan.json").str();
  std::string compiler = findCompiler(options);
  std::vector<std::string> words = {
      compiler,  source,        "--workflow",   event.name,
      "--state", options.store, "--deployment", options.deployment,
      "-o",      options.plan};
  for (const std::string &parameter : event.parameters)
    llvm::append_values(words, "--param", parameter);
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(compiler, arguments, std::nullopt, {},
                                       /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                       &problem);
  // The compiler has said what is wrong.
  if (code == 0)
    code = runPlan(options, out, err, diags);
  else if (code > 0)
    code = ExitRefused;
  else
    diags.report({}, diag::CannotReadFile, compiler, problem);
  llvm::sys::fs::remove_directories(work);
  return code < 0 ? ExitFile : code;
}
