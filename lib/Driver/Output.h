//===- Output.h - Where a result goes ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_OUTPUT_H
#define TOSCAC_LIB_DRIVER_OUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace llvm {
class raw_fd_ostream;
class raw_ostream;
} // namespace llvm

namespace toscac {
class DiagnosticEngine;
class SourceManager;

/// The file that -o names, or standard output; or a text that a program keeps.
class Output {
public:
  Output(const std::string &path, llvm::raw_fd_ostream &standard,
         llvm::raw_fd_ostream &messages, std::string *kept = nullptr)
      : path(path), standardOutput(standard), kept(kept), messages(messages) {}

  /// Writes the whole result; a file has it only when it is complete. Returns
  /// the exit code, after a report where it is not good.
  int write(llvm::function_ref<void(llvm::raw_ostream &)> print,
            DiagnosticEngine &diags);

  /// Whether -o names a file that may be replaced: none of \p inputs and
  /// \p sources, and nothing that people write for toscac. Reports where it
  /// may not.
  bool mayWrite(llvm::ArrayRef<std::string> inputs,
                const SourceManager &sources, DiagnosticEngine &diags) const;

  llvm::raw_fd_ostream &standard() const { return standardOutput; }
  /// Whether the result is shown to a person.
  bool isTerminal() const;

private:
  const std::string &path;
  llvm::raw_fd_ostream &standardOutput;
  /// Null: standard output.
  std::string *kept;

public:
  /// For what is shown besides the result.
  llvm::raw_fd_ostream &messages;
};

} // namespace toscac

#endif
