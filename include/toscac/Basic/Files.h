//===- toscac/Basic/Files.h - Reading inputs, writing outputs ---*- C++ -*-===//
///
/// \file
/// The edge to the file system. What goes wrong there becomes a diagnostic.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_FILES_H
#define TOSCAC_BASIC_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace llvm {
class raw_ostream;
namespace vfs {
class FileSystem;
}
} // namespace llvm

namespace toscac {
class DiagnosticEngine;

/// Reads the regular file \p path; null after a report. Never waits: pipes and
/// devices are refused unopened. The text is copied, so that nobody can change
/// it meanwhile. It is in \p files; null: on the disk.
std::unique_ptr<llvm::MemoryBuffer>
readFile(llvm::StringRef path, DiagnosticEngine &diags,
         llvm::vfs::FileSystem *files = nullptr);

/// Reads standard input to its end; null after a report.
std::unique_ptr<llvm::MemoryBuffer> readStdin(DiagnosticEngine &diags);

/// Makes the file \p path with what \p write prints. It appears under its name
/// only when it is complete; after a report, what was there before is still
/// there.
void writeFile(llvm::StringRef path,
               llvm::function_ref<void(llvm::raw_ostream &)> write,
               DiagnosticEngine &diags);

} // namespace toscac

#endif
