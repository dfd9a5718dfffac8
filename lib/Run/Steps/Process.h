//===- Process.h - Processes of steps ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_PROCESS_H
#define TOSCAC_LIB_RUN_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace toscac::run {

struct Command {
  /// An absolute path.
  std::string program;
  std::vector<std::string> arguments;
  /// `NAME=value`, beside what this process has.
  std::vector<std::string> environment;
  /// Inputs that the environment has no room for.
  std::vector<std::string> leftOut;
  std::string folder;
  /// Gets what it prints.
  int output = -1;
};

/// Starts \p command in a process group of its own, whose number is the
/// process's.
llvm::ErrorOr<pid_t> spawn(const Command &command);

/// How a process ended.
struct Ending {
  pid_t process = 0;
  /// Of exit(), or nothing if a signal ended it.
  std::optional<int> code;
  int signal = 0;
};

/// What a wait() was ended by.
struct Wakeup {
  llvm::SmallVector<Ending, 8> endings;
  /// SIGINT once, or a signal that asks to stop at once.
  bool interrupt = false;
  bool terminate = false;
};

/// Takes over the signals that tell of children and of people who want the
/// program to stop, while this object lives.
class SignalWait {
public:
  SignalWait();
  SignalWait(const SignalWait &) = delete;
  SignalWait &operator=(const SignalWait &) = delete;
  ~SignalWait();

  /// Waits until something happens, but no longer than \p seconds; forever
  /// where that is negative.
  Wakeup wait(double seconds);

private:
  sigset_t signals;
  sigset_t before;
};

/// Sends \p signal to the process group \p group, if there is still one.
void signalGroup(pid_t group, int signal);

/// Finds the processes that have `NAME=value` in their environment.
std::vector<pid_t> processesWith(llvm::StringRef variable);

/// Ends the processes that have \p variable: TERM and, after \p grace seconds,
/// KILL. Returns how many there were.
size_t stopProcessesWith(llvm::StringRef variable, double grace);

} // namespace toscac::run

#endif
