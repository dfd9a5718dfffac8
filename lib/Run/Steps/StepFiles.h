//===- StepFiles.h - What a script sees -------------------------*- C++ -*-===//
///
/// \file
/// The contract with scripts: their folder, environment, context file, outputs
/// and log. docs/Running.md describes it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_STEPFILES_H
#define TOSCAC_LIB_RUN_STEPFILES_H

#include "Artifacts.h"
#include "Machine.h"
#include "Process.h"
#include "Values/LiveState.h"

namespace toscac::run {

/// Paths and names that are the same for all steps of a run.
struct RunFolder {
  /// Has `stepFolders`, `logs` and `failed` in it.
  std::string path;
  std::string deployment;
  /// Marks the processes of this run.
  std::string runName;
  bool hasSecrets = false;
  /// How steps reach machines; null: no step of the plan runs on one.
  std::shared_ptr<const Connections> connections = nullptr;
};

/// Where a step runs.
struct StepFiles {
  unsigned folderNumber = 0;
  std::string folder;
  std::string context;
  std::string outputs;
  /// In it, for what a step needs besides; made where it does.
  std::string staging() const { return folder + "/needed"; }
  /// What it prints, while it runs.
  int logFile = -1;
  /// Where its context is written to.
  int contextFile = -1;
};

/// Folders and logs of the steps that run at the same time. One that a step
/// leaves as it found it serves the next: making files takes longer than
/// starting a process.
class StepFolders {
public:
  StepFolders(const RunFolder &run, const Secrets &secrets);
  StepFolders(const StepFolders &) = delete;
  StepFolders &operator=(const StepFolders &) = delete;
  ~StepFolders();

  llvm::Expected<StepFiles> open(unsigned folderNumber);
  /// Call after the process has been started: few files stay open, however
  /// many steps run.
  void started(StepFiles &files);
  /// The step \p name is over. Gives the path of its log, or nothing where it
  /// is empty. \p group may still have processes in it that use the files.
  std::string close(StepFiles &files, uint32_t id, llvm::StringRef name,
                    bool hasFailed, pid_t group);

private:
  struct StepFolder {
    bool hasFolder = false;
    int logFile = -1;
    int contextFile = -1;
  };
  void forgetFolder(StepFolder &folderNumber);
  std::string path(unsigned folderNumber) const {
    return run.path + "/slots/" + std::to_string(folderNumber);
  }
  std::string closeLog(StepFiles &files, llvm::StringRef target, bool isInUse);
  std::string closeSecretLog(StepFiles &files, llvm::StringRef target);

  const RunFolder &run;
  const Secrets &secrets;
  /// Slots from this one on do not keep files open.
  unsigned numOpen;
  std::vector<StepFolder> stepFolders;
};

/// What runs a handler, and what its context file has to hold.
struct PreparedCommand {
  Command command;
  std::string context;
  /// Names in StepFiles::staging(), and what is to be there.
  std::vector<std::pair<std::string, std::string>> files;
  /// Where it runs, and whether it goes there by itself.
  Machine machine;
  bool isPlaybook = false;
  /// It has to find what it needs beside it, and that lies elsewhere.
  bool isCopied = false;
};
llvm::Expected<PreparedCommand>
prepareCommand(const planfile::Step &step, const planfile::StepHandler &handler,
               llvm::ArrayRef<Runnable> artifacts, const RunFolder &run,
               const StepFiles &files, LiveState &state);

/// Writes the context of handler \p handler of \p step and gives the command
/// that runs it. \p runnable has a command.
llvm::Expected<Command> makeCommand(const planfile::Step &step,
                                    const planfile::StepHandler &handler,
                                    llvm::ArrayRef<Runnable> artifacts,
                                    const RunFolder &run,
                                    const StepFiles &files, LiveState &state);

/// What the outputs of \p handler write.
struct OutputWrite {
  uint32_t entity;
  llvm::ArrayRef<Value> path;
  Value value;
  /// The path leads to a cell of the step's interface.
  bool isCell = false;
  /// It is marked as sensitive.
  bool isSecret = false;
};
/// Reads the file that the script wrote, and \p exports. An error says what is
/// wrong with it.
llvm::Expected<std::vector<OutputWrite>>
readOutputs(const planfile::Step &step, const planfile::StepHandler &handler,
            const StepFiles &files, llvm::StringRef exports, LiveState &state,
            ValueArena &arena);

/// Whether \p value can be of the type called \p type; types that are not built
/// in are not known here.
bool fitsType(const Value &value, llvm::StringRef type);

/// The last lines of the log.
std::string logTail(llvm::StringRef log);

/// What the log of \p step is called, without its number and `.log`.
std::string logName(llvm::StringRef step);

} // namespace toscac::run

#endif
