//===- UiProcess.cpp - The page of a run while it goes on -----------------===//

#include "UiProcess.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/StateCommands.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;

extern char **environ;

std::string run::findUi() {
  llvm::SmallString<128> beside(
      llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(beside);
  llvm::sys::path::append(beside, "tosca-ui");
  return beside.str().str();
}

static std::vector<char *> argumentsOf(std::vector<std::string> &words) {
  std::vector<char *> result;
  for (std::string &word : words)
    result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// Starts \p words in a process group of its own, so that it is not
/// interrupted with this program, with \p input and \p output.
static int startProcess(std::vector<std::string> &words, int input, int output,
                        pid_t &process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  int error = posix_spawn(&process, words[0].c_str(), &actions, &attributes,
                          argumentsOf(words).data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

llvm::Expected<std::unique_ptr<UiProcess>>
UiProcess::start(std::vector<std::string> arguments) {
  std::vector<std::string> words = {findUi(), "--until-eof"};
  llvm::append_range(words, arguments);
  int input[2], output[2];
  if (pipe2(input, O_CLOEXEC) != 0)
    return llvm::createStringError(std::strerror(errno));
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(input[0]);
    close(input[1]);
    return llvm::createStringError(std::strerror(errno));
  }
  pid_t process = 0;
  int error = startProcess(words, input[0], output[1], process);
  close(input[0]);
  close(output[1]);
  if (error) {
    close(input[1]);
    close(output[0]);
    return llvm::createStringError("cannot start '" + words[0] +
                                   "': " + std::strerror(error));
  }
  std::unique_ptr<UiProcess> ui(new UiProcess(process, input[1]));
  char byte;
  while (read(output[0], &byte, 1) == 1 && byte != '\n')
    ui->address += byte;
  close(output[0]);
  if (ui->address.empty())
    return llvm::createStringError("'" + words[0] + "' has ended");
  return ui;
}

UiProcess::~UiProcess() {
  close(input);
  waitpid(process, nullptr, 0);
}

int run::showStore(const StateOptions &options, llvm::raw_ostream &,
                   DiagnosticEngine &diags) {
  std::string program = findUi();
  std::vector<std::string> words = {program, "--state", storeOf(options)};
  auto add = [&](const char *name, const std::string &value) {
    if (!value.empty())
      llvm::append_values(words, std::string(name), value);
  };
  add("--deployment", options.deployment);
  add("--work", options.workFolder);
  add("--serve", options.address);
  execv(program.c_str(), argumentsOf(words).data());
  diags.report({}, diag::CannotServe,
               "cannot start '" + program + "': " + std::strerror(errno));
  return ExitFile;
}
