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
#include "LiveState.h"
#include "Process.h"
#include "Secrets.h"

namespace toscac::run {

/// Paths and names that are the same for all steps of a run.
struct RunFolder {
  /// Has `logs` and `scratch` in it.
  std::string path;
  std::string deployment;
  /// Marks the processes of this run.
  std::string runName;
  bool hasSecrets = false;
};

/// One attempt to run a handler of a step.
struct StepFiles {
  std::string folder;
  std::string context;
  std::string outputs;
  std::string log;
  int logFile = -1;
};

/// Makes the folder and the log. \p id is the step's number.
llvm::Expected<StepFiles> makeStepFiles(const RunFolder &run, uint32_t id,
                                        llvm::StringRef name);
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
};
/// Reads the file that the script wrote. An error says what is wrong with it.
llvm::Expected<std::vector<OutputWrite>>
readOutputs(const planfile::Step &step, const planfile::StepHandler &handler,
            const StepFiles &files, LiveState &state, ValueArena &arena);

/// Closes the log, hides secrets in it, and removes it if it is empty.
void closeLog(StepFiles &files, const Secrets &secrets);
/// Removes the folder.
void removeStepFiles(const StepFiles &files);
/// The last lines of the log.
std::string logTail(llvm::StringRef log);

} // namespace toscac::run

#endif
