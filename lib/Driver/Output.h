//===- Output.h - Where a result goes ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_OUTPUT_H
#define TOSCAC_LIB_DRIVER_OUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace llvm {
class raw_fd_ostream;
class raw_ostream;
} // namespace llvm

namespace toscac {
class DiagnosticEngine;

/// The file that -o names, or standard output.
class Output {
public:
  Output(const std::string &path, llvm::raw_fd_ostream &standard,
         llvm::raw_fd_ostream &messages)
      : path(path), standardOutput(standard), messages(messages) {}

  /// Writes the whole result; a file has it only when it is complete. Returns
  /// the exit code, after a report where it is not good.
  int write(llvm::function_ref<void(llvm::raw_ostream &)> print,
            DiagnosticEngine &diags);

  llvm::raw_fd_ostream &standard() const { return standardOutput; }

private:
  const std::string &path;
  llvm::raw_fd_ostream &standardOutput;

public:
  /// For what is shown besides the result.
  llvm::raw_fd_ostream &messages;
};

} // namespace toscac

#endif
