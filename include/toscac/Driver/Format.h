//===- toscac/Driver/Format.h - A file in its one form ----------*- C++ -*-===//

#ifndef TOSCAC_DRIVER_FORMAT_H
#define TOSCAC_DRIVER_FORMAT_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class MemoryBuffer;
}

namespace toscac {
class DiagnosticEngine;
class SourceManager;

struct FormatOptions {
  /// Put the keynames of entities of TOSCA into the order of the grammar.
  bool orderKeynames = false;
};

/// The text of \p file as toscac --format-source prints it. It says the same:
/// a text that cannot be read, which is reported, or that would say something
/// else, is not formatted.
std::optional<std::string> formatText(llvm::StringRef name,
                                      std::unique_ptr<llvm::MemoryBuffer> file,
                                      const FormatOptions &options,
                                      SourceManager &sources,
                                      DiagnosticEngine &diags);

} // namespace toscac

#endif
