//===- StepScripts.cpp - Steps as shell scripts ---------------------------===//

#include "StepScripts.h"

#include "Steps/RunFolderName.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/ShellWord.h"
#include "llvm/Support/FileSystem.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::PlanFile;
using planfile::Step;
namespace fs = llvm::sys::fs;

/// An artifact that wants to be tried again later says so by its exit code.
static constexpr StringRef scriptStart = R"sh(set -e
run() {
  tries=0
  until "$@"; do
    code=$?
    if [ "$code" != 75 ] || [ "$tries" = 20 ]; then exit "$code"; fi
    tries=$((tries + 1))
    sleep "$tries"
  done
}
)sh";

namespace {

class ScriptWriter {
public:
  ScriptWriter(const RunFolder &run, llvm::ArrayRef<Runnable> artifacts,
               LiveState &state)
      : run(run), artifacts(artifacts), state(state) {}

  llvm::Expected<std::string> write(const Step &step);

private:
  const RunFolder &run;
  llvm::ArrayRef<Runnable> artifacts;
  LiveState &state;
};

} // namespace

llvm::Expected<std::string> ScriptWriter::write(const Step &step) {
  std::string text = "#!/bin/sh\n";
  llvm::raw_string_ostream os(text);
  StepFiles files;
  files.folder = run.path + "/" + std::to_string(step.id);
  files.context = files.folder + "/context.json";
  files.outputs = files.folder + "/outputs.json";
  os << scriptStart << "mkdir -p " << shellWord(files.folder) << "\ncd "
     << shellWord(files.folder) << '\n';
  for (const planfile::StepHandler &handler : step.handlers) {
    if (handler.artifact == none || artifacts[handler.artifact].command.empty())
      continue;
    llvm::Expected<PreparedCommand> prepared =
        prepareCommand(step, handler, artifacts, run, files, state);
    if (!prepared)
      return prepared.takeError();
    for (StringRef variable : prepared->command.environment) {
      auto [name, value] = variable.split('=');
      os << "export " << name << '=' << shellWord(value) << '\n';
    }
    if (!prepared->files.empty())
      os << "mkdir -p " << shellWord(files.staging()) << '\n';
    for (const auto &[name, content] : prepared->files)
      os << "printf %s " << shellWord(content) << " >"
         << shellWord(files.staging() + "/" + name) << '\n';
    os << "printf %s " << shellWord(prepared->context) << " >context.json\nrun "
       << shellWord(prepared->command.program);
    for (StringRef argument : prepared->command.arguments)
      os << ' ' << shellWord(argument);
    os << '\n';
  }
  os << "cd ..\nrm -rf " << shellWord(files.folder) << '\n';
  return text;
}

static bool reportProblem(llvm::Error error, StringRef target,
                          DiagnosticEngine &diags) {
  diags.report({}, diag::CannotWriteFile, target,
               llvm::toString(std::move(error)));
  return false;
}

bool run::writeStepScripts(PlanFile &plan, StringRef folder,
                           StringRef deployment,
                           llvm::ArrayRef<Runnable> artifacts, LiveState &state,
                           DiagnosticEngine &diags) {
  llvm::SmallString<128> base;
  fs::real_path(folder, base);
  RunFolder run;
  run.path = (base + "/work").str();
  run.deployment = deployment.str();
  run.runName = runNameOf(base);
  std::string target = (base + "/steps").str();
  if (std::error_code error = fs::create_directories(target)) {
    diags.report({}, diag::CannotWriteFile, target, error.message());
    return false;
  }
  size_t errorsBefore = diags.numErrors();
  ScriptWriter writer(run, artifacts, state);
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    if (plan.steps()[id].kind != planfile::StepKind::Call)
      continue;
    ValueArena arena;
    state.copier.useArena(arena);
    llvm::Expected<Step> step = plan.step(id, state.copier, arena);
    if (!step)
      return reportProblem(step.takeError(), target, diags);
    llvm::Expected<std::string> script = writer.write(*step);
    if (!script)
      return reportProblem(script.takeError(), target, diags);
    writeFile(
        target + "/" + std::to_string(id),
        [&](llvm::raw_ostream &os) { os << *script; }, diags);
    if (diags.numErrors() > errorsBefore)
      return false;
  }
  return true;
}
