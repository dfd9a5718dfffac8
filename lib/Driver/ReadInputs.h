//===- ReadInputs.h - What the command line names ---------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_READINPUTS_H
#define TOSCAC_LIB_DRIVER_READINPUTS_H

#include "toscac/Driver/Driver.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace toscac {
class DiagnosticEngine;

struct InputFile {
  /// As the user sees it.
  std::string name;
  std::unique_ptr<llvm::MemoryBuffer> text;
};

/// Reads the files that \p options name, in their order, each once; with
/// --check also those below folders. What cannot be read is reported and left
/// out.
std::vector<InputFile> readInputs(const DriverOptions &options,
                                  DiagnosticEngine &diags);

/// Reads the service templates below the folders of -I that may substitute
/// nodes of \p input, where it has nodes that want that, or \p hadThem. What
/// cannot be read is left out and added to \p unreadable, with the reason.
std::vector<InputFile>
readCandidates(const DriverOptions &options, const InputFile &input,
               bool hadThem,
               std::vector<std::pair<std::string, std::string>> &unreadable);

/// `<stdin>` for `-`.
std::string shownInputName(const std::string &input,
                           const std::string &stdinName = "");

} // namespace toscac

#endif
