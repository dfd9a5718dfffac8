//===- Process.cpp - Processes of steps -----------------------------------===//
///
/// \file
/// No thread and no descriptor per process: children are waited for by the
/// signal that tells of them, so that ten thousand of them at once need nothing
/// that could run out here.
///
//===----------------------------------------------------------------------===//

#include "Process.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <chrono>
#include <cmath>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

extern char **environ;

/// Signals that a child must find as it would from a shell.
static sigset_t defaultSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal :
       {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ})
    sigaddset(&set, signal);
  return set;
}

static std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str()));
  return result;
}

llvm::ErrorOr<pid_t> run::spawn(const Command &command) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, command.output, 1);
  posix_spawn_file_actions_adddup2(&actions, command.output, 2);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults = defaultSignals(), nothing;
  sigemptyset(&nothing);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &nothing);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETPGROUP);

  std::vector<char *> argv = pointers(command.arguments);
  argv.insert(argv.begin(), const_cast<char *>(command.program.c_str()));
  argv.push_back(nullptr);
  std::vector<char *> envp = pointers(command.environment);
  for (char **variable = environ; *variable; ++variable)
    if (!StringRef(*variable).starts_with("TOSCA_"))
      envp.push_back(*variable);
  envp.push_back(nullptr);

  pid_t process = 0;
  int error = posix_spawn(&process, command.program.c_str(), &actions,
                          &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    return std::error_code(error, std::generic_category());
  return process;
}

SignalWait::SignalWait() {
  sigemptyset(&signals);
  for (int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
    sigaddset(&signals, signal);
  sigprocmask(SIG_BLOCK, &signals, &before);
}

SignalWait::~SignalWait() { sigprocmask(SIG_SETMASK, &before, nullptr); }

static void reap(Wakeup &wakeup) {
  int status;
  while (pid_t process = waitpid(-1, &status, WNOHANG)) {
    if (process < 0)
      return;
    Ending ending{process};
    if (WIFEXITED(status))
      ending.code = WEXITSTATUS(status);
    else
      ending.signal = WTERMSIG(status);
    wakeup.endings.push_back(ending);
  }
}

Wakeup SignalWait::wait(double seconds) {
  Wakeup wakeup;
  timespec limit{};
  if (seconds >= 0) {
    limit.tv_sec = static_cast<time_t>(seconds);
    limit.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
  }
  siginfo_t info;
  int signal = seconds < 0 ? sigwaitinfo(&signals, &info)
                           : sigtimedwait(&signals, &info, &limit);
  // What else is pending is taken without waiting.
  limit = {};
  while (signal > 0) {
    wakeup.interrupt |= signal == SIGINT;
    wakeup.terminate |= signal == SIGTERM || signal == SIGHUP;
    signal = sigtimedwait(&signals, &info, &limit);
  }
  reap(wakeup);
  return wakeup;
}

void run::signalGroup(pid_t group, int signal) { kill(-group, signal); }

std::vector<pid_t> run::processesWith(StringRef variable) {
  std::vector<pid_t> result;
  std::error_code error;
  std::string wanted = (variable + StringRef("\0", 1)).str();
  for (llvm::sys::fs::directory_iterator entry("/proc", error), end;
       !error && entry != end; entry.increment(error)) {
    StringRef name = StringRef(entry->path()).rsplit('/').second;
    pid_t process;
    if (name.getAsInteger(10, process) || process == getpid())
      continue;
    auto text = llvm::MemoryBuffer::getFileAsStream(entry->path() + "/environ");
    if (!text)
      continue;
    StringRef variables = (*text)->getBuffer();
    if (variables.starts_with(wanted) ||
        variables.contains((StringRef("\0", 1) + wanted).str()))
      result.push_back(process);
  }
  return result;
}

size_t run::stopProcessesWith(StringRef variable, double grace) {
  std::vector<pid_t> left = processesWith(variable);
  for (pid_t process : left)
    kill(process, SIGTERM);
  double waited = 0;
  while (!processesWith(variable).empty() && waited < grace) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    waited += 0.02;
  }
  for (pid_t process : processesWith(variable))
    kill(process, SIGKILL);
  return left.size();
}
